// The interface of a tool: its description for agents, its input, and what it does with the sandbox.
import { z } from 'zod';
import { readWorldName, worldNameForm } from '../identity/test-keys.ts';
import type { SandboxSession } from './sandbox-session.ts';

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodType;
  /** Whether it changes nothing. */
  readonly reads: boolean;
  /** Text is answered as it is, anything else as JSON. Its input has been parsed with `input`. */
  run(session: SandboxSession, input: unknown): Promise<unknown>;
}

/** Which world a tool is about. */
const world = z
  .string()
  .refine((name) => readWorldName(name) !== undefined, { error: `must be ${worldNameForm}` })
  .optional()
  .describe('The world, made on first use. Take one of your own for each test; by default that of the configuration.');

interface ToolDefinition<Shape extends z.ZodRawShape> extends Omit<Tool, 'input' | 'run'> {
  readonly input: Shape;
  run(session: SandboxSession, input: z.output<z.ZodObject<Shape & { world: typeof world }>>): Promise<unknown>;
}

/** Defines a tool; every tool takes the world too, and refuses what it does not know. */
export function defineTool<const Shape extends z.ZodRawShape>(definition: ToolDefinition<Shape>): Tool {
  const input = z.strictObject({ ...definition.input, world });
  // The server passes what `input` has parsed.
  const run = definition.run as Tool['run'];
  return { ...definition, input, run };
}

/** How many entries of a list a tool answers. */
export const limit = z.int().min(1).max(200).default(20).describe('How many to answer at most, the newest first.');
