// Recordings: the path of `recording_url`, and the audio. Neither is stored: the opaque name contains the world and the
// call and is signed, so that it cannot be guessed; any part of the audio can be generated without the rest.
import { timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../../identity/secrets.ts';
import { token } from '../../identity/seeded.ts';

/** PCM of 8 bits, mono: a byte per sample. */
const SAMPLES_PER_SECOND = 8000;
const HEADER_BYTES = 44;
/** The longest recording; longer calls are recorded up to here (assumption recordings). */
const MAX_SECONDS = 600;

export interface RecordingName {
  readonly world: string;
  readonly call: string;
}

/** The path of a call's recording on this server. */
export function recordingPath(secrets: Secrets, world: string, call: string): string {
  const name = Buffer.from(`${world} ${call}`).toString('base64url');
  return `/_sandbox/media/${name}.${secrets.recordingSignature(name)}.wav`;
}

/** Reads the last part of such a path; undefined if the signature is not valid. */
export function readRecordingName(secrets: Secrets, opaque: string): RecordingName | undefined {
  const [, name, given] = /^([\w-]+)\.([0-9a-f]{32})\.wav$/.exec(opaque) ?? [];
  if (name === undefined || given === undefined) return undefined;
  if (!timingSafeEqual(Buffer.from(given), Buffer.from(secrets.recordingSignature(name)))) return undefined;
  const [world = '', call = ''] = Buffer.from(name, 'base64url').toString('utf8').split(' ');
  return { world, call };
}

/** A WAV file that is made as it is read. */
export interface Recording {
  /** In bytes. */
  readonly length: number;
  /** The same for the same bytes, and for no others. */
  readonly tag: string;
  /** The bytes from `start` up to, but without, `end`, in pieces. */
  read(start: number, end: number): Generator<Buffer>;
}

/** The recording of a call that lasted so long, to the tenth minute: two voices in turns, which differ from call to call. */
export function recordingOf(seed: number, { world, call }: RecordingName, talked: number): Recording {
  const seconds = Math.max(1, Math.min(MAX_SECONDS, talked));
  const length = HEADER_BYTES + seconds * SAMPLES_PER_SECOND;
  return {
    length,
    tag: token(32, seed, 'recording', world, call, seconds),
    *read(start, end) {
      if (start < HEADER_BYTES) yield header(seconds).subarray(start, end);
      const speak = speaker([seed, world, call].join('\0'));
      const [from, until] = [Math.max(0, start - HEADER_BYTES), end - HEADER_BYTES];
      for (let at = from; at < until; ) {
        const second = Math.floor(at / SAMPLES_PER_SECOND);
        const first = second * SAMPLES_PER_SECOND;
        yield speak(second).subarray(at - first, until - first);
        at = first + SAMPLES_PER_SECOND;
      }
    },
  };
}

function header(seconds: number): Buffer {
  const samples = seconds * SAMPLES_PER_SECOND;
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(HEADER_BYTES - 8 + samples, 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(SAMPLES_PER_SECOND, 24);
  bytes.writeUInt32LE(SAMPLES_PER_SECOND, 28);
  bytes.writeUInt16LE(1, 32);
  bytes.writeUInt16LE(8, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(samples, 40);
  return bytes;
}

const SYLLABLES_PER_SECOND = 4;
const SYLLABLE = SAMPLES_PER_SECOND / SYLLABLES_PER_SECOND;
/** A voice speaks for so many seconds before it is the other's turn. */
const TURN_SECONDS = 3;
/** The lowest pitch of each voice, in hertz, and the step between two of its 16 pitches. */
const VOICES = [
  { lowest: 110, step: 6 },
  { lowest: 190, step: 9 },
] as const;
const SILENCE = 128;
const LOUDNESS = 90;

/** What is heard in a second of the call, by its number. A syllable that recurs is made once. */
function speaker(key: string): (second: number) => Buffer {
  const made = new Map<number, Buffer>();
  return (second) => {
    const { lowest, step } = VOICES[Math.floor(second / TURN_SECONDS) % 2 === 0 ? 0 : 1];
    const heard = Buffer.alloc(SAMPLES_PER_SECOND, SILENCE);
    const pitches = token(SYLLABLES_PER_SECOND, key, 'second', second);
    // A pause ends the turn.
    const spoken = second % TURN_SECONDS === TURN_SECONDS - 1 ? SYLLABLES_PER_SECOND - 1 : SYLLABLES_PER_SECOND;
    for (let syllable = 0; syllable < spoken; syllable++) {
      const pitch = lowest + step * Number.parseInt(pitches.charAt(syllable), 16);
      let sound = made.get(pitch);
      if (!sound) {
        sound = syllableAt(pitch);
        made.set(pitch, sound);
      }
      sound.copy(heard, syllable * SYLLABLE);
    }
    return heard;
  };
}

/** A tone that swells and fades. */
function syllableAt(pitch: number): Buffer {
  const sound = Buffer.alloc(SYLLABLE);
  for (let sample = 0; sample < SYLLABLE; sample++) {
    const wave = Math.sin((2 * Math.PI * pitch * sample) / SAMPLES_PER_SECOND);
    sound[sample] = Math.round(SILENCE + wave * LOUDNESS * Math.sin((Math.PI * sample) / SYLLABLE));
  }
  return sound;
}
