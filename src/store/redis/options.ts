// What a store in Redis is made with.
import type { MemoryStoreOptions } from '../memory/store.ts';
import type { Connection } from './connection.ts';

export interface RedisStoreOptions extends Omit<MemoryStoreOptions, 'tracksChanges'> {
  readonly connection: Connection;
  /** What the keys begin with. */
  readonly prefix: string;
  /** A name of this replica that no other has or had. */
  readonly replica: string;
}
