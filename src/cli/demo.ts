// `ringback demo`: `ringback serve --demo`.
import type { Command } from 'commander';
import { defineServing } from './serve.ts';

export const define = (command: Command): void => defineServing(command, true);
