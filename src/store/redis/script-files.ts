// The scripts that run in Redis.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export type ScriptName = 'commit' | 'contents' | 'fields' | 'part' | 'load' | 'add' | 'drop' | 'release' | 'beat';

interface Script {
  readonly text: string;
  readonly hash: string;
}

function readScript(name: ScriptName): Script {
  const text = readFileSync(new URL(`./scripts/${name}.lua`, import.meta.url), 'utf8');
  return { text, hash: createHash('sha1').update(text).digest('hex') };
}

export const readScripts = (): Readonly<Record<ScriptName, Script>> => ({
  commit: readScript('commit'),
  contents: readScript('contents'),
  fields: readScript('fields'),
  part: readScript('part'),
  load: readScript('load'),
  add: readScript('add'),
  drop: readScript('drop'),
  release: readScript('release'),
  beat: readScript('beat'),
});
