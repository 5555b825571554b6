#!/usr/bin/env node
// The entry point of the program: runs one command, and exits with its code.
import { reportError } from './cli/exit-code.ts';
import { createProgram } from './cli/program.ts';

try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = reportError(error);
}
// Without this, sockets that clients keep open would keep the process running.
process.exit();
