// The route that every `recording_url` points to.
import { readRecording } from '../admin/media.ts';
import { bytes, defineRoute } from './route.ts';

export const mediaRoutes = [
  defineRoute({
    id: 'getRecording',
    method: 'get',
    path: '/media/:name',
    summary: 'Download a recording',
    description: 'The `recording_url` of a call points here; the name in it is signed.',
    parameters: { name: 'The name in the `recording_url`.' },
    open: true,
    anyOrigin: true,
    errors: ['content_policy_forbidden'],
    answer: bytes('audio/wav'),
    async handle({ sandbox, params }) {
      return { raw: { type: 'audio/wav', content: await readRecording(sandbox, params.name) } };
    },
  }),
];
