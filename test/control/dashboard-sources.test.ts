// What the sources of the dashboard may import and do.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/program.ts';

const src = join(root, 'src');
const filesUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true }).map((file) => join(folder, String(file)));

it('let the dashboard know the server by its client and its contracts alone, because it runs in a browser', () => {
  const folder = join(src, '..', 'dashboard', 'src');
  const texts = filesUnder(folder).filter((path) => /\.tsx?$/.test(path));
  const imported = texts.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/import (type )?[^;]*? from '([^']+)'/g)].map(([, type, target = '']) => ({
      file: relative(folder, path),
      type,
      target: target.startsWith('.') ? relative(src, join(path, '..', target)) : target,
    })),
  );
  const ofServer = imported.filter(({ target }) => !target.startsWith('../dashboard/') && /^[a-z]+\//.test(target));
  const wrong = ofServer.filter(({ target }) => !/^(client|contract|identity|preact)\//.test(target));
  expect(wrong).toEqual([]);
  expect(imported.filter(({ target }) => target.startsWith('node:'))).toEqual([]);
  const markup = texts.filter((path) =>
    /dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML/.test(readFileSync(path, 'utf8')),
  );
  expect(markup).toEqual([]);
});
