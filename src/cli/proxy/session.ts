import type { HistoryRecord } from '../../history/records.ts';
import { createSecrets } from '../../history/secrets/secrets.ts';
import type { Rule } from '../../oracle/index.ts';
import type { PassedBatch } from '../../proxy/passed.ts';
import { exitCodeOfReport, historyFiles, type RunReport } from '../../report/index.ts';
import { scenarioOfSession } from '../../run/session-scenario.ts';
import { type Violation, watchSession } from '../../run/watch-session.ts';
import type { RunOutcome } from '../../results/verdicts.ts';
import type { TargetFile } from '../../target/file/target-file.ts';
import type { Clock } from '../../timeline/clock/clock.ts';
import { writeAll } from '../files.ts';
import { historyDraft } from '../history-draft.ts';
import type { ExitCode } from '../terminal.ts';
import { reportPage, reportTexts } from '../report-files.ts';

/** Target, rules and folder of a session. A thread can be sent the inputs only if they hold no own rules. */
export interface SessionInputs {
  readonly target: TargetFile;
  /** Absent: the rules of the suite. */
  readonly rules?: readonly Rule[] | undefined;
  readonly startedAt: string;
  /** Output folder of the session, an absolute path. Absent: nothing is written. */
  readonly out?: string;
}

export interface SessionEnd {
  readonly exchanges: number;
  readonly streams: number;
  /** Requests that the proxy answered itself, since the backend could not be reached. */
  readonly unreachable: number;
  readonly outcome: RunOutcome;
  readonly exitCode: ExitCode;
  /** Parts that were not judged, and parts that the session's scenario leaves out. */
  readonly notes: readonly string[];
  /** Names of the files in `out`. */
  readonly written: readonly string[];
}

/** Minimum pause after a judgement, in milliseconds. The pause is `restTimes` times its duration if that is longer. */
const restMs = 1_000;
const restTimes = 3;

/** Number of exchanges kept for the scenario: more than a scenario takes. */
const keptForScenario = 1_000;

/** Reads, judges and writes one session while it goes on. After `end` the caller hands over no more batches. */
export function startSession(
  { target, rules, startedAt, out }: SessionInputs,
  clock: Clock,
  onViolation: (violation: Violation) => void,
) {
  const started = clock.now();
  let finishedAt = startedAt;
  const secrets = createSecrets();
  for (const secret of target.secrets) secrets.add(secret);
  const file = out === undefined ? undefined : historyDraft(out, secrets);
  const first: HistoryRecord[] = [];
  const watch = watchSession({
    target,
    ...(rules && { rules }),
    name: target.name,
    startedAt,
    startedWallMs: started,
    date: () => finishedAt,
    wallMs: () => clock.now(),
    secrets,
    onViolation,
    onRecords(records) {
      file?.add(records);
      if (out === undefined || first.length > keptForScenario) return;
      first.push(...records.filter(({ kind }) => kind === 'exchange'));
    },
  });
  let isArmed = false;
  let rest = restMs;

  function judgeSoon(afterMs: number): void {
    if (isArmed) return;
    isArmed = true;
    clock.at(clock.now() + afterMs, () => {
      isArmed = false;
      const began = clock.now();
      watch.judge();
      if (!watch.hasNews()) return;
      rest = Math.max(restMs, restTimes * (clock.now() - began));
      judgeSoon(rest);
    });
  }

  /** @returns the names of the files, and the part of the session that its scenario leaves out */
  function write(folder: string, report: RunReport) {
    const scenario = scenarioOfSession(secrets.maskHistory({ records: first }).records, target);
    const files = [
      ...reportTexts(report),
      ['report.html', reportPage(report, historyFiles(watch.records, report, secrets).page)],
      ...(scenario?.text === undefined ? [] : [['session.yaml', scenario.text] as const]),
    ] as const;
    try {
      writeAll(secrets, folder, files);
      file?.keep();
    } finally {
      file?.drop();
    }
    return {
      written: [...files.map(([name]) => name), 'history.jsonl'],
      leftOut: scenario?.leftOut,
    };
  }

  return {
    /** Nothing passed, and nothing is to be written. */
    drop: () => file?.drop(),
    take(batch: PassedBatch): void {
      watch.take(batch);
      if (watch.hasNews()) judgeSoon(rest);
    },
    /** Judges the rest and writes the session. Throws errors of the file system. */
    end(at: string): SessionEnd {
      finishedAt = at;
      const report = watch.report();
      const { written, leftOut } =
        out === undefined ? { written: [], leftOut: undefined } : write(out, report);
      const more = leftOut === undefined ? [] : [`session.yaml leaves out ${leftOut}`];
      return {
        ...watch.counts(),
        outcome: report.outcome,
        exitCode: exitCodeOfReport(report),
        notes: [...(report.notes ?? []), ...more],
        written,
      };
    },
  };
}
