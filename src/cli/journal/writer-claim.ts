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

/** A process so that no other one, of any time, is taken for it. What the system does not tell is empty. */
interface Identity {
  readonly pid: number;
  /** In ticks since the system was started. */
  readonly started: string;
  /** The start of the system, and the space that its process numbers belong to. */
  readonly boot: string;
  readonly space: string;
  readonly host: string;
}

export type Claim =
  | { readonly kind: 'held'; readonly release: () => void }
  | { readonly kind: 'refused'; readonly file: string; readonly pid: number; readonly sure: Sure };

/** Whether the other process is known to run, or nobody here can tell. */
type Sure = 'running' | 'unknown';

const claimForm = /^writer-(\d+)-([0-9a-z]*)\.claim$/;

/**
 * Claims a directory for this process. Each claim is a file of its own, named after its process: whoever wants to write
 * makes his first and then looks for others, so of two that come at once at least one sees the other. A claim whose
 * process has ended is dead for good, and taken away by anybody without a race: no later process has its name.
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

/** Whether a file of a journal's directory is a claim. */
export const isClaim = (name: string): boolean => claimForm.test(name);

function stateOf(path: string, pid: number, self: Identity): Sure | 'ended' {
  const claimed = readClaim(path);
  // It is being written, or was cut short as its process ended: the name tells enough on this system.
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

/** A process that has ended and that nobody has asked for its exit code still has a number. */
function isRunning(pid: number): boolean {
  if (fieldsOf(pid)?.[0] === 'Z') return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** What /proc tells of a process from its state on; undefined where there is none, or no /proc. */
function fieldsOf(pid: number): readonly string[] | undefined {
  const text = read(`/proc/${pid}/stat`);
  // The name before it may hold spaces and brackets.
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
