import type { Flags } from './flags.ts';
import { environmentRules, type Route } from '../client/http/route.ts';
import { type ChosenTarget, type OpenFailure, type OpenOptions, openTarget } from '../run/open.ts';
import { readTarget } from '../run/target-file.ts';
import { formatSeed } from '../random/seed.ts';
import { freshRunId } from '../run/fresh.ts';
import { castNames } from '../spec/requirements/requirement.ts';
import type { OpenedTarget } from '../target/opened-target.ts';
import type { PartyUrl } from '../target/remote/base-urls.ts';
import { urlProblem } from '../target/file/values.ts';
import { suggestion } from '../yaml/index.ts';
import type { RunEnd } from '../suite/engine/run-end.ts';
import { loggable, printable } from '../report/formats/escape.ts';
import { CommandFailure, openingFailure, unlessEnded, usageFailure } from './command.ts';
import { within } from './files.ts';
import type { Terminal } from './terminal.ts';

export function chooseTarget({ target, baseUrl }: Flags, terminal: Terminal): ChosenTarget {
  if (target !== undefined && baseUrl !== undefined) {
    throw usageFailure(
      '--target and --base-url exclude each other',
      'name every party in the target file, or every one with --base-url',
    );
  }
  if (target !== undefined) return targetFrom(target, terminal);
  return baseUrl === undefined
    ? { kind: 'embedded' }
    : { kind: 'urls', urls: readPartyUrls(baseUrl), route: environmentRoute(terminal) };
}

/** Addresses of a command line have no file that says more of the way to them. */
export const environmentRoute = ({ env }: Pick<Terminal, 'env'>): Route => ({
  proxy: environmentRules(env),
});

export type TargetFromFile = Extract<ChosenTarget, { readonly kind: 'file' }>;

export function targetFrom(name: string, terminal: Terminal): TargetFromFile {
  const read = readTarget(name, within(terminal.cwd, name), terminal.env);
  if (read.ok) {
    for (const secret of read.target.file.secrets) terminal.secrets.add(secret);
    return read.target;
  }
  if (read.kind === 'invalid') throw new CommandFailure(read.problem);
  const next = 'check the path, or let `assay init` write a target file';
  throw usageFailure(`--target ${name}: ${read.problem}`, next);
}

export function readPartyUrls(given: readonly string[]): readonly PartyUrl[] {
  const urls: PartyUrl[] = [];
  for (const text of given) {
    const url = readPartyUrl(text);
    if (typeof url === 'string') {
      const next = 'as in --base-url sender=http://127.0.0.1:9000';
      throw usageFailure(`--base-url ${text}: ${url}`, next);
    }
    if (url.name !== undefined && urls.some(({ name }) => name === url.name)) {
      throw usageFailure(`--base-url names ${url.name} twice`, 'give each party once');
    }
    urls.push(url);
  }
  return urls;
}

/** `name=URL` or a bare URL. A string is the problem. */
function readPartyUrl(text: string): PartyUrl | string {
  const named = /^([A-Za-z_-]+)=(.*)$/s.exec(text);
  const baseUrl = (named?.[2] ?? text).replace(/\/+$/, '');
  const problem = urlProblem(baseUrl);
  if (problem !== undefined) return problem;
  if (!named) return { baseUrl };
  const given = named[1] ?? '';
  const name = castNames.find((one) => one === given);
  if (name) return { name, baseUrl };
  const hint = suggestion(given, castNames) ?? `one of ${castNames.join(', ')}`;
  return `${JSON.stringify(given)} is not of the cast; ${hint}`;
}

const givenAgain =
  'note  a target that has seen this --run-id has orders with its identifiers already, and may refuse them (exit code 3)';

/**
 * Prints the seed of a run and its run id: choices are drawn from the seed, identifiers from the run id as well.
 * @returns the run id, new for each run against a target unless `--run-id` is given; undefined for the reference, whose
 * requests are fixed by the seed
 */
export function announceRun(
  { seed, runId }: { readonly seed: bigint; readonly runId?: string },
  chosen: ChosenTarget,
  say: (line: string) => void,
): string | undefined {
  const own = runId ?? (chosen.kind === 'embedded' ? undefined : freshRunId());
  say(`seed ${formatSeed(seed)}`);
  if (own !== undefined) say(`run ${own}`);
  if (runId !== undefined && chosen.kind !== 'embedded') say(givenAgain);
  return own;
}

/** Options for opening the target of a command: its registry of secrets, and the signal that stops it. */
export type Opening = OpenOptions &
  Required<Pick<OpenOptions, 'secrets'>> & {
    readonly runEnd: RunEnd;
    /** Present if the command writes a report even if the target cannot be reached. */
    readonly reporting?: Pick<Terminal, 'err' | 'date'>;
  };

/** If the target cannot be reached, the run ends, so that its report says so. Every other failure ends the command. */
export function targetOfFailure(
  failure: OpenFailure,
  runEnd: RunEnd,
  reporting: Opening['reporting'],
): OpenedTarget {
  const shown = openingFailure(failure);
  if (failure.kind === 'misconfigured' || !reporting) throw shown;
  reporting.err(loggable(printable(shown.message)));
  const detail = 'the target could not be reached';
  runEnd.end({ reason: 'target_gone', at: reporting.date(), detail });
  return failure.target;
}

export async function withTarget<T>(
  chosen: ChosenTarget,
  seed: bigint,
  { runEnd, reporting, ...options }: Opening,
  act: (target: OpenedTarget) => Promise<T>,
): Promise<T> {
  const opening = await unlessEnded(runEnd, openTarget(chosen, seed, options));
  const target = opening.ok ? opening.target : targetOfFailure(opening, runEnd, reporting);
  try {
    return await act(target);
  } finally {
    await target.close();
  }
}
