// The body of a gateway's answer (`respond` of a fault), and its type unless one is given.
import type { RawAnswer } from '../model.ts';

export function rawBody({ body, content_type }: RawAnswer): {
  readonly body: string | null;
  readonly type: string | null;
} {
  if (body === undefined || body === null) return { body: null, type: content_type ?? null };
  if (typeof body !== 'string') return { body: JSON.stringify(body), type: content_type ?? 'application/json' };
  const usual = body.trimStart().startsWith('<') ? 'text/html' : 'text/plain';
  return { body, type: content_type ?? `${usual}; charset=utf-8` };
}
