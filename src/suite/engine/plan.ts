import type { Target } from '../../client/contract.ts';
import type { Needs } from '../../spec/requirements/index.ts';
import type { Check } from './check.ts';
import type { Lack } from '../../results/coverage-report.ts';
import type { Catalogue } from '../../results/source-report.ts';

/** True if the whole text matches the pattern: `*` stands for any text, `?` for one character. */
export function globMatches(pattern: string, text: string): boolean {
  // Iterative with one backtracking point, so that the cost is at most pattern length times text length.
  let p = 0;
  let t = 0;
  let star = -1;
  let retry = 0;
  while (t < text.length) {
    if (pattern[p] === '*') {
      star = p;
      retry = t;
      p += 1;
    } else if (pattern[p] === '?' || pattern[p] === text[t]) {
      p += 1;
      t += 1;
    } else if (star >= 0) {
      retry += 1;
      p = star + 1;
      t = retry;
    } else return false;
  }
  while (pattern[p] === '*') p += 1;
  return p === pattern.length;
}

/** The parts of a target that a plan depends on. */
export type Scope = Pick<Target, 'parties' | 'clock' | 'controls' | 'signing'>;

export interface PlannedCheck {
  readonly check: Check;
  /** Reasons why it cannot run here; empty: it runs. */
  readonly outOfScope: readonly string[];
  /** The reasons as data. */
  readonly lacks: readonly Lack[];
  readonly waitMs: number;
}

export interface Plan {
  /** The selected checks, in the order of the suite. */
  readonly checks: readonly PlannedCheck[];
  /** Patterns that select nothing: most likely misspelled. */
  readonly unmatched: readonly string[];
  /** The longest single wait among the checks that run, of target time. */
  readonly longestWaitMs: number;
  readonly longestWaitOf?: string;
}

/** Usual cost of a check: host time besides waiting, and number of requests. */
const usual = { busyMs: { system: 10, controlled: 15, virtual: 5 }, requests: 14 } as const;

/**
 * A rough estimate of a run's host time in milliseconds, for a person. While some checks wait, the others send. On a
 * driven clock, waits cost next to nothing.
 * @param ratePerSecond maximum number of requests in a second, if that is bounded
 */
export function expectedWallMs(
  { checks, longestWaitMs }: Plan,
  kind: Scope['clock']['kind'],
  ratePerSecond = Number.POSITIVE_INFINITY,
): number {
  const running = checks.filter(({ outOfScope: reasons }) => reasons.length === 0).length;
  const sendingMs = (running * usual.requests * 1_000) / ratePerSecond;
  const waitingMs = kind === 'system' ? longestWaitMs : 0;
  return Math.max(sendingMs, waitingMs) + running * usual.busyMs[kind];
}

const seconds = (ms: number): string => `${ms / 1000} s`;

/** Needs that a target does not meet; empty if it meets all. */
function lacksOf(needs: Needs, scope: Scope): Lack[] {
  const waitMs = needs.waitMs ?? 0;
  return [
    // A check may name a party twice, in two parts that it plays.
    ...[...new Set(needs.parties)].flatMap((party) => (scope.parties[party] ? [] : [{ party }])),
    ...(waitMs > scope.clock.maxWaitMs ? [{ wait_ms: waitMs }] : []),
    ...(needs.controls ?? []).flatMap((control) => (scope.controls[control] ? [] : [{ control }])),
    ...(needs.signing && !scope.signing ? [{ signing: true } as const] : []),
  ];
}

function reasonOf(lack: Lack, { clock }: Scope): string {
  if ('party' in lack) return `party ${lack.party} is not declared`;
  if ('control' in lack) return `control ${lack.control} is not offered`;
  if ('signing' in lack) return 'no signing key is offered';
  return `it waits ${seconds(lack.wait_ms)}, longer than max_wait (${seconds(clock.maxWaitMs)})`;
}

/** Reasons why these needs cannot be met on a target; empty if they can. */
export const outOfScope = (needs: Needs, scope: Scope): string[] =>
  lacksOf(needs, scope).map((lack) => reasonOf(lack, scope));

