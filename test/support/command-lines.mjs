// Runs the main module of the built program once for each command line, all in this process, since a process for each would
// take half a second. For command lines that end at once. Given as JSON, it prints their results as JSON; without that, it
// takes them one by one as lines of JSON from stdin, and answers each with a line.
import { createInterface } from 'node:readline';

const [, , main, commandLines] = process.argv;
const { exit, stdout, stderr, env } = process;
const write = { stdout: stdout.write, stderr: stderr.write };

class Exit {}

let number = 0;

async function run({ args, environment }) {
  const result = { code: null, stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    process[name].write = (text) => {
      result[name] += text;
      return true;
    };
  }
  process.argv = [process.argv[0], main, ...args];
  process.exitCode = undefined;
  process.exit = (code) => {
    result.code = code ?? process.exitCode ?? 0;
    throw new Exit();
  };
  Object.assign(env, environment);
  let timer;
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, 60_000);
  });
  number += 1;
  const ended = import(`${main}?${number}`).catch((error) => {
    if (!(error instanceof Exit)) result.stderr += String(error.stack);
  });
  await Promise.race([ended, timeout]);
  clearTimeout(timer);
  for (const name of Object.keys(environment)) delete env[name];
  // Each run adds listeners, of the stop signals and of errors, which do not happen here.
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP', 'uncaughtException']) process.removeAllListeners(name);
  for (const output of [stdout, stderr]) output.removeAllListeners('error');
  Object.assign(stdout, { write: write.stdout });
  Object.assign(stderr, { write: write.stderr });
  return result;
}

if (commandLines === undefined) {
  for await (const line of createInterface({ input: process.stdin })) {
    stdout.write(`${JSON.stringify(await run(JSON.parse(line)))}\n`);
  }
  exit.call(process, 0);
} else {
  const results = [];
  for (const line of JSON.parse(commandLines)) results.push(await run(line));
  stdout.write(JSON.stringify(results), () => exit.call(process, 0));
}
