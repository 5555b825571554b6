// Runs the built program's main module once for each command line that is given as JSON, all in this one process, for
// tables of command lines that end at once: a process each would cost half a second each. Prints how each one ended.
const [, , main, given] = process.argv;
const { exit, stdout, stderr, env } = process;
const write = { stdout: stdout.write, stderr: stderr.write };

class Exit {}

const ends = [];
for (const [number, { args, environment }] of JSON.parse(given).entries()) {
  const end = { code: null, stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    process[name].write = (text) => {
      end[name] += text;
      return true;
    };
  }
  process.argv = [process.argv[0], main, ...args];
  process.exitCode = undefined;
  process.exit = (code) => {
    end.code = code ?? process.exitCode ?? 0;
    throw new Exit();
  };
  Object.assign(env, environment);
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, 3000);
  });
  const over = import(`${main}?${number}`).catch((error) => {
    if (!(error instanceof Exit)) end.stderr += String(error.stack);
  });
  await Promise.race([over, late]);
  clearTimeout(timer);
  for (const name of Object.keys(environment)) delete env[name];
  // Each listens for the signals to stop, and none of them ends by one.
  for (const name of ['SIGTERM', 'SIGINT']) process.removeAllListeners(name);
  ends.push(end);
}
Object.assign(stdout, { write: write.stdout });
Object.assign(stderr, { write: write.stderr });
stdout.write(JSON.stringify(ends), () => exit.call(process, 0));
