// The route of the OpenAPI document of the control API.
import { imported } from '../lazy-modules.ts';
import { prefixOf } from '../public-url.ts';
import { bytes, type ControlNoun, defineRoute, type Route } from './route.ts';

// Nothing else needs the schemas of the answers.
const documentMaker = imported(() => import('./openapi/document.ts'));

/** Where the server of a document is, which differs by the proxy that a request has come through. */
const AT_ROOT = '"servers":[{"url":"/"}]';

/** The route that serves the document of these routes. */
export function openapiRoute(nouns: () => readonly ControlNoun[]): Route {
  /** By whether the server has a control token: to make one holds all requests for longer than anything they ask for. */
  const known = new Map<boolean, string>();
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
      const hasToken = settings.controlToken !== null;
      const { describeControl } = await documentMaker();
      const text = known.get(hasToken) ?? JSON.stringify(describeControl(nouns(), { version, hasToken }));
      known.set(hasToken, text);
      const prefix = prefixOf(address);
      const servers = `"servers":[${JSON.stringify({ url: prefix })}]`;
      return {
        raw: { type: 'application/json', content: prefix === '' ? text : text.replace(AT_ROOT, () => servers) },
      };
    },
  });
}
