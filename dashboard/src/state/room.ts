// A room in which this page talks to an agent: the WebSocket of a web call, as the page of a customer opens it.
import { signal } from '@preact/signals';
import type { components } from '../../../src/contract/wire.d.ts';
import { platformClient } from '../api/access.ts';
import { serverUrl } from '../api/transport.ts';
import type { Call } from './feed.ts';

export type Turn = components['schemas']['TranscriptTurn'];
export type RoomState = 'joining' | 'talking' | 'over';

/** What the room tells: docs/browser-calls.md. */
type RoomMessage =
  | { readonly type: 'joined' | 'participant_joined' | 'participant_left' }
  | { readonly type: 'call_started'; readonly call_id: string }
  | ({ readonly type: 'turn' } & Turn)
  | { readonly type: 'call_ended'; readonly call: Call }
  | { readonly type: 'error'; readonly error: { readonly message: string } };

export class Room {
  readonly state = signal<RoomState>('joining');
  readonly turns = signal<readonly Turn[]>([]);
  readonly call = signal<string | null>(null);
  /** The latest thing that went wrong. */
  readonly problem = signal<string | null>(null);
  #socket: WebSocket | undefined;
  #isLeft = false;

  constructor(world: string, agent: string) {
    this.#join(world, agent).catch((error: unknown) =>
      this.#end(error instanceof Error ? error.message : String(error)),
    );
  }

  async #join(world: string, agent: string): Promise<void> {
    const { room_name, token } = await platformClient(world).call('createAgentWebCall', { path: { id: agent } });
    if (this.#isLeft) return;
    // The room of `room_url`, at the address by which this page reaches the server.
    const address = `${serverUrl.replace(/^http/, 'ws')}/rooms/${room_name}?access_token=${token}`;
    const socket = new WebSocket(address);
    this.#socket = socket;
    // What the server sends is what its documentation says.
    socket.onmessage = ({ data }) => this.#take(JSON.parse(data) as RoomMessage);
    socket.onclose = ({ code }) => this.#end(code === 1000 ? null : 'The connection to the room was lost.');
  }

  #take(message: RoomMessage): void {
    if (message.type === 'call_started') {
      this.call.value = message.call_id;
      this.state.value = 'talking';
    } else if (message.type === 'turn') this.turns.value = [...this.turns.value, message];
    else if (message.type === 'error') this.problem.value = message.error.message;
    else if (message.type === 'call_ended') this.#end(null);
  }

  #end(problem: string | null): void {
    if (this.state.value === 'over') return;
    this.problem.value = problem;
    this.state.value = 'over';
  }

  say(text: string): void {
    this.problem.value = null;
    this.#socket?.send(JSON.stringify({ type: 'say', text }));
  }

  hangUp(): void {
    this.#socket?.send(JSON.stringify({ type: 'hang_up' }));
  }

  /** Leaving the page leaves the room, which ends the call. */
  leave(): void {
    this.#isLeft = true;
    this.#socket?.close();
  }
}
