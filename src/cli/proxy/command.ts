import type { Flags } from '../flags.ts';
import { createPaint } from '../../report/formats/text-layout.ts';
import { reasonOf } from '../../run/read-text.ts';
import { type Relay, startRelay } from '../../proxy/relay.ts';
import { createTap, type Tap } from '../../proxy/tap.ts';
import type { Violation } from '../../run/watch-session.ts';
import { movedTargetFile } from '../../target/file/moved-target-file.ts';
import { systemClock } from '../../timeline/clock/system-clock.ts';
import { targetFrom, type TargetFromFile } from '../choose-target.ts';
import { type CommandInput, usageFailure } from '../command.ts';
import { outFailure, within, writeConfiguration } from '../files.ts';
import type { ExitCode, Terminal } from '../terminal.ts';
import type { SessionEnd, SessionInputs } from './session.ts';
import { endText, relaysText, violationText } from './text.ts';
import { rulesWith } from '../own-rules.ts';
import { startWatcher, type Watcher } from './watcher.ts';

const defaultPort = 9100;
/** A session that is stopped ends soon, however much of a flood still waits to be read. */
const mostBehindMs = 20_000;

/** Relays requests between clients and backends until it is stopped, and judges the traffic. */
export async function proxy({ terminal, flags }: CommandInput): Promise<ExitCode> {
  const chosen = targetOf(flags, terminal);
  const { json } = flags;
  const clock = systemClock();
  const paint = createPaint(terminal.hasColour ? 'colour' : 'plain');
  const say = (event: string, told: object): void =>
    terminal.out(JSON.stringify({ event, at: terminal.date(), ...told }));
  let violations = 0;
  let tap: Tap | undefined;
  let onBroken: (error: unknown) => void = () => {};
  const broken = new Promise<unknown>((resolve) => (onBroken = resolve));
  const rules = await rulesWith(flags.checks, terminal.cwd);
  const watcher = watcherOf(flags, { target: chosen.file, rules }, terminal, {
    onRead: (bytes) => tap?.read(bytes),
    onBroken: (error) => onBroken(error),
    onViolation(found: Violation) {
      if (found.outcome === 'fail') violations += 1;
      if (json) say('violation', found);
      else terminal.out(`\n${terminal.date()}  ${violationText(found, paint)}`);
    },
  });
  tap = createTap(clock, (batch) => watcher.take(batch));
  const relays = await startAll(chosen, flags, tap).catch(async (error: unknown) => {
    await watcher.drop();
    throw error;
  });
  if (json)
    say('listening', {
      parties: Object.fromEntries(relays.map(({ party, baseUrl }) => [party, baseUrl])),
    });
  else announce(relays, chosen, terminal);
  writeTarget(relays, chosen, flags, terminal);
  const failure = await Promise.race([
    new Promise<undefined>((resolve) => terminal.onStop(() => resolve(undefined))),
    broken,
  ]);
  await Promise.all(relays.map((relay) => relay.close()));
  if (failure !== undefined) throw asFailure(failure, flags);
  await tap.drain(mostBehindMs);
  const end = await endOf(watcher, flags, terminal);
  if (json) say('end', { ...end, violations });
  else terminal.out(endText(end, violations, flags.out));
  return end.exitCode;
}

function targetOf({ target }: Flags, terminal: Terminal): TargetFromFile {
  if (target === undefined) {
    throw usageFailure(
      '--target is missing',
      'name the file of the backends: assay proxy --target FILE',
    );
  }
  const chosen = targetFrom(target, terminal);
  if (chosen.file.clock.kind !== 'system') {
    throw usageFailure(
      `--target ${target}: its clock is driven, and what passes is judged by the time at which it passes`,
      'give a target file with `clock: { kind: system }`, for backends that run on wall time',
    );
  }
  return chosen;
}

function watcherOf(
  flags: Flags,
  judged: Pick<SessionInputs, 'target' | 'rules'>,
  terminal: Terminal,
  events: Parameters<typeof startWatcher>[2],
): Watcher {
  const { out } = flags;
  const inputs = {
    ...judged,
    startedAt: terminal.date(),
    ...(out !== undefined && { out: within(terminal.cwd, out) }),
  };
  try {
    return startWatcher(inputs, systemClock(), events);
  } catch (error) {
    throw asFailure(error, flags);
  }
}

/** Errors of the file system are about the output folder. All other errors are our own bugs. */
const asFailure = (error: unknown, { out }: Flags): unknown =>
  out !== undefined && error instanceof Error && 'code' in error ? outFailure(out, error) : error;

async function endOf(watcher: Watcher, flags: Flags, terminal: Terminal): Promise<SessionEnd> {
  try {
    return await watcher.end(terminal.date());
  } catch (error) {
    throw asFailure(error, flags);
  }
}

/** Opens one port for each party, in the order of the file. If one cannot be opened, the others are closed. */
async function startAll(
  { file }: TargetFromFile,
  { host = '127.0.0.1', port = defaultPort, allowHost: allowedHosts }: Flags,
  tap: Tap,
): Promise<readonly Relay[]> {
  const relays: Relay[] = [];
  for (const [index, { name: party, baseUrl, route }] of file.participants.entries()) {
    const own = port === 0 ? 0 : port + index;
    try {
      relays.push(
        await startRelay({
          party,
          baseUrl,
          listen: { host, port: own, allowedHosts },
          tap,
          route,
        }),
      );
    } catch (error) {
      await Promise.all(relays.map((relay) => relay.close()));
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      const reason = code === 'EADDRINUSE' ? 'the port is taken' : reasonOf(error);
      throw usageFailure(
        `cannot listen on ${host}:${own}: ${reason}`,
        'try --port 0 for free ones',
      );
    }
  }
  return relays;
}

function announce(relays: readonly Relay[], { file }: TargetFromFile, terminal: Terminal): void {
  const backends = new Map(file.participants.map(({ name, baseUrl }) => [name as string, baseUrl]));
  terminal.out(`between clients and ${file.name}; everything passes as it is`);
  terminal.out(relaysText(relays, backends));
}

function writeTarget(
  relays: readonly Relay[],
  chosen: TargetFromFile,
  { writeTarget: name, json }: Flags,
  terminal: Terminal,
): void {
  if (name === undefined) return;
  const path = within(terminal.cwd, name);
  const baseUrls = new Map(relays.map(({ party, baseUrl }) => [party, baseUrl]));
  writeConfiguration(terminal.secrets, path, movedTargetFile(chosen, path, baseUrls));
  if (!json) terminal.out(`target file: ${name}`);
}
