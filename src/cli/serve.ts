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
import type { CommandInput } from './command.ts';
import { within, writeWhole } from './files.ts';
import { findTamper } from './find-mutation.ts';
import { seedOf } from './seed.ts';
import type { ExitCode, Terminal } from './terminal.ts';
import { complain } from './complain.ts';

interface ServeFlags {
  readonly port?: number;
  readonly host?: string;
  readonly clock?: 'system' | 'virtual';
  readonly gaps?: string;
  readonly mutation?: string;
  readonly journal?: string;
  readonly writeTarget?: string;
  readonly seed?: bigint | 'random';
}

const defaultPort = 9000;

/** Runs the reference until it is told to stop. */
export async function serve({ terminal, options }: CommandInput): Promise<ExitCode> {
  const flags = options as ServeFlags;
  const assignment = assignmentOf(flags, terminal);
  const tamper = findTamper(flags.mutation, terminal);
  if (!assignment || tamper === 'unknown') return 2;
  const seed = seedOf(flags.seed);
  const kind = flags.clock ?? 'system';
  const journal = journalOf(flags, terminal);
  if (journal === 'refused') return 2;
  const world = createReference({
    clock: kind === 'system' ? systemClock() : virtualClock(referenceStartMs),
    seed,
    assignment,
    ...(tamper && { tamper }),
    ...(journal && { journal: journal.sink }),
  });
  journal?.head(journalHead(world.config));
  const server = buildServer(world, {
    onInternalError: (error) => terminal.err(`assay serve: a fault of ours: ${describe(error)}`),
  });
  const addresses = await listen(server, flags, terminal);
  if (!addresses) return 2;
  announce(server, addresses, kind, formatSeed(seed), flags, terminal);
  await stopped(terminal);
  await server.close();
  journal?.end();
  return 0;
}

const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

const stopped = (terminal: Terminal): Promise<void> =>
  new Promise((resolve) => {
    terminal.onStop(resolve);
  });

async function listen(
  server: Server,
  flags: ServeFlags,
  terminal: Terminal,
): Promise<readonly Address[] | undefined> {
  const port = flags.port ?? defaultPort;
  const host = flags.host ?? '127.0.0.1';
  try {
    return await server.serve({ port, host });
  } catch (error) {
    await server.close();
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const reason = code === 'EADDRINUSE' ? 'the port is taken' : reasonOf(error);
    complain(
      terminal,
      `cannot listen on ${host}:${port}: ${reason}`,
      'try --port 0 for a free one',
    );
    return undefined;
  }
}

function announce(
  server: Server,
  addresses: readonly Address[],
  kind: 'system' | 'virtual',
  seed: string,
  flags: ServeFlags,
  terminal: Terminal,
): void {
  const origin = new URL(addresses[0]?.baseUrl ?? '').origin;
  const width = Math.max(...addresses.map(({ party }) => party.name.length));
  terminal.out(`seed ${seed}`);
  terminal.out(
    `the reference backend, on a ${kind} clock${flags.mutation ? `, mutation ${flags.mutation}` : ''}`,
  );
  for (const { party, baseUrl } of addresses) {
    terminal.out(`  ${party.name.padEnd(width)}  ${party.role.padEnd(12)}  ${baseUrl}`);
  }
  if (kind === 'virtual')
    terminal.out(`clock: GET ${origin}/_sim/clock, POST ${origin}/_sim/clock/advance`);
  terminal.out(`faults: GET, POST ${origin}/_sim/faults`);
  if (flags.writeTarget !== undefined)
    writeTarget(server, addresses, kind, flags.writeTarget, terminal);
}

/** The target file, and beside it the key that the tokens are signed with: it opens nothing but this server. */
function writeTarget(
  { tokens }: Server,
  addresses: readonly Address[],
  clock: 'system' | 'virtual',
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

function assignmentOf(flags: ServeFlags, terminal: Terminal): Assignment | undefined {
  if (flags.gaps === undefined) return referenceAnswers;
  const read = readText(within(terminal.cwd, flags.gaps));
  if (!read.ok) {
    complain(terminal, `--gaps ${flags.gaps}: ${read.reason}`, 'ids and answers: assay spec gaps');
    return undefined;
  }
  const result = readAssignment({ file: flags.gaps, text: read.text });
  if (result.ok) return result.assignment;
  terminal.err(renderSourceErrors(result.errors, read.text));
  return undefined;
}

interface Journal {
  readonly sink: JournalSink;
  head(head: JournalHead): void;
  end(): void;
}

function journalOf(flags: ServeFlags, terminal: Terminal): Journal | undefined | 'refused' {
  if (flags.journal === undefined) return undefined;
  try {
    const file = openSync(within(terminal.cwd, flags.journal), 'w', 0o600);
    const line = (value: unknown): void => void writeSync(file, `${JSON.stringify(value)}\n`);
    return { sink: line, head: line, end: () => closeSync(file) };
  } catch (error) {
    complain(
      terminal,
      `--journal ${flags.journal}: ${reasonOf(error)}`,
      'name a file that can be written',
    );
    return 'refused';
  }
}
