// What worlds have met, as Redis counts it. Coverage survives a world: of those that are gone, up to a bound.
import type { CoverageOfWorlds } from '../store.ts';
import type { Connection } from './connection.ts';
import type { Keys } from './keys.ts';
import { listOf, pairsOf } from './replies.ts';

export async function readCoverage(
  connection: Connection,
  keys: Keys,
  matches: (world: string) => boolean,
): Promise<CoverageOfWorlds> {
  const listed = [
    ...keys.covered.map((key) => connection.command('SMEMBERS', [key])),
    ...keys.directories.map((key) => connection.command('HKEYS', [key])),
  ];
  const names = (await Promise.all(listed)).flatMap((reply) => listOf(reply).map(String));
  const worlds = [...new Set(names)].filter(matches).sort();
  const counts = new Map<string, number>();
  for (const world of worlds) {
    const reply = await connection.command('HGETALL', [keys.of(world).coverage]);
    for (const [fact, count] of pairsOf(reply)) counts.set(fact, (counts.get(fact) ?? 0) + Number(count));
  }
  const forgotten = await Promise.all(keys.forgotten.map((key) => connection.command('GET', [key])));
  return { worlds, forgotten: forgotten.reduce((sum: number, each) => sum + Number(each), 0), counts };
}
