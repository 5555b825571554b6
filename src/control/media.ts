// What `recording_url` points to. The name in the path is sealed, so it needs no key.

import { readRecordingName, recordingSound } from '../domain/calls/recordings.ts';
import { ApiError } from '../errors/api-error.ts';
import { route } from './route.ts';

export const mediaRoutes = [
  route({
    method: 'get',
    path: '/media/:name',
    summary: 'The sound of a recording, as WAV',
    open: true,
    async handle({ sandbox, params: { name = '' } }) {
      const recording = readRecordingName(sandbox.settings.seed, name);
      if (!recording || !(await sandbox.store.world(recording.world))) throw unknownRecording();
      const call = await sandbox.store.transaction(recording.world, (tx) => {
        const found = tx.get('calls', recording.call);
        // A call-content policy that was set since holds for addresses that were given out before.
        const owner = found && tx.get('organizations', found.private.organization_id);
        if (owner?.hipaa_enabled) throw new ApiError('content_policy_forbidden');
        return found;
      });
      if (!call?.has_recording) throw unknownRecording();
      const sound = recordingSound(sandbox.settings.seed, recording, call.duration_seconds ?? 0);
      return { raw: { type: 'audio/wav', content: sound } };
    },
  }),
];

function unknownRecording(): ApiError {
  return new ApiError('not_found', { message: 'There is no such recording.' });
}
