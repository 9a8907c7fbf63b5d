import type { Flags } from './flags.ts';
import { basename } from 'node:path';
import { assignmentOf, defaultPort } from './serve-flags.ts';
import { systemClock } from '../timeline/clock/system-clock.ts';
import { formatSeed } from '../random/seed.ts';
import { virtualClock } from '../timeline/clock/virtual-clock.ts';
import {
  type Address,
  buildServer,
  JournalMismatch,
  type Server,
} from '../reference/http/index.ts';
import { ordersOf } from '../reference/core/index.ts';
import { type Assignment, referenceAnswers } from '../spec/gaps/index.ts';
import { referenceTargetFile } from '../target/file/served-reference.ts';
import { checkStartMs, createReference } from '../target/embedded/create-reference.ts';
import {
  CommandFailure,
  type CommandInput,
  listenFailure,
  readAll,
  usageFailure,
} from './command.ts';
import { within, writeConfiguration } from './files.ts';
import { freshSeed } from '../run/fresh.ts';
import {
  type ClaimedJournal,
  claimJournal,
  contradictions,
  damageFailure,
  type Making,
} from './journal/open.ts';
import { findTamper } from './find-mutation.ts';
import { type ExitCode, forPeople, partyLines, type Terminal, untilStopped } from './terminal.ts';

export async function serve({ terminal: given, flags }: CommandInput): Promise<ExitCode> {
  if (flags.ui) return (await import('./cockpit/serve-ui.ts')).serveWithPage(flags, given);
  const terminal = forPeople(given, flags.json);
  const [assignment] = readAll(
    () => assignmentOf(flags, terminal),
    () => (flags.mutation === undefined ? undefined : findTamper(flags.mutation)),
  );
  const { journal: name } = flags;
  const claimed = name === undefined ? undefined : claimJournal(name, terminal);
  try {
    const making = makingOf(flags, assignment, claimed);
    return await serveWorld(making, flags, claimed, terminal, given.out);
  } catch (error) {
    throw error instanceof JournalMismatch ? damageFailure(name ?? '', error.damage) : error;
  } finally {
    claimed?.close();
  }
}

/** Settings of the command line; those of the journal if it exists already. Throws if the two contradict. */
function makingOf(
  flags: Flags,
  assignment: Assignment | undefined,
  claimed: ClaimedJournal | undefined,
): Making {
  const { clock, seed, mutation } = flags;
  const head = claimed?.head;
  if (!head) {
    return {
      clock: clock ?? 'system',
      seed: seed ?? freshSeed(),
      mutation,
      assignment: assignment ?? referenceAnswers,
    };
  }
  const wrong = contradictions(head, {
    ...(clock && { clock }),
    ...(seed !== undefined && { seed }),
    ...(mutation !== undefined && { mutation }),
    ...(flags.gaps !== undefined && assignment && { assignment }),
  });
  if (wrong.length > 0) {
    const next = 'leave these options out: the journal has them; or name another directory';
    throw usageFailure(`--journal ${flags.journal}: ${wrong.join('; ')}`, next);
  }
  const { origin, config } = head;
  return {
    clock: origin.clock,
    seed: BigInt(origin.seed),
    mutation: origin.mutation,
    assignment: config.assignment,
  };
}

