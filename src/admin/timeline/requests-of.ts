// Finds the requests about a record that caused no step of it: those that name it in their path, refused ones included,
// and the one that created it.
import { isJsonObject } from '../../contract/json.ts';
import type { RequestEntry } from '../../model.ts';

/** Reading leaves no trace. */
const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export function namesRecord({ method, path, status, response }: RequestEntry, id: string): boolean {
  if (reading.has(method)) return false;
  if (path.split('/').some((segment) => segment.toLowerCase() === id)) return true;
  return status >= 200 && status < 300 && response.body.includes(id) && idsIn(response.body).includes(id);
}

/** The ids of the record that a response shows: `id`, or the field that is called after its kind. */
function idsIn(text: string): string[] {
  const body = parsed(text);
  const record = isJsonObject(body) && isJsonObject(body.data) ? body.data : body;
  if (!isJsonObject(record)) return [];
  const { id, call_id, message_id, caller_id_id, remediation_id } = record;
  return [id, call_id, message_id, caller_id_id, remediation_id].flatMap((each) =>
    typeof each === 'string' || typeof each === 'number' ? [String(each)] : [],
  );
}

/** The journal keeps the beginning of a long body, which is not valid JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
