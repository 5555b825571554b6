// A call as responses show it: `spec.md` "Calls".
import { assumedCall, assumedStart } from '../../assumptions/assumed-records.ts';
import type { Schemas } from '../../contract/document.ts';
import type { Secrets } from '../../identity/secrets.ts';
import { type Row, wireOf } from '../../model.ts';
import type { Tx } from '../../store/store.ts';
import { recordingPath } from './recordings.ts';

/** What the address of a recording is made from. */
export interface RecordingAddress {
  /** Of this server, as the reader reaches it. */
  readonly address: string;
  readonly secrets: Secrets;
}

/** `reveal`: what the address of the recording is made from; false hides it. */
export function serializeCall(tx: Tx, call: Row<'calls'>, reveal: false | RecordingAddress): Schemas['Call'] {
  const assumptions = tx.state('assumptions');
  const detail = { ...wireOf(assumedCall(assumptions, call)), started_at: assumedStart(assumptions, call) };
  if (!reveal || !call.has_recording) return detail;
  return { ...detail, recording_url: reveal.address + recordingPath(reveal.secrets, tx.world.name, call.id) };
}