async function serveWorld(
  making: Making,
  flags: Flags,
  claimed: ClaimedJournal | undefined,
  terminal: Terminal,
  print: Terminal['out'],
): Promise<ExitCode> {
  const { mutation } = making;
  const tamper = mutation === undefined ? undefined : findTamper(mutation);
  const clock =
    making.clock === 'system' ? systemClock() : virtualClock(claimed?.at ?? checkStartMs);
  const journal = await claimed?.open(making, clock.now());
  const world = createReference({
    ...making,
    clock,
    ...(tamper && { tamper }),
    ...(journal && { journal }),
  });
  const server = buildServer(world, {
    onInternalError(error) {
      const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
      terminal.err(`assay serve: a fault of ours: ${what}`);
    },
  });
  const addresses = await listen(server, flags);
  announce(addresses, making, terminal);
  if (journal) {
    const { epoch, notices } = journal;
    for (const notice of notices) terminal.err(`assay serve: ${notice}`);
    const orders = ordersOf(world.state()).length;
    const held = epoch === 1 ? 'begun' : `start ${epoch}, ${orders} orders in it`;
    terminal.out(`journal: ${flags.journal}, ${held}`);
  }
  if (flags.writeTarget !== undefined)
    writeTarget(server, addresses, making.clock, flags.writeTarget, terminal);
  if (flags.json) print(JSON.stringify(servedAt(addresses, making, flags)));
  const broken = await Promise.race([
    untilStopped(terminal),
    new Promise<string>((resolve) => claimed?.onBroken(resolve)),
  ]);
  await server.close();
  if (broken === undefined) return 0;
  throw new CommandFailure(
    `assay: --journal ${flags.journal}: ${broken}\n  next: look at that disk; what was answered so far is in the journal`,
    3,
  );
}

async function listen(
  server: Server,
  { port = defaultPort, host = '127.0.0.1', allowHost: allowedHosts }: Flags,
): Promise<readonly Address[]> {
  try {
    return await server.serve({ port, host, allowedHosts });
  } catch (error) {
    await server.close();
    throw listenFailure({ host, port }, error);
  }
}

/** Addresses and settings of the served parties, in the form of `--json`. */
function servedAt(
  addresses: readonly Address[],
  { seed, mutation, clock }: Making,
  { journal, writeTarget: file }: Flags,
) {
  const { origin } = new URL(addresses[0]?.baseUrl ?? '');
  return {
    seed: formatSeed(seed),
    clock,
    ...(mutation !== undefined && { mutation }),
    parties: addresses.map(({ party: { name, role }, baseUrl: base_url }) => ({
      name,
      role,
      base_url,
    })),
    ...(clock === 'virtual' && { clock_url: `${origin}/_sim/clock` }),
    faults_url: `${origin}/_sim/faults`,
    ...(journal !== undefined && { journal }),
    ...(file !== undefined && { target_file: file }),
  };
}

function announce(
  addresses: readonly Address[],
  { seed, mutation, clock }: Making,
  terminal: Terminal,
): void {
  const origin = new URL(addresses[0]?.baseUrl ?? '').origin;
  const altered = mutation ? `, mutation ${mutation}` : '';
  const lines = [
    `seed ${formatSeed(seed)}`,
    `the reference backend, on a ${clock} clock${altered}`,
    ...partyLines(addresses.map(({ party, baseUrl }) => ({ ...party, baseUrl }))),
    ...(clock === 'virtual'
      ? [`clock: GET ${origin}/_sim/clock, POST ${origin}/_sim/clock/advance`]
      : []),
    `faults: GET, POST ${origin}/_sim/faults`,
  ];
  for (const line of lines) terminal.out(line);
}

/** Writes the target file and, beside it, the signing key of the tokens. The key is valid for this server only. */
function writeTarget(
  { tokens }: Server,
  addresses: readonly Address[],
  clock: Making['clock'],
  name: string,
  terminal: Terminal,
): void {
  const path = within(terminal.cwd, name);
  const keyPath = `${path.replace(/\.ya?ml$/, '')}.key.json`;
  const key = JSON.stringify(tokens.keys.signing.export({ format: 'jwk' }));
  terminal.secrets.add(key);
  writeConfiguration(terminal.secrets, keyPath, `${key}\n`);
  const signing = { alg: tokens.keys.alg, keyFile: basename(keyPath) };
  writeConfiguration(terminal.secrets, path, referenceTargetFile({ addresses, clock, signing }));
  terminal.out(`target file: ${name}`);
}
