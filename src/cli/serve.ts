import { closeSync, openSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import { readText, reasonOf } from '../run/read-text.ts';
import { systemClock } from '../timeline/clock/system-clock.ts';
import { formatSeed } from '../random/seed.ts';
import { virtualClock } from '../timeline/clock/virtual-clock.ts';
import {
  type Address,
  buildServer,
  type JournalHead,
  type JournalSink,
  journalHead,
  type Server,
} from '../reference/http/index.ts';
import { type Assignment, referenceAnswers } from '../spec/gaps/index.ts';
import { readAssignment } from '../target/embedded/assignment.ts';
import { referenceTargetFile } from '../target/file/served-reference.ts';
import { createReference, referenceStartMs } from '../target/embedded/create-reference.ts';
import { renderSourceErrors } from '../yaml/index.ts';
import { CommandFailure, type CommandInput, readAll, usageFailure } from './command.ts';
import { within, writeWhole } from './files.ts';
import { freshSeed } from './fresh-seed.ts';
import { findTamper } from './find-mutation.ts';
import type { ExitCode, Terminal } from './terminal.ts';

type ClockKind = 'system' | 'virtual';

interface ServeFlags {
  readonly port?: number;
  readonly host?: string;
  readonly clock?: ClockKind;
  readonly gaps?: string;
  readonly mutation?: string;
  readonly journal?: string;
  readonly writeTarget?: string;
  /** Without one, each start has parties, ids and keys of its own: nothing of the last run passes for this one's. */
  readonly seed?: bigint;
}

const defaultPort = 9000;

/** Runs the reference until it is stopped. */
export async function serve({ terminal, options }: CommandInput): Promise<ExitCode> {
  const flags = options as unknown as ServeFlags;
  const { clock = 'system', seed = freshSeed(), mutation } = flags;
  const [assignment, tamper] = readAll(
    () => assignmentOf(flags, terminal),
    () => (mutation === undefined ? undefined : findTamper(mutation)),
  );
  const journal = journalOf(flags, terminal);
  const world = createReference({
    clock: clock === 'system' ? systemClock() : virtualClock(referenceStartMs),
    seed,
    assignment,
    ...(tamper && { tamper }),
    ...(journal && { journal: journal.write }),
  });
  journal?.write(journalHead(world.config));
  const server = buildServer(world, {
    onInternalError: (error) => terminal.err(`assay serve: a fault of ours: ${describe(error)}`),
  });
  const addresses = await listen(server, flags);
  announce(addresses, clock, { ...flags, seed }, terminal);
  if (flags.writeTarget !== undefined) {
    writeTarget(server, addresses, clock, flags.writeTarget, terminal);
  }
  await new Promise<void>((resolve) => {
    terminal.onStop(resolve);
  });
  await server.close();
  journal?.end();
  return 0;
}

const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

async function listen(
  server: Server,
  { port = defaultPort, host = '127.0.0.1' }: ServeFlags,
): Promise<readonly Address[]> {
  try {
    return await server.serve({ port, host });
  } catch (error) {
    await server.close();
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const reason = code === 'EADDRINUSE' ? 'the port is taken' : reasonOf(error);
    const next = 'try --port 0 for a free one';
    throw usageFailure(`cannot listen on ${host}:${port}: ${reason}`, next);
  }
}

function announce(
  addresses: readonly Address[],
  clock: ClockKind,
  { seed, mutation }: ServeFlags & { readonly seed: bigint },
  terminal: Terminal,
): void {
  const origin = new URL(addresses[0]?.baseUrl ?? '').origin;
  const width = Math.max(...addresses.map(({ party }) => party.name.length));
  const altered = mutation ? `, mutation ${mutation}` : '';
  const lines = [
    `seed ${formatSeed(seed)}`,
    `the reference backend, on a ${clock} clock${altered}`,
    ...addresses.map(
      ({ party, baseUrl }) => `  ${party.name.padEnd(width)}  ${party.role.padEnd(12)}  ${baseUrl}`,
    ),
    ...(clock === 'virtual'
      ? [`clock: GET ${origin}/_sim/clock, POST ${origin}/_sim/clock/advance`]
      : []),
    `faults: GET, POST ${origin}/_sim/faults`,
  ];
  for (const line of lines) terminal.out(line);
}

/** The target file, and beside it the key that the tokens are signed with: it opens nothing but this server. */
function writeTarget(
  { tokens }: Server,
  addresses: readonly Address[],
  clock: ClockKind,
  name: string,
  terminal: Terminal,
): void {
  const path = within(terminal.cwd, name);
  const keyPath = `${path.replace(/\.ya?ml$/, '')}.key.json`;
  const key = JSON.stringify(tokens.keys.signing.export({ format: 'jwk' }));
  writeWhole(keyPath, `${key}\n`, 'secret');
  const signing = { alg: tokens.keys.alg, keyFile: basename(keyPath) };
  writeWhole(path, referenceTargetFile({ addresses, clock, signing }));
  terminal.out(`target file: ${name}`);
}

function assignmentOf({ gaps: file }: ServeFlags, terminal: Terminal): Assignment {
  if (file === undefined) return referenceAnswers;
  const read = readText(within(terminal.cwd, file));
  if (!read.ok) {
    throw usageFailure(`--gaps ${file}: ${read.reason}`, 'ids and answers: assay spec gaps');
  }
  const result = readAssignment({ file, text: read.text });
  if (result.ok) return result.assignment;
  throw new CommandFailure(renderSourceErrors(result.errors, read.text));
}

interface Journal {
  readonly write: (entry: JournalHead | Parameters<JournalSink>[0]) => void;
  readonly end: () => void;
}

function journalOf({ journal: name }: ServeFlags, terminal: Terminal): Journal | undefined {
  if (name === undefined) return undefined;
  try {
    const file = openSync(within(terminal.cwd, name), 'w', 0o600);
    return {
      write: (entry) => void writeSync(file, `${JSON.stringify(entry)}\n`),
      end: () => closeSync(file),
    };
  } catch (error) {
    throw usageFailure(`--journal ${name}: ${reasonOf(error)}`, 'name a file that can be written');
  }
}
