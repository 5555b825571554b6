// Scripts of what a webhook receiver answers: statuses, bodies and delays.
import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { checkFields, milliseconds, shown } from './arguments.ts';

/** A status, or a status with a body, headers and a delay (real time, such as `2s`) before it. */
export type AnswerScript =
  | number
  | {
      readonly status?: number;
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly delay?: string;
    };

export class Answers {
  #next: AnswerScript[] = [];
  #always: AnswerScript = 200;

  /** Throws a TypeError for an answer that cannot be given. */
  set(answers: AnswerScript | readonly AnswerScript[]): void {
    const all = [answers].flat();
    for (const answer of all) {
      if (typeof answer !== 'number') checkFields('respond', answer, ['status', 'body', 'headers', 'delay']);
      const { status = 200, delay = '0s' } = typeof answer === 'number' ? { status: answer } : answer;
      if (!Number.isInteger(status) || status < 200 || status > 599) {
        throw new TypeError(`${shown(status)} is not a status to answer with; must be an integer from 200 to 599`);
      }
      milliseconds(delay);
    }
    const isList = Array.isArray(answers);
    this.#next = isList ? all : [];
    this.#always = isList ? 200 : (all[0] ?? 200);
  }

  take(): AnswerScript {
    return this.#next.shift() ?? this.#always;
  }
}

/** Resolves to the status. */
export async function giveAnswer(res: ServerResponse, answer: AnswerScript): Promise<number> {
  const { status = 200, body = '', headers = {}, delay } = typeof answer === 'number' ? { status: answer } : answer;
  if (delay !== undefined) await setTimeout(milliseconds(delay));
  res.writeHead(status, { ...headers }).end(body);
  return status;
}
