// A status as a mark and a word: the shape of the mark says what the color says.
import { wordsOf } from '../format.ts';

export type Tone = 'live' | 'good' | 'bad' | 'quiet';

const tones: Readonly<Record<string, Tone>> = {
  QUEUED: 'live',
  RINGING: 'live',
  IN_PROGRESS: 'live',
  COMPLETED: 'good',
  VOICEMAIL: 'quiet',
  BUSY: 'bad',
  NO_ANSWER: 'bad',
  FAILED: 'bad',
  CANCELED: 'quiet',
  accepted: 'live',
  sent: 'live',
  received: 'good',
  undelivered: 'bad',
  pending: 'live',
  in_flight: 'live',
  delivered: 'good',
  failed: 'bad',
  dropped: 'quiet',
  canceled: 'quiet',
};

export const toneOf = (status: string): Tone => tones[status] ?? 'quiet';

/** Of an HTTP status; 0 is a broken connection. */
export const toneOfHttp = (status: number): Tone => (status >= 200 && status < 400 ? 'good' : 'bad');

interface Props {
  readonly tone: Tone;
  readonly text: string;
}

export const Mark = ({ tone }: Pick<Props, 'tone'>) => <span class={`mark mark-${tone}`} aria-hidden="true" />;

export const Badge = ({ tone, text }: Props) => (
  <span class={`badge tone-${tone}`}>
    <Mark tone={tone} />
    {text}
  </span>
);

export const StatusBadge = ({ status }: { readonly status: string }) => (
  <Badge tone={toneOf(status)} text={wordsOf(status)} />
);
