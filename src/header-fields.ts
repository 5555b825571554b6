// Headers as plain objects by lower-case name. A header may be named `__proto__`: assigning it would set the prototype,
// and Node omits it from the headers that it reads.
import type { IncomingMessage } from 'node:http';

const PROTO = '__proto__';

/** Sets a header, whatever its name is. */
export function setHeader(headers: Record<string, string>, name: string, value: string): void {
  if (name !== PROTO) headers[name] = value;
  else Object.defineProperty(headers, name, { value, configurable: true, enumerable: true, writable: true });
}

/** Sets the header that Node has left out of a message, if it has; `change` makes what is set. */
export function setLeftOut(
  headers: Record<string, string>,
  { rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>,
  change: (name: string, value: string) => string = (_, value) => value,
): void {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const { [at]: name = '', [at + 1]: value = '' } = rawHeaders;
    if (name.length === PROTO.length && name.toLowerCase() === PROTO) setHeader(headers, PROTO, change(PROTO, value));
  }
}
