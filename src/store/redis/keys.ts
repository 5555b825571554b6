// Where a world is in Redis. Its keys share one hash tag, so that Cluster keeps them together; worlds share 256 of them,
// so that what concerns a set of worlds changes with a commit.
import { createHash } from 'node:crypto';
import { memo } from '../../memo.ts';
import type { TableName } from '../../model.ts';

const SHARDS = 256;

export interface WorldKeys {
  readonly world: string;
  readonly journals: string;
  /** Which fields the latest commits touched, newest first. */
  readonly log: string;
  /** By field, what names the content of a large record, which is kept apart. */
  readonly apart: string;
  /** What begins the keys of contents that are kept apart, and of what is written in parts. */
  readonly parts: string;
  /** How often it has met each fact; stays when the world is deleted. */
  readonly coverage: string;
  /** The channel that tells of the commits of its shard; its name has the hash tag too. */
  readonly changes: string;
  /** The worlds of its shard, and their facts. */
  readonly directory: string;
  /** Which replicas do the work of the worlds of its shard, and advance their clocks. */
  readonly held: string;
  /** The latest epochs of the worlds of its shard that were deleted. */
  readonly gone: string;
  /** The worlds of its shard that have met anything, those that are gone included. */
  readonly covered: string;
  /** Of these, those that were deleted, by when. */
  readonly past: string;
  /** How many of them have been forgotten since. */
  readonly forgotten: string;
}

export interface Keys {
  of(world: string): WorldKeys;
  /** One for each shard. */
  readonly directories: readonly string[];
  readonly covered: readonly string[];
  readonly forgotten: readonly string[];
  readonly held: readonly string[];
  /** The hash that has the owner of a unique value, and the field in it. */
  unique(table: TableName, value: string): { readonly key: string; readonly field: string };
}

const hashOf = (text: string): number => createHash('sha1').update(text).digest().readUInt8(0);

/** `count` says how many shards there are, 256 at most. */
export function createKeys(prefix: string, count = SHARDS): Keys {
  const shards = Array.from({ length: count }, (_, shard) => `${prefix}:{${shard}}`);
  const base = (text: string): string => shards[hashOf(text) % count] ?? prefix;
  return {
    // For each commit.
    of: memo((world) => {
      const shard = base(world);
      return {
        world: `${shard}:W:${world}`,
        journals: `${shard}:J:${world}`,
        log: `${shard}:L:${world}`,
        apart: `${shard}:A:${world}`,
        parts: `${shard}:P:`,
        coverage: `${shard}:K:${world}`,
        changes: `${shard}:changes`,
        directory: `${shard}:worlds`,
        held: `${shard}:held`,
        gone: `${shard}:gone`,
        covered: `${shard}:covered`,
        past: `${shard}:past`,
        forgotten: `${shard}:forgotten`,
      };
    }),
    directories: shards.map((shard) => `${shard}:worlds`),
    covered: shards.map((shard) => `${shard}:covered`),
    forgotten: shards.map((shard) => `${shard}:forgotten`),
    held: shards.map((shard) => `${shard}:held`),
    unique(table, value) {
      const field = `${table} ${value}`;
      return { key: `${base(field)}:uniques`, field };
    },
  };
}
