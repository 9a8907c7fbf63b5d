import { formatTimestamp } from '../../spec/forms.ts';
import { fillTemplate } from '../file/clock-section.ts';
import type { ClockSection } from '../file/target-file.ts';
import {
  atPointer,
  type HelperAnswer,
  type HelperWay,
  helperClient,
  jsonBody,
  parseJson,
} from '../remote/helper-http.ts';

type Section = Extract<ClockSection, { readonly kind: 'controlled' }>;

/** A problem of a driven clock. */
export interface ClockProblem {
  /** The field of the target file that it shows at. */
  readonly field: 'now' | 'advance';
  /** `unreachable`: nothing came, or the target is broken. `misconfigured`: the file or the clock is wrong. */
  readonly kind: 'unreachable' | 'misconfigured';
  readonly message: string;
  readonly expected?: string;
  readonly hint?: string;
}

/** The clock's address answered with no moment, or not at all: the run cannot go on. */
export class ClockUnusable extends Error {
  override readonly name = 'ClockUnusable';
  readonly problem: ClockProblem;

  constructor(problem: ClockProblem) {
    super(`clock.${problem.field}: ${problem.message}`);
    this.problem = problem;
  }
}

const momentForm =
  'whole milliseconds since 1970, or a timestamp with its zone such as "2030-01-01T00:00:00.000Z"';

/** A target's clock behind the addresses that its file names. Fails with `ClockUnusable`. */
export function drivenClock(
  section: Section,
  way: HelperWay = { route: {} },
): TriedClock & { close(): Promise<void> } {
  const line = helperClient(way);
  async function now(): Promise<number> {
    const { url, at } = section.now;
    const answer = await line.call('GET', url);
    const problem = answerProblem('now', `GET ${url}`, answer);
    if (problem) throw new ClockUnusable(problem);
    const text = answer.ok ? answer.text : '';
    const instant = instantAt(text, at);
    if (instant !== undefined) return instant;
    const where = at === '' ? '' : ` at ${at}`;
    throw new ClockUnusable({
      field: 'now',
      kind: 'misconfigured',
      message: `GET ${url} answered with no moment${where}: ${text.slice(0, 120)}`,
      expected: momentForm,
    });
  }

  let last: number | undefined;
  let asksAfterAdvance = false;
  return {
    close: () => line.close(),
    async now() {
      last = await now();
      return last;
    },
    async advance(ms) {
      const from = last ?? (await now());
      const { url, body } = fillTemplate(section.advance, {
        ms,
        now: from,
        to: from + ms,
        now_iso: formatTimestamp(from),
        to_iso: formatTimestamp(from + ms),
      });
      const answer = await line.call('POST', url, jsonBody(body ?? {}));
      const problem = answerProblem('advance', `POST ${url}`, answer);
      if (problem) throw new ClockUnusable(problem);
      // Most clocks answer an advance as they answer a reading; the others are asked.
      const told =
        answer.ok && !asksAfterAdvance ? instantAt(answer.text, section.now.at) : undefined;
      last = told ?? (await now());
      return last;
    },
    askAfterAdvance: () => {
      asksAfterAdvance = true;
    },
  };
}

function answerProblem(
  field: ClockProblem['field'],
  asked: string,
  answer: HelperAnswer,
): ClockProblem | undefined {
  if (!answer.ok) return { field, kind: 'unreachable', message: `${asked}: ${answer.message}` };
  const { status, text } = answer;
  if (status >= 200 && status <= 299) return undefined;
  const message = `${asked} answered ${status}: ${text.slice(0, 120)}`;
  // Of a backend that is busy or broken nothing is known, not even that the file is wrong.
  if (status >= 500 || status === 429) return { field, kind: 'unreachable', message };
  return { field, kind: 'misconfigured', message, hint: 'is this the address of the clock?' };
}

