// The route that every `recording_url` points to.
import { readRecording } from '../admin/media.ts';
import { defineRoute } from './route.ts';

export const mediaRoutes = [
  defineRoute({
    method: 'get',
    path: '/media/:name',
    summary: 'Download a recording, as WAV',
    open: true,
    anyOrigin: true,
    async handle({ sandbox, params }) {
      return { raw: { type: 'audio/wav', content: await readRecording(sandbox, params.name) } };
    },
  }),
];
