import { observeGaps } from '../discovery/observe/observe-gaps.ts';
import { allRules } from '../oracle/index.ts';
import { viewOf } from '../oracle/trace/history-view.ts';
import type { HistoryRecord } from '../history/records.ts';
import type { SourceReport } from '../results/source-report.ts';
import { requirements } from '../spec/requirements/index.ts';
import { applyRules, ruleContext } from '../suite/engine/apply-rules.ts';
import type { OpenedTarget } from '../target/opened-target.ts';
import { systemClock } from '../timeline/clock/system-clock.ts';
import type { FindingShown, VerdictShown } from './view/messages.ts';

const mostFindings = 100;

const severity: Readonly<Record<FindingShown['outcome'], number>> = {
  fail: 0,
  warn: 1,
  inconclusive: 2,
};

/** Findings of the rules for the page, the worst first. */
export function verdictOf(rules: readonly SourceReport[], records: number): VerdictShown {
  const catalogue: Readonly<Record<string, { readonly part: string }>> = requirements;
  const found = rules
    .flatMap(({ failures }) => failures)
    .map(
      ({ outcome, requirement = '', message, expected, actual, exchanges }): FindingShown => ({
        outcome,
        requirement,
        part: catalogue[requirement]?.part ?? '',
        message,
        ...(expected !== undefined && { expected }),
        ...(actual !== undefined && { actual }),
        evidence: exchanges,
      }),
    )
    .sort((one, other) => severity[one.outcome] - severity[other.outcome]);
  const exercised = new Set(
    rules.flatMap(({ judged }) =>
      judged.filter((one) => one.exercised > 0).map((one) => one.requirement),
    ),
  );
  const shown = found.slice(0, mostFindings);
  return { records, exercised: exercised.size, findings: shown, more: found.length - shown.length };
}

/** Judges all records of a target so far, by every rule. */
export function judgeSoFar(target: OpenedTarget, disturbed: readonly string[]): VerdictShown {
  const records: readonly HistoryRecord[] = [...target.history.records];
  // A target with known gap answers does not use the observed ones.
  target.answers.learn(observeGaps({ records }, target.answers.declared));
  const context = ruleContext(target, new Set(disturbed));
  const rules = applyRules(allRules, () => viewOf({ records }, context), requirements);
  return verdictOf(rules, records.length);
}

/**
 * Minimum pause between two evaluations of the history, in host milliseconds; and the minimum pause as a multiple of
 * one evaluation.
 */
const leastPauseMs = 150;
const pauseFactor = 8;

export interface Judging {
  /** Called when something was recorded: the history is judged as soon as there is time. */
  stir(): void;
  stop(): void;
}

/** Judges repeatedly, but uses only a small part of the host's time. */
export function judging(judge: () => void): Judging {
  const host = systemClock();
  let cancel: (() => void) | undefined;
  let pauseMs = leastPauseMs;
  return {
    stir() {
      cancel ??= host.at(host.now() + pauseMs, () => {
        cancel = undefined;
        const began = host.now();
        judge();
        pauseMs = Math.max(leastPauseMs, pauseFactor * (host.now() - began));
      });
    },
    stop() {
      cancel?.();
      cancel = undefined;
    },
  };
}
