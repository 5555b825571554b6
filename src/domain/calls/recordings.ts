// Recordings: the path of `recording_url`, and its sound. Neither is stored: the opaque name contains world and call, and
// is signed so that it cannot be guessed.
import { timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../../identity/secrets.ts';
import { integer } from '../../identity/seeded.ts';

const SAMPLES_PER_SECOND = 8000;
const MAX_SECONDS = 5;

export interface RecordingName {
  readonly world: string;
  readonly call: string;
}

/** The path of a call's recording on this server. */
export function recordingPath(secrets: Secrets, world: string, call: string): string {
  const name = Buffer.from(`${world} ${call}`).toString('base64url');
  return `/_sandbox/media/${name}.${signatureOf(secrets, name)}.wav`;
}

/** Reads the last part of such a path; undefined if the signature is not valid. */
export function readRecordingName(secrets: Secrets, opaque: string): RecordingName | undefined {
  const [, name, given] = /^([\w-]+)\.([0-9a-f]{32})\.wav$/.exec(opaque) ?? [];
  if (name === undefined || given === undefined) return undefined;
  if (!timingSafeEqual(Buffer.from(given), Buffer.from(signatureOf(secrets, name)))) return undefined;
  const [world = '', call = ''] = Buffer.from(name, 'base64url').toString('utf8').split(' ');
  return { world, call };
}

const signatureOf = (secrets: Secrets, name: string): string => secrets.token('recordings', 32, name);

/** A WAV file (PCM, 8 kHz, 16 bit, mono) of a few tones that differ from call to call. */
export function recordingSound(seed: number, { world, call }: RecordingName, seconds: number): Buffer {
  const length = Math.max(1, Math.min(MAX_SECONDS, seconds)) * SAMPLES_PER_SECOND;
  const file = Buffer.alloc(44 + length * 2);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(36 + length * 2, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(SAMPLES_PER_SECOND, 24);
  file.writeUInt32LE(SAMPLES_PER_SECOND * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(length * 2, 40);
  const syllable = SAMPLES_PER_SECOND / 4;
  let pitch = 0;
  for (let sample = 0; sample < length; sample++) {
    if (sample % syllable === 0) pitch = integer(140, 320, seed, world, call, 'pitch', sample);
    const loudness = Math.sin((Math.PI * (sample % syllable)) / syllable) * 6000;
    const wave = Math.sin((2 * Math.PI * pitch * sample) / SAMPLES_PER_SECOND);
    file.writeInt16LE(Math.round(wave * loudness), 44 + sample * 2);
  }
  return file;
}
