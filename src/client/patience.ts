import type { WireErrorCode } from '../history/records.ts';
import type { Clock } from '../timeline/clock/clock.ts';

/** A call that was not made, since its target leaves calls like it unanswered. */
export class NotAskedError extends Error {
  override readonly name = 'NotAskedError';
}

/** What tells calls apart that a target may leave unanswered. */
export interface CallKind {
  readonly party: string;
  /** The endpoint, or what stands for those that are none. */
  readonly what: string;
  /** Who makes it: a check, or a part of the engine. */
  readonly by: string;
}

/** How a call ended: unanswered where it was given up, or brought more than is read. */
export interface CallEnd {
  readonly error?: WireErrorCode | undefined;
  /** The target's time went on while it was waited for: that costs the run nothing. */
  readonly isFree?: boolean;
}

/** How long a target that leaves calls unanswered is borne with. All of its parties share it. */
export interface Patience {
  /** Why a call is made no more; undefined while it is. */
  reasonNotToAsk(kind: CallKind): string | undefined;
  /** Follows a call from its sending on; what it answers is told how the call ended. */
  begin(kind: CallKind): (end: CallEnd) => void;
  /** How much of a usual time, in host milliseconds, a call is given by now. */
  timeFor(ms: number): number;
  /** What is asked no more, for the report. */
  reasons(): readonly string[];
}

/**
 * Calls one after the other that show that more would be unanswered too: to one check, to all checks (of so many
 * different ones: what a single check asks may be odd), and to a party whatever it is asked.
 */
const inARow = { ofCheck: 3, checks: 3, ofParty: 8 } as const;
/** In all, in host milliseconds: a run is to end within three minutes beyond its waits. */
const mostSilentMs = 100_000;
/** An answer that took so long is as much of a burden as none. */
const slowMs = 5_000;
/** Calls that are waited for in full; others for a while that is long beside all answers so far. */
const inFull = 3;
const afterwards = { leastMs: 3_000, timesSlowest: 3 } as const;

const unanswered: readonly (WireErrorCode | undefined)[] = ['timeout', 'too_large', 'aborted'];

/** Calls without an answer since the last one that had one. */
interface Silence {
  count: number;
  /** When the last that is counted ended: those that were under way by then say nothing more. */
  lastEnd: number;
  readonly by: Set<string>;
}

/** @param clock the host's */
export function createPatience(clock: Pick<Clock, 'now'>): Patience {
  const silences = new Map<string, Silence>();
  const givenUp = new Map<string, string>();
  let silentMs = 0;
  let silentUntil = Number.NEGATIVE_INFINITY;
  let waitedInFull = 0;
  let slowestMs = 0;

  const keysOf = ({ party, what, by }: CallKind) => ({
    ofCheck: `${party} ${what} ${by}`,
    checks: `${party} ${what}`,
    ofParty: party,
  });

  function noteSilence(key: string, by: string, began: number): Silence {
    const silence = silences.get(key) ?? { count: 0, lastEnd: began, by: new Set() };
    silences.set(key, silence);
    if (began < silence.lastEnd) return silence;
    silence.count += 1;
    silence.lastEnd = clock.now();
    silence.by.add(by);
    return silence;
  }

  function giveUp(key: string, reason: string): void {
    if (!givenUp.has(key)) givenUp.set(key, reason);
  }

  function noteUnanswered(kind: CallKind, began: number): void {
    const { party, what, by } = kind;
    const keys = keysOf(kind);
    if (noteSilence(keys.ofCheck, by, began).count >= inARow.ofCheck)
      giveUp(
        keys.ofCheck,
        `${inARow.ofCheck} calls in a row to ${what} of ${party} had no answer of use`,
      );
    if (noteSilence(keys.checks, by, began).by.size >= inARow.checks)
      giveUp(
        keys.checks,
        `${what} of ${party} was asked no more: ${inARow.checks} checks in a row had no answer of use`,
      );
    if (noteSilence(keys.ofParty, by, began).count >= inARow.ofParty)
      giveUp(
        keys.ofParty,
        `${party} was asked no more: ${inARow.ofParty} calls in a row had no answer of use`,
      );
  }

  /** Calls side by side are waited for at once. */
  function noteBurden(began: number, ended: number): void {
    silentMs += ended - Math.max(began, Math.min(silentUntil, ended));
    silentUntil = Math.max(silentUntil, ended);
  }

  const everything = (): string | undefined =>
    silentMs > mostSilentMs
      ? `nothing was asked any more: answers had been waited for in vain, or for long, for ${mostSilentMs / 1_000} s in all`
      : undefined;

  return {
    reasonNotToAsk(kind) {
      const keys = keysOf(kind);
      return (
        everything() ??
        givenUp.get(keys.ofParty) ??
        givenUp.get(keys.checks) ??
        givenUp.get(keys.ofCheck)
      );
    },
    begin(kind) {
      const began = clock.now();
      return ({ error, isFree = false }) => {
        const ended = clock.now();
        const isSilence = unanswered.includes(error);
        if (!isFree && (isSilence || ended - began >= slowMs)) noteBurden(began, ended);
        if (isSilence) {
          if (!isFree && ended - began >= slowMs) waitedInFull += 1;
          noteUnanswered(kind, began);
          return;
        }
        if (!isFree) slowestMs = Math.max(slowestMs, ended - began);
        for (const key of Object.values(keysOf(kind))) silences.delete(key);
      };
    },
    timeFor(ms) {
      if (waitedInFull < inFull) return ms;
      const { leastMs, timesSlowest } = afterwards;
      return Math.min(ms, Math.max(leastMs, timesSlowest * slowestMs));
    },
    reasons: () => {
      const all = everything();
      const lasting = [...givenUp].filter(([key]) => key.split(' ').length <= 2);
      return [...(all === undefined ? [] : [all]), ...lasting.map(([, reason]) => reason)];
    },
  };
}
