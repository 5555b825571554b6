// The transport of the protocol over stdio, with a bound on what waits for an agent that sends and does not read.
import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** Past so many characters of answers that wait for the agent, nothing of it is read until it has read them. */
export const MAX_UNREAD = 16 * 1024 * 1024;
/** A longer message cannot be told from a stream without an end. */
export const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

export class AgentTransport extends StdioServerTransport {
  readonly #input: Readable;
  readonly #output: Writable;

  constructor(input: Readable, output: Writable) {
    super(input, output, { maxBufferSize: MAX_MESSAGE_BYTES });
    this.#input = input;
    this.#output = output;
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    this.#output.write(serializeMessage(message));
    if (this.#output.writableLength <= MAX_UNREAD || this.#input.isPaused()) return;
    this.#input.pause();
    this.#output.once('drain', () => this.#input.resume());
  }
}
