// Stops the server when the process that started it and waits for it has ended: npm (npx, npm start, pnpm, yarn) with
// its shell, or a program that holds its standard input. Such a process ends before the server only if it is killed;
// npm forwards a signal to its shell at most, so the server would stay behind. A server that may be meant to outlive
// its parent is left alone.
import { execFileSync } from 'node:child_process';
import { fstatSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { processExists, processStatus } from '../process-status.ts';

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

/** Resolves when one of the ancestors that wait for this program has ended; never if none does. */
export function parentEnded(): Promise<'parent ended'> {
  return new Promise((resolve) => {
    const waiting = waitingFor(process.pid, holdsInput(), readProcess);
    if (waiting.length === 0) return;
    const timer = setInterval(() => {
      if (stillWaiting(waiting)) return;
      clearInterval(timer);
      resolve('parent ended');
    }, POLL_MS);
    timer.unref();
  });
}

/**
 * Whether standard input is a socket: what Node's `spawn` makes of a pipe, and no shell does. The program that holds its
 * other end can no longer exit without giving the server up. What is read from it, and whether it ends, does not matter.
 */
function holdsInput(): boolean {
  try {
    return fstatSync(0).isSocket();
  } catch {
    return false;
  }
}

/**
 * The ancestors that wait for a process, the parent first: npm and shells that run one command, then the program that
 * started those if it holds the input. A shell alone says nothing: only npm must be among them, or that program.
 */
export function waitingFor(pid: number, inputIsHeld: boolean, read: ReadProcess): readonly number[] {
  const waiting: number[] = [];
  let isCertain = false;
  const self = read(pid);
  for (let next = self?.ppid; next !== undefined && next > 0; ) {
    const facts = read(next);
    if (!facts || facts.session !== self?.session) break;
    const isNpm = isPackageRunner(facts);
    const isHolder = inputIsHeld && !isNpm && !isShell(facts);
    if (!isNpm && !isHolder && !isWaitingShell(facts)) break;
    waiting.push(next);
    isCertain ||= isNpm || isHolder;
    if (isHolder) break;
    next = facts.ppid;
  }
  return isCertain ? waiting : [];
}

/** npm sets its title, `npm exec ringback`; others show as `node /usr/bin/yarn …`. */
function isPackageRunner({ args }: ProcessFacts): boolean {
  const [program = '', script = ''] = args
    .join(' ')
    .split(' ', 2)
    .map((word) => basename(word));
  return packageRunner.test(program) || (/^(node|bun)/.test(program) && packageRunner.test(script));
}

const isShell = ({ args: [name = ''] }: ProcessFacts): boolean => shell.test(basename(name));

function isWaitingShell(facts: ProcessFacts): boolean {
  const command = facts.args.findIndex((arg) => /^-\w*c$/.test(arg));
  return isShell(facts) && command > 0 && !detaches.test(facts.args.slice(command + 1).join(' '));
}

/** A process whose parent ends gets another parent at once, even while the old one is still listed. */
function stillWaiting([parent, ...others]: readonly number[]): boolean {
  if (process.ppid !== parent) return false;
  if (process.platform !== 'linux') return others.every(processExists);
  let child = parent;
  return others.every((pid) => {
    const isParent = readProcess(child)?.ppid === pid;
    child = pid;
    return isParent;
  });
}

/** From /proc on Linux, from `ps` on other Unix systems; Windows has neither. */
function readProcess(pid: number): ProcessFacts | undefined {
  try {
    return process.platform === 'linux' ? readFromProc(pid) : readFromPs(pid);
  } catch {
    return undefined;
  }
}

export function readFromProc(pid: number): ProcessFacts | undefined {
  const status = processStatus(pid);
  if (!status) return undefined;
  const { ppid, session } = status;
  return { ppid, session, args: readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0') };
}

/** `ps` does not say where an argument ends, which does not matter here. */
export function readFromPs(pid: number): ProcessFacts {
  const line = execFileSync('ps', ['-ww', '-o', 'ppid=,args=', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' });
  const [ppid, ...args] = line.trim().split(/\s+/);
  return { ppid: Number(ppid), args };
}
