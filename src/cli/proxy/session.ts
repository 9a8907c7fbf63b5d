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

/** Result of a session. */
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

export interface Session {
  take(batch: PassedBatch): void;
  /** Judges the rest and writes the session. Throws errors of the file system. */
  end(finishedAt: string): SessionEnd;
  /** Nothing passed, and nothing is to be written. */
  drop(): void;
}

/** Minimum pause after a judgement, in milliseconds. The pause is `restTimes` times its duration if that is longer. */
const restMs = 1_000;
const restTimes = 3;

/** Number of exchanges kept for the scenario: more than a scenario takes. */
const keptForScenario = 1_000;

const historyName = 'history.jsonl';

/** Reads, judges and writes one session while it goes on. After `end` the caller hands over no more batches. */
export function startSession(
  { target, rules, startedAt, out }: SessionInputs,
  clock: Clock,
  onViolation: (violation: Violation) => void,
): Session {
  const started = clock.now();
  let finishedAt = startedAt;
  const secrets = createSecrets();
  for (const secret of target.secrets) secrets.add(secret);
  const file = out === undefined ? undefined : historyDraft(out, secrets);
  /** The first requests: the scenario is made of them. */
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

  function judgeSoon(afterMs: number): void {
    if (isArmed) return;
    isArmed = true;
    clock.at(clock.now() + afterMs, () => {
      isArmed = false;
      const began = clock.now();
      watch.judge();
      if (watch.hasNews()) judgeSoon(restAfter(began));
    });
  }
  let rest = restMs;
  function restAfter(began: number): number {
    rest = Math.max(restMs, restTimes * (clock.now() - began));
    return rest;
  }

  function reportFiles(report: RunReport) {
    const scenario = scenarioOfSession(secrets.maskHistory({ records: first }).records, target);
    return {
      files: [
        ...reportTexts(report),
        ['report.html', reportPage(report, historyFiles(watch.records, report, secrets).page)],
        ...(scenario?.text === undefined ? [] : [['session.yaml', scenario.text] as const]),
      ] as const,
      leftOut: scenario?.leftOut,
    };
  }

  return {
    drop: () => file?.drop(),
    take(batch) {
      watch.take(batch);
      if (watch.hasNews()) judgeSoon(rest);
    },
    end(at) {
      finishedAt = at;
      const report = watch.report();
      let [written, notes]: [readonly string[], readonly string[]] = [[], report.notes ?? []];
      if (out !== undefined) {
        const { files, leftOut } = reportFiles(report);
        try {
          writeAll(secrets, out, files);
          file?.keep();
        } finally {
          file?.drop();
        }
        written = [...files.map(([name]) => name), historyName];
        if (leftOut !== undefined) notes = [...notes, `session.yaml leaves out ${leftOut}`];
      }
      return {
        ...watch.counts(),
        outcome: report.outcome,
        exitCode: exitCodeOfReport(report),
        notes,
        written,
      };
    },
  };
}
