// The memory budget of a sandbox (`--memory`): a share for each kind of data that grows with what clients send, how
// much of it is used, and how often its limit was reached. `interface.md` section 1.
import { ApiError } from '../errors/api-error.ts';
import { type ProcessMemory, processMemory } from './process-memory.ts';
import { formatSize } from './size.ts';

const MIB = 1024 ** 2;
/** `interface.md` section 1, `--journal-limit`: past this, journals are dropped even if there is more memory. */
const MAX_JOURNALS = 256 * MIB;
/** A state file has them as base64, and no file of 4 GiB can be read back. */
const MAX_DOCUMENTS = 1024 * MIB;

interface ShareDefinition {
  /** What errors call it. */
  readonly noun: string;
  /** Which memory it is a part of, and which part. The heap needs half of itself for the program and for garbage. */
  readonly of: keyof ProcessMemory;
  readonly part: number;
  readonly maximum?: number;
  /** What happens past it, for the documents. */
  readonly past: string;
}

export const shareDefinitions = {
  journals: {
    noun: 'journal entries',
    of: 'heap',
    part: 0.15,
    maximum: MAX_JOURNALS,
    past: 'the oldest entries of the world that has most go',
  },
  records: {
    noun: 'records',
    of: 'heap',
    part: 0.25,
    past: 'the oldest calls, messages and other records that have ended go, of the world that has most of them; requests that add others get 429; to make place for a world, the longest idle one of a test key goes',
  },
  deliveries: {
    noun: 'pending deliveries',
    of: 'heap',
    part: 0.1,
    past: 'requests that cause more get 429; those of a scheduled step are recorded as failed (`queue_full`)',
  },
  documents: {
    noun: 'documents',
    of: 'total',
    part: 0.125,
    maximum: MAX_DOCUMENTS,
    past: 'the oldest contents of the same world go; if it has none, 429',
  },
  connections: { noun: 'connections and requests in progress', of: 'total', part: 0.25, past: '429' },
} as const satisfies Readonly<Record<string, ShareDefinition>>;

/** The part of the share of connections that bodies, answers and streams leave for further connections. */
const FOR_CONNECTIONS = 1 / 8;

export type ShareName = keyof typeof shareDefinitions;

/** A part of the budget. Who uses it counts what it takes, and gives back exactly that. */
export class Share {
  readonly name: ShareName;
  /** In bytes, as is `used`. */
  readonly limit: number;
  used = 0;
  /** Things that went before their time to make room. */
  dropped = 0;
  /** Requests, connections and deliveries that were refused for lack of room. */
  refused = 0;
  /** What worlds take by `takeFor`. */
  readonly #byWorld = new Map<string, number>();

  constructor(name: ShareName, limit: number) {
    this.name = name;
    this.limit = limit;
  }

  get free(): number {
    return this.limit - this.used;
  }

  /** Takes bytes if they are free; if not, counts the refusal and returns false. */
  take(bytes: number): boolean {
    if (bytes > this.free) {
      this.refused += 1;
      return false;
    }
    this.used += bytes;
    return true;
  }

  /** The same for what is in progress on a connection, which leaves room for further connections. */
  takeBeside(bytes: number): boolean {
    if (bytes > this.#freeBeside) {
      this.refused += 1;
      return false;
    }
    this.used += bytes;
    return true;
  }

  get #freeBeside(): number {
    return this.free - this.limit * FOR_CONNECTIONS;
  }

  give(bytes: number): void {
    this.used -= bytes;
  }

  /**
   * The same for what a client may leave unread, of which a world may take as much as is left in all. What must be sent takes its bytes in any case.
   */
  takeFor(world: string, bytes: number, mustBeSent = false): boolean {
    const own = this.takenBy(world);
    if (!mustBeSent && own + bytes > this.#freeBeside) {
      this.refused += 1;
      return false;
    }
    this.#byWorld.set(world, own + bytes);
    this.used += bytes;
    return true;
  }

  giveFor(world: string, bytes: number): void {
    const left = this.takenBy(world) - bytes;
    if (left > 0) this.#byWorld.set(world, left);
    else this.#byWorld.delete(world);
    this.used -= bytes;
  }

  takenBy(world: string): number {
    return this.#byWorld.get(world) ?? 0;
  }

  /**
   * The `rate_limited` of a request that found too little room: waiting helps, as others give back what they hold. With
   * what its world uses, where no world may use more than is left.
   */
  refusal(own?: number): ApiError {
    const { noun } = shareDefinitions[this.name];
    const uses = `${formatSize(this.used)} of ${formatSize(this.limit)} are used`;
    const part = own === undefined ? '' : `, ${formatSize(own)} by this world, and a world may use as much as is left`;
    return new ApiError('rate_limited', {
      message: `The server's memory for ${noun} has no room: ${uses}${part}.`,
      hint: 'Try again later, reset or delete worlds that are no longer needed, or start the server with more --memory.',
      headers: { 'Retry-After': '1' },
    });
  }
}

export interface MemoryBudget {
  /** In bytes. */
  readonly limit: number;
  readonly shares: { readonly [Name in ShareName]: Share };
}

/** A budget of that many bytes, or of what the process can use if that is less or nothing is given. */
export function createBudget(given: number | null, available: ProcessMemory = processMemory()): MemoryBudget {
  const total = Math.min(given ?? Number.POSITIVE_INFINITY, available.total);
  const memory: ProcessMemory = { total, heap: Math.min(total, available.heap) };
  const share = (name: ShareName): Share => {
    const { of, part, maximum = Number.POSITIVE_INFINITY }: ShareDefinition = shareDefinitions[name];
    return new Share(name, Math.floor(Math.min(memory[of] * part, maximum)));
  };
  return {
    limit: total,
    shares: {
      journals: share('journals'),
      records: share('records'),
      deliveries: share('deliveries'),
      documents: share('documents'),
      connections: share('connections'),
    },
  };
}
