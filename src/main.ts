#!/usr/bin/env node
// The entry point of the program: runs one command, and exits with its code.
import * as nodeModule from 'node:module';

// The reader of the output may be gone; then nobody is left to report to.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
// What Node has compiled is kept for the next start, in the folder for temporary files, where Node can do so (since 22.1;
// the types are those of Node 20). It writes whole files under other names first, and does without where it may not write.
if ('enableCompileCache' in nodeModule && typeof nodeModule.enableCompileCache === 'function')
  nodeModule.enableCompileCache();
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
