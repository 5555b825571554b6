// Bytes that a record holds: outside the heap, where large strings would burden everything else. In JSON, such as a
// state file, they are base64.

/** The content of a file that a request has sent. */
export interface FileContent {
  readonly bytes: Buffer;
  /** Lowercase hexadecimal. */
  readonly sha256: string;
}

export class StoredBytes {
  readonly buffer: Buffer;

  constructor(buffer: Buffer) {
    this.buffer = buffer;
  }

  get length(): number {
    return this.buffer.length;
  }

  /** The bytes again, from themselves or from what they are as JSON. */
  static from(stored: StoredBytes | string): StoredBytes {
    return typeof stored === 'string' ? new StoredBytes(Buffer.from(stored, 'base64')) : stored;
  }

  toJSON(): string {
    return this.buffer.toString('base64');
  }
}
