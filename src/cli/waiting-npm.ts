// Stops the server when the npm (npx, npm start, pnpm, yarn) that runs it has ended. npm and the shell that it starts wait
// for the server, so one of them ends first only when it is killed; npm passes a signal on to the shell at most, and the
// server would stay behind. A server that may be meant to outlive its parent is left alone.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

export interface ProcessFacts {
  readonly ppid: number;
  /** What is started to outlive its parent gets a session of its own; undefined where this is not known. */
  readonly session?: string | undefined;
  readonly args: readonly string[];
}

/** The facts about a process; undefined if there is none, or if this system does not show them. */
export type ReadProcess = (pid: number) => ProcessFacts | undefined;

const POLL_MS = 250;
const packageRunner = /^(npm|npx|pnpm|pnpx|yarn|bun|bunx)(-cli)?(\.[cm]?js)?$/;
const shell = /^-?(sh|bash|dash|ash|zsh|ksh)$/;
/** A command line that may leave a process running on purpose. `&&`, `2>&1`, `&>` and `|&` do not. */
const detaches = /(?<![&>|])&(?![&>])|\b(nohup|setsid)\b/;

/** Resolves when the npm that runs this program has ended; never if none waits for it. */
export function npmEnded(): Promise<'npm ended'> {
  return new Promise((resolve) => {
    const waiting = waitingFor(process.pid, readProcess);
    if (waiting.length === 0) return;
    const timer = setInterval(() => {
      if (stillWaiting(waiting)) return;
      clearInterval(timer);
      resolve('npm ended');
    }, POLL_MS);
    timer.unref();
  });
}

/** The ancestors that wait for a process, the parent first: npm, and shells that run one command. None without npm. */
export function waitingFor(pid: number, read: ReadProcess): readonly number[] {
  const waiting: number[] = [];
  let isRunByNpm = false;
  const self = read(pid);
  for (let next = self?.ppid; next !== undefined && next > 0; ) {
    const facts = read(next);
    if (!facts || facts.session !== self?.session) break;
    const isNpm = isPackageRunner(facts);
    if (!isNpm && !isWaitingShell(facts)) break;
    isRunByNpm ||= isNpm;
    waiting.push(next);
    next = facts.ppid;
  }
  return isRunByNpm ? waiting : [];
}

/** npm sets its title, `npm exec ringback`; others show as `node /usr/bin/yarn …`. */
function isPackageRunner({ args }: ProcessFacts): boolean {
  const [program = '', script = ''] = args
    .join(' ')
    .split(' ', 2)
    .map((word) => basename(word));
  return packageRunner.test(program) || (/^(node|bun)/.test(program) && packageRunner.test(script));
}

function isWaitingShell({ args: [name = '', ...rest] }: ProcessFacts): boolean {
  const command = rest.findIndex((arg) => /^-\w*c$/.test(arg));
  return shell.test(basename(name)) && command >= 0 && !detaches.test(rest.slice(command + 1).join(' '));
}

/** A process whose parent ends gets another parent at once, even while the old one is still listed. */
function stillWaiting([parent, ...others]: readonly number[]): boolean {
  if (process.ppid !== parent) return false;
  if (process.platform !== 'linux') return others.every(isRunning);
  let child = parent;
  return others.every((pid) => {
    const isParent = readProcess(child)?.ppid === pid;
    child = pid;
    return isParent;
  });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process exists too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** From /proc on Linux, from `ps` on other Unix systems; Windows has neither. */
function readProcess(pid: number): ProcessFacts | undefined {
  try {
    return process.platform === 'linux' ? readFromProc(pid) : readFromPs(pid);
  } catch {
    return undefined;
  }
}

export function readFromProc(pid: number): ProcessFacts {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the name of the program in brackets, which may contain anything.
  const [, ppid, , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { ppid: Number(ppid), session, args: readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0') };
}

/** `ps` does not say where an argument ends, which does not matter here. */
export function readFromPs(pid: number): ProcessFacts {
  const line = execFileSync('ps', ['-ww', '-o', 'ppid=,args=', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' });
  const [ppid, ...args] = line.trim().split(/\s+/);
  return { ppid: Number(ppid), args };
}
