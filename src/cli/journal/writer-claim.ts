import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/**
 * Identity of a process, distinct from every other one of any time. A value that the system does not provide is empty.
 */
interface Identity {
  readonly pid: number;
  /** Start of the process, in ticks since the start of the system. */
  readonly started: string;
  /** The start of the system, and the space that its process numbers belong to. */
  readonly boot: string;
  readonly space: string;
  readonly host: string;
}

export type Claim =
  | { readonly kind: 'held'; readonly release: () => void }
  | { readonly kind: 'refused'; readonly file: string; readonly pid: number; readonly sure: Sure };

/** State of the other process: it runs, or this system cannot tell. */
type Sure = 'running' | 'unknown';

const claimForm = /^writer-(\d+)-([0-9a-z]*)\.claim$/;

/**
 * Claims a directory for this process. Each claim is a file, named after its process. A writer makes its own claim
 * first and then looks for others, so of two simultaneous writers at least one sees the other. A claim whose process
 * has ended is dead for good. Any process may remove it without a race: no later process has its name.
 */
export function claimWriter(directory: string): Claim {
  const self = identityOf(process.pid);
  const name = `writer-${self.pid}-${self.started}.claim`;
  const path = join(directory, name);
  rmSync(path, { force: true });
  const file = openSync(path, 'wx', 0o600);
  writeSync(file, JSON.stringify(self));
  closeSync(file);
  const release = (): void => rmSync(path, { force: true });
  for (const other of readdirSync(directory).toSorted()) {
    const pid = claimForm.exec(other)?.[1];
    if (pid === undefined || other === name) continue;
    const state = stateOf(join(directory, other), Number(pid), self);
    if (state === 'ended') {
      rmSync(join(directory, other), { force: true });
      continue;
    }
    release();
    return { kind: 'refused', file: other, pid: Number(pid), sure: state };
  }
  return { kind: 'held', release };
}

/** True if a file of a journal directory is a claim. */
export const isClaim = (name: string): boolean => claimForm.test(name);

function stateOf(path: string, pid: number, self: Identity): Sure | 'ended' {
  const claimed = readClaim(path);
  // An unreadable claim is being written, or was cut short as its process ended: its name is enough on this system.
  const { started, boot, space, host } = claimed ?? self;
  if (host !== self.host) return 'unknown';
  // The system was started anew since.
  if (boot !== self.boot) return 'ended';
  if (space !== self.space) return 'unknown';
  const now = identityOf(pid);
  if (!isRunning(pid)) return 'ended';
  if (claimed && started !== '' && now.started !== started) return 'ended';
  return 'running';
}

function readClaim(path: string): Identity | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Identity;
  } catch {
    return undefined;
  }
}

const identityOf = (pid: number): Identity => ({
  pid,
  started: fieldsOf(pid)?.[19] ?? '',
  boot: read('/proc/sys/kernel/random/boot_id'),
  space: link('/proc/self/ns/pid'),
  host: hostname(),
});

/** True if the process runs. A zombie does not count: it has ended but still has its number. */
function isRunning(pid: number): boolean {
  if (fieldsOf(pid)?.[0] === 'Z') return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Fields of /proc/PID/stat from the process state on; undefined if there is no such process, or no /proc. */
function fieldsOf(pid: number): readonly string[] | undefined {
  const text = read(`/proc/${pid}/stat`);
  // The process name before it may contain spaces and brackets.
  return text === '' ? undefined : text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

function link(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