/** Names that select a check: its id, a requirement, a part ("4" includes "4.2") or a party. */
function namesOf(check: Check, catalogue: Catalogue): readonly string[] {
  const parts = check.requirements.flatMap((id) => {
    const part = catalogue[id]?.part;
    return part === undefined ? [] : [part, part.split('.')[0] ?? part];
  });
  return [check.id, ...check.requirements, ...parts, ...check.needs.parties];
}

/** True if the pattern selects the check. */
export const selects = (pattern: string, check: Check, catalogue: Catalogue): boolean =>
  namesOf(check, catalogue).some((name) => globMatches(pattern, name));

/** One of several parts of the checks that were selected, which together are all of them. */
export interface Shard {
  /** Group size: of each group of this many checks, the shard takes some. */
  readonly of: number;
  /** First place in the group that it takes, counted from 0. */
  readonly from: number;
  /** The place after the last one that it takes. */
  readonly to: number;
}

/** Splits the values of `--only`, which may be repeated and may contain commas. */
export const patternsOf = (given: readonly string[]): string[] =>
  given.flatMap((text) => text.split(',')).flatMap((text) => (text.trim() ? [text.trim()] : []));

/** The checks that would run on a target, and those that would not, with reasons. Pure: `--dry-run` shows this. */
export function plan(
  checks: readonly Check[],
  scope: Scope,
  catalogue: Catalogue,
  only: readonly string[] = [],
  shard: Shard = { of: 1, from: 0, to: 1 },
): Plan {
  const patterns = patternsOf(only);
  const selected = checks.filter(
    (check) =>
      patterns.length === 0 || patterns.some((pattern) => selects(pattern, check, catalogue)),
  );
  const chosen = selected.filter((_, place) => {
    const there = place % shard.of;
    return there >= shard.from && there < shard.to;
  });
  const planned = chosen.map((check) => ({
    check,
    outOfScope: outOfScope(check.needs, scope),
    lacks: lacksOf(check.needs, scope),
    waitMs: check.needs.waitMs ?? 0,
  }));
  const running = planned.filter((each) => each.outOfScope.length === 0);
  const longest = running.reduce<PlannedCheck | undefined>(
    (most, each) => (each.waitMs > (most?.waitMs ?? 0) ? each : most),
    undefined,
  );
  return {
    checks: planned,
    unmatched: patterns.filter(
      (pattern) => !checks.some((check) => selects(pattern, check, catalogue)),
    ),
    longestWaitMs: longest?.waitMs ?? 0,
    ...(longest && { longestWaitOf: longest.check.id }),
  };
}

/** A moment of a run at which the checks that ask for it (`Check.ages`) are run once more. */
export interface Age {
  /** Text for the end of a sentence: `11 minutes into the run`. */
  readonly called: string;
  /** On the timeline. */
  readonly at: number;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Longer than caches of some minutes, sessions of ten, and tokens of an hour. */
const minutes = [4, 11, 61] as const;

/** Milliseconds after midnight at which every backend shows the new day. */
const afterMidnightMs = 1_000;

const isNewMonth = (instant: number): boolean => new Date(instant).getUTCDate() === 1;

/** Ages of a run that begins now: fixed spans, the next midnight on the target's clock, and a month's end if near. */
export function agesOf({ timeline, clock }: Pick<Target, 'timeline' | 'clock'>): readonly Age[] {
  const now = timeline.now();
  const today = Math.floor((now + clock.offset.most) / dayMs);
  const [first = 0, second = 0] = [1, 2].map((days) => (today + days) * dayMs);
  const turns = isNewMonth(second) ? [first, second] : [first];
  return [
    ...minutes.map((count) => ({
      called: `${count} minutes into the run`,
      at: now + count * minuteMs,
    })),
    ...turns.map((instant) => ({
      called: `at the beginning of a ${isNewMonth(instant) ? 'month' : 'day'} (UTC)`,
      at: instant - clock.offset.least + afterMidnightMs,
    })),
  ];
}

/** The checks that are run again at the n-th age, counted from 0. */
export function repeatedAt<C extends { readonly check: Check }>(
  planned: readonly C[],
  n: number,
): readonly C[] {
  const inTurns = planned.filter(({ check }) => check.ages === 'in_turns');
  const now = new Set(inTurns.filter((_, place) => (place + n) % 2 === 0));
  return planned.filter((each) => each.check.ages === true || now.has(each));
}
