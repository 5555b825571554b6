#!/usr/bin/env node
// The entry point of the program: runs one command, and exits with its code.

// Whoever reads the output may be gone; there is nobody left to tell.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
try {
  const { runProgram } = await import('./cli/program.ts');
  process.exitCode = await runProgram();
} catch (error) {
  // Without descriptors, not even the program itself can be loaded.
  const isShortage = error instanceof Error && /^E[MN]FILE\b/.test(error.message);
  const problem = isShortage ? 'too many open files; allow this process 256 or more (ulimit -n)' : String(error);
  process.stderr.write(`ringback: ${problem}\n`);
  process.exitCode = 1;
}
// Without this, sockets that clients keep open would keep the process running.
process.exit();
