// The recording that a `recording_url` points to. The name in the URL is signed, so no key is needed.
import { type Recording, readRecordingName, recordingOf } from '../domain/calls/recordings.ts';
import { hidesContent } from '../domain/organizations/content-policy.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError } from '../errors/api-error.ts';

/** The recording as a WAV file; `not_found` for an unknown name, `content_policy_forbidden` if a policy withholds it. */
export async function readRecording(
  { store, settings, secrets }: Pick<SandboxContext, 'store' | 'settings' | 'secrets'>,
  name: string,
): Promise<Recording> {
  const recording = readRecordingName(secrets, name);
  if (!recording || !(await store.world(recording.world))) throw noSuchRecording();
  const call = await store.transaction(recording.world, (tx) => {
    const found = tx.get('calls', recording.call);
    // A call-content policy also covers addresses that were given out before it was set.
    if (found && hidesContent(tx, found.private.organization_id)) throw new ApiError('content_policy_forbidden');
    return found;
  });
  if (!call?.has_recording) throw noSuchRecording();
  return recordingOf(settings.seed, recording, call.duration_seconds ?? 0);
}

function noSuchRecording(): ApiError {
  return new ApiError('not_found', {
    message: 'No such recording exists.',
    hint: 'Use the recording_url of a call whose has_recording is true.',
  });
}
