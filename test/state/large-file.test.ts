// A state file that is longer than a string can be, as documents make it.
import { constants } from 'node:buffer';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Checksum, fileEnd } from '../../src/state/checksum.ts';
import { thorough } from '../support/thorough.ts';
import { useRestarts } from './setup.ts';

const { startServer } = useRestarts();

const DOCUMENT = { filename: 'a.png', content_type: 'image/png', content_base64: 'iVBORw0KGgo=' };
const BYTES = 20 * 1024 * 1024;

it.runIf(thorough)('a state file may be longer than a string can be', async () => {
  const server = await startServer({ memory: '8GB' });
  const { document_id } = (await server.client.post('/v1/caller-trust/documents', DOCUMENT)).body.data;
  await server.sandbox.close();
  const text = readFileSync(server.file, 'utf8');
  const end = text.lastIndexOf(',\n"checksum"');
  // The line of the content of that document, which its id begins.
  const line = text.split('\n').find((each) => each.startsWith(`{"id":"${document_id}","content":"`)) ?? '';
  expect(line).not.toBe('');
  const at = text.indexOf(line);
  const copies = Math.ceil(constants.MAX_STRING_LENGTH / ((BYTES * 4) / 3)) + 1;
  const content = Buffer.alloc(BYTES).toString('base64');
  const checksum = new Checksum();
  const descriptor = openSync(server.file, 'w');
  const write = (piece: string, isEnd = false): void => {
    const bytes = Buffer.from(piece);
    writeSync(descriptor, bytes);
    if (!isEnd) checksum.add(bytes);
  };
  write(text.slice(0, at));
  for (let n = 0; n < copies; n++) {
    write(
      line
        .replace(/,$/, '')
        .replace(document_id, `doc_${n}`)
        .replace(/"content":"[^"]*"/, `"content":"${content}"`),
    );
    write(',\n');
  }
  write(text.slice(at, end));
  write(fileEnd(checksum), true);
  closeSync(descriptor);
  await server.start();
  const { text: read } = await server.client.get(`/_sandbox/documents/${document_id}/content`);
  expect(read).not.toBe('');
});