/** A clock that is yet to be tried. */
export interface TriedClock {
  /** Reads the clock, in milliseconds since the epoch. */
  now(): Promise<number>;
  /** See `DrivenClock`. */
  advance(ms: number): Promise<number>;
  /** The answer to an advance is not the clock's new time: from now on the clock is read after each advance. */
  askAfterAdvance(): void;
}

/** As far as a trial moves the clock: one that counts in whole seconds shows it, and little becomes due. */
const trialMs = 2_000;
/** A clock may round a moment to whole seconds. */
const roundingMs = 1_000;

/**
 * Moves a clock once, before anything leans on it, and answers where it stands then. Fails with `ClockUnusable` if it
 * does not do what it is told.
 * @param runs whether it goes on by itself as well
 * @param hostNow in milliseconds
 */
export async function tryClock(
  clock: TriedClock,
  runs: boolean,
  hostNow: () => number,
): Promise<number> {
  const since = hostNow();
  const from = await clock.now();
  const answered = await clock.advance(trialMs);
  const to = await clock.now();
  const ranMs = runs ? hostNow() - since : 0;
  const moved = to - from;
  if (answered < to - ranMs || answered > to) clock.askAfterAdvance();
  const unusable = (message: string, hint?: string): never => {
    throw new ClockUnusable({
      field: 'advance',
      kind: 'misconfigured',
      message: `told to go on by ${trialMs} ms, the clock ${message}`,
      expected: `clock.now ${trialMs} ms later`,
      ...(hint !== undefined && { hint }),
    });
  };
  const [start, end] = [from, to].map(formatTimestamp);
  if (moved < 0) return unusable(`went back from ${start} to ${end}`);
  if (moved === 0 || (runs && moved <= ranMs)) return unusable(`stands still at ${start}`);
  const units = 'is $ms, $to or $to_iso what the request takes, and clock.now in milliseconds?';
  if (moved <= trialMs / 100) return unusable(`went on by ${moved} ms only`, units);
  if (moved > trialMs + roundingMs + ranMs) {
    return unusable(`went on by ${moved} ms, from ${start} to ${end}`, units);
  }
  return to;
}

/** Long enough in host time for any clock that runs to show it. */
const watchMs = 50;

/**
 * True if a driven clock also runs by itself, as the host's clock with an offset does.
 * @param pause in host milliseconds
 */
export async function alsoRunsByItself(
  clock: Pick<TriedClock, 'now'>,
  pause: (ms: number) => Promise<void>,
): Promise<boolean> {
  const before = await clock.now();
  await pause(watchMs);
  return (await clock.now()) > before;
}

/** Host milliseconds between two readings that nobody needs to measure. */
const shortestMs = 1_000;

/**
 * A clock that goes on by itself, and how far it may be ahead of its last reading: as long as we ever took from asking
 * it to having asked it again, and no less than a second.
 * @param hostNow in milliseconds
 */
export function withDrift(
  advance: TriedClock['advance'],
  hostNow: () => number,
): { readonly advance: TriedClock['advance']; readonly aheadMs: () => number } {
  let askedAt = hostNow();
  let longest = shortestMs;
  const aheadMs = (): number => Math.max(longest, hostNow() - askedAt);
  return {
    async advance(ms) {
      const now = hostNow();
      const instant = await advance(ms);
      longest = aheadMs();
      askedAt = now;
      return instant;
    },
    aheadMs,
  };
}

/** A moment as whole milliseconds or as a timestamp, in JSON or as bare text. */
function instantAt(text: string, pointer: string): number | undefined {
  const value =
    pointer === '' ? (parseJson(text) ?? text.trim()) : atPointer(parseJson(text), pointer);
  if (typeof value === 'number') return isInstant(value) ? value : undefined;
  // Without its zone it would be read in that of this machine.
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/i.test(value))
    return undefined;
  const instant = Date.parse(value);
  return isInstant(instant) ? instant : undefined;
}

/** From 1970 to 9999: what a timestamp can say. */
const isInstant = (value: number): boolean =>
  Number.isSafeInteger(value) && value >= 0 && value < 253_402_300_800_000;
