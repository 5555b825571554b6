// The route that every `recording_url` leads to.
import { readRecording } from '../admin/media.ts';
import { defineRoute, ranges } from './route.ts';

export const mediaRoutes = [
  defineRoute({
    id: 'getRecording',
    method: 'get',
    path: '/media/:name',
    summary: 'Download a recording',
    description:
      'The `recording_url` of a call points here; the name in it is signed. A WAV file as long as the talk, up to 10 minutes; one `Range` of its bytes can be asked for.',
    parameters: { name: 'The name in the `recording_url`.' },
    open: true,
    anyOrigin: true,
    errors: ['content_policy_forbidden'],
    answer: ranges('audio/wav'),
    async handle({ sandbox, params }) {
      return { ranged: { type: 'audio/wav', ...(await readRecording(sandbox, params.name)) } };
    },
  }),
];
