// The route of the OpenAPI document of the control API.
import { imported } from '../lazy-modules.ts';
import { prefixOf } from '../public-url.ts';
import { bytes, type ControlNoun, defineRoute, type Route } from './route.ts';

// Nothing else needs the schemas of the answers.
const documentMaker = imported(() => import('./openapi/document.ts'));

/** The route that serves the document of these routes. */
export function openapiRoute(nouns: () => readonly ControlNoun[]): Route {
  return defineRoute({
    id: 'getControlDocument',
    method: 'get',
    path: '/openapi.json',
    aboutServer: true,
    anyOrigin: true,
    summary: 'Read the OpenAPI document of this API',
    description: 'It describes this server: with a control token, the credentials are others.',
    answer: bytes('application/json'),
    async handle({ sandbox: { settings, version }, address }) {
      const { describeControl } = await documentMaker();
      const document = describeControl(nouns(), {
        version,
        hasToken: settings.controlToken !== null,
        prefix: prefixOf(address),
      });
      return { raw: { type: 'application/json', content: JSON.stringify(document) } };
    },
  });
}
