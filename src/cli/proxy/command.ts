import { createTap, type Tap } from '../../proxy/tap.ts';
import { type Relay, startRelay } from '../../proxy/relay.ts';
import { printable, printableValue } from '../../report/formats/escape.ts';
import { createPaint, type Paint } from '../../report/formats/text-layout.ts';
import { partName } from '../../report/index.ts';
import { count } from '../../report/labels.ts';
import type { Violation } from '../../run/watch-session.ts';
import type { TargetFile } from '../../target/file/target-file.ts';
import { movedTargetFile } from '../../target/file/draft-target-file.ts';
import { systemClock } from '../../timeline/clock/system-clock.ts';
import { targetFrom, type TargetFromFile } from '../choose-target.ts';
import { type CommandInput, listenFailure, usageFailure } from '../command.ts';
import { outFailure, within, writeConfiguration } from '../files.ts';
import type { Flags } from '../flags.ts';
import { rulesWith } from '../own-rules.ts';
import { colourOf, type ExitCode, type Terminal, untilStopped } from '../terminal.ts';
import type { SessionEnd } from './session.ts';
import { startWatcher } from './watcher.ts';

const defaultPort = 9100;
/** A session that is stopped ends soon, however much of a flood still waits to be read. */
const mostBehindMs = 20_000;

/** Relays requests between clients and backends until it is stopped, and judges the traffic. */
export async function proxy({ terminal, flags }: CommandInput): Promise<ExitCode> {
  const { json, out } = flags;
  const chosen = targetOf(flags, terminal);
  const clock = systemClock();
  const paint = createPaint(colourOf(terminal));
  const say = (event: string, told: object): void =>
    terminal.out(JSON.stringify({ event, at: terminal.date(), ...told }));
  let violations = 0;
  let tap: Tap | undefined;
  let onBroken: (error: unknown) => void = () => {};
  const broken = new Promise<unknown>((resolve) => (onBroken = resolve));
  const inputs = {
    target: chosen.file,
    rules: await rulesWith(flags.checks, terminal.cwd),
    startedAt: terminal.date(),
    ...(out !== undefined && { out: within(terminal.cwd, out) }),
  };
  const watcher = await orOutFailure(out, async () =>
    startWatcher(inputs, clock, {
      onRead: (bytes) => tap?.read(bytes),
      onBroken: (error) => onBroken(error),
      onViolation(found: Violation) {
        if (found.outcome === 'fail') violations += 1;
        if (json) say('violation', found);
        else terminal.out(`\n${terminal.date()}  ${violationText(found, paint)}`);
      },
    }),
  );
  tap = createTap(clock, (batch) => watcher.take(batch));
  const relays = await startAll(chosen, flags, tap).catch(async (error: unknown) => {
    await watcher.drop();
    throw error;
  });
  const baseUrls = new Map(relays.map(({ party, baseUrl }) => [party, baseUrl]));
  if (json) say('listening', { parties: Object.fromEntries(baseUrls) });
  else {
    terminal.out(`between clients and ${chosen.file.name}; everything passes as it is`);
    terminal.out(relaysText(relays, chosen.file));
  }
  if (flags.writeTarget !== undefined) {
    const path = within(terminal.cwd, flags.writeTarget);
    writeConfiguration(terminal.secrets, path, movedTargetFile(chosen, path, baseUrls));
    if (!json) terminal.out(`target file: ${flags.writeTarget}`);
  }
  const failure = await Promise.race([untilStopped(terminal), broken]);
  await Promise.all(relays.map((relay) => relay.close()));
  const end = await orOutFailure(out, async () => {
    if (failure !== undefined) throw failure;
    await tap.drain(mostBehindMs);
    return watcher.end(terminal.date());
  });
  if (json) say('end', { ...end, violations });
  else terminal.out(endText(end, violations, out));
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

/** Errors of the file system are about the output folder. All other errors are our own bugs. */
async function orOutFailure<T>(out: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isFile = out !== undefined && error instanceof Error && 'code' in error;
    throw isFile ? outFailure(out, error) : error;
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
    const listen = { host, port: port === 0 ? 0 : port + index, allowedHosts };
    try {
      relays.push(await startRelay({ party, baseUrl, listen, tap, route }));
    } catch (error) {
      await Promise.all(relays.map((relay) => relay.close()));
      throw listenFailure(listen, error, 'try --port 0 for free ones');
    }
  }
  return relays;
}

const longest = 400;

function brief(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  const line = text.replace(/\s+/g, ' ');
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

/** A violation as text for a terminal. Text of a backend is escaped, so that the terminal never executes it. */
function violationText(found: Violation, paint: Paint): string {
  const { rule, requirement, part, outcome, message, expected, actual, evidence } =
    printableValue(found);
  const shown = (name: string, value: unknown): string[] =>
    value === undefined ? [] : [`    ${name.padEnd(8)}  ${brief(value)}`];
  return [
    `${paint.verdict(outcome, outcome === 'fail' ? 'FAIL' : 'WARNING')}  ${requirement} (${partName(part)}): ${brief(message)}`,
    ...shown('expected', expected),
    ...shown('actual', actual),
    ...evidence.flatMap(({ id, party, what, sent, received }) => [
      `    > ${party}  ${brief(what)}  ${id}`,
      ...(sent === undefined ? [] : [`      sent      ${brief(sent)}`]),
      ...(received === undefined ? [] : [`      received  ${brief(received)}`]),
    ]),
    `    by the rule ${rule}`,
  ].join('\n');
}

/** Lists the address of each party's relay and the backend behind it. */
function relaysText(relays: readonly Relay[], { participants }: TargetFile): string {
  const widthOf = (key: 'party' | 'baseUrl'): number =>
    Math.max(...relays.map((one) => one[key].length));
  const [name, address] = [widthOf('party'), widthOf('baseUrl')];
  const lines = relays.map(({ party, baseUrl }) => {
    const backend = participants.find((one) => one.name === party);
    return `  ${party.padEnd(name)}  ${baseUrl.padEnd(address)}  to ${backend?.baseUrl}`;
  });
  return lines.join('\n');
}

function endText(end: SessionEnd, violations: number, out: string | undefined): string {
  const { exchanges, streams, unreachable, notes, written } = end;
  return [
    '',
    `${count(exchanges, 'exchange')}, ${count(streams, 'stream')} among them; ${violations === 0 ? 'no violation was found' : `${count(violations, 'violation')} found`}`,
    ...(unreachable > 0
      ? [`${count(unreachable, 'request')} did not reach a backend: the proxy answered 502 itself`]
      : []),
    ...notes.map((note) => `note: ${printable(note)}`),
    ...(written.length > 0 ? [`${out}: ${written.join(', ')}`] : []),
  ].join('\n');
}
