import { afterEach } from 'vitest';
import { Connection } from '../../src/store/redis/connection.ts';
import { type RedisServer, startRedis } from './redis.ts';

/** Redis servers of single tests, each stopped when its test ends, as whatever else is in `ended`: the latest first. */
export function useRedisServers() {
  const ended: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ended.splice(0).reverse()) await end();
  });
  return {
    ended,
    async redis(...options: readonly string[]): Promise<RedisServer> {
      const server = await startRedis(...options);
      ended.push(() => server.stop());
      return server;
    },
    async commandsOf(server: RedisServer): Promise<Connection> {
      const connection = await Connection.open(server.socket);
      ended.push(() => connection.close());
      return connection;
    },
  };
}
