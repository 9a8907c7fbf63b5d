import type { History, HistoryRecord, Span } from '../history/records.ts';
import { allRules } from '../oracle/index.ts';
import type { PassedBatch } from '../proxy/passed.ts';
import { createPassedReader } from '../proxy/read-passed.ts';
import { createWindow, type WindowLimits } from '../proxy/window.ts';
import { evidenceFor, evidenceIndex, type RunReport } from '../report/index.ts';
import { isRequirementId, requirements } from '../spec/requirements/index.ts';
import type { Failure } from '../results/run-report.ts';
import type { SourceReport } from '../results/source-report.ts';
import type { TargetFile } from '../target/file/target-file.ts';
import { type AuditInputs, reportOfAudit } from './audit.ts';
import { controlsOf } from './failures-of-check.ts';
import { disturbedBy, judgeHistory, mergeJudged } from './judge-history.ts';
import { participantsOf } from './play-run.ts';

/** One kind of departure from the interface, reported once, with its first evidence. */
export interface Violation {
  readonly rule: string;
  readonly requirement: string;
  /** Part of the document. */
  readonly part: string;
  readonly outcome: 'fail' | 'warn';
  readonly message: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
  /** In the order of time. */
  readonly evidence: readonly {
    readonly id: string;
    readonly party: string;
    readonly what: string;
    readonly sent?: string;
    readonly received?: string;
  }[];
}

/** One kind of departure has one key. */
const keyOf = (rule: string, { requirement = '', outcome, message }: Failure): string =>
  `${rule} ${requirement} ${outcome} ${message}`;

export interface SessionOptions extends Omit<AuditInputs, 'recording' | 'report' | 'target'> {
  readonly target: TargetFile;
  readonly limits?: WindowLimits;
  readonly onViolation: (violation: Violation) => void;
  /** Called with all records, batch by batch. */
  readonly onRecords: (records: readonly HistoryRecord[]) => void;
}

/** Reads and judges the traffic of a proxy, over a window of bounded size. */
export function watchSession(options: SessionOptions) {
  const { target } = options;
  const { secrets, rules: judges = allRules } = options;
  const window = createWindow(options.limits, secrets);
  const reader = createPassedReader(target.participants, window);
  const parties = participantsOf(
    Object.fromEntries(target.participants.map((one) => [one.name, one])),
  );
  const known = {
    target: { name: target.name, participants: parties, clock: { kind: 'system' } },
    gaps: [],
  };
  const reported = new Set<string>();
  /** Results of the rules on discarded windows. */
  const before: (readonly SourceReport[])[] = [];
  const disturbed = new Set<string>();
  /** Time of the first use of the proxy, by party. */
  const firstSeen = new Map<string, number>();
  /** Number of records of the window that were passed on, and number that were judged. */
  let [written, judgedTo] = [0, 0];
  let current: readonly SourceReport[] = [];

  const recordingOf = () => ({ records: window.records, parties, limits: reader.limits() });

  function tellNew(rules: readonly SourceReport[], history: History): void {
    const found = rules.flatMap(({ id, failures }) =>
      failures.flatMap((failure) => {
        const { outcome } = failure;
        const key = keyOf(id, failure);
        if (outcome === 'inconclusive' || reported.has(key)) return [];
        reported.add(key);
        return [{ rule: id, key, outcome, failure }];
      }),
    );
    if (found.length === 0) return;
    const recording = recordingOf();
    const report = reportOfAudit(mergeJudged(judges, [rules]), { ...options, recording });
    const shown = new Map(
      report.rules.flatMap(({ id, failures }) => failures.map((one) => [keyOf(id, one), one])),
    );
    const evidence = evidenceIndex(report, secrets.maskHistory(evidenceFor(report, history)));
    for (const { rule, key, outcome, failure } of found) {
      // As the report has it, tokens are hidden.
      const { requirement = '', message, expected, actual, exchanges } = shown.get(key) ?? failure;
      options.onViolation({
        rule,
        requirement,
        part: isRequirementId(requirement) ? requirements[requirement].part : '',
        outcome,
        message,
        ...(expected !== undefined && { expected }),
        ...(actual !== undefined && { actual }),
        evidence: evidence.show(exchanges).map(({ id, party, what, sent, received }) => ({
          id,
          party,
          what,
          ...(sent !== undefined && { sent }),
          ...(received !== undefined && { received }),
        })),
      });
    }
  }

  function judge(): void {
    if (judgedTo === window.records.length) return;
    const soFar = reader.soFar();
    for (const id of disturbedBy(controlsOf(target.controls), soFar.records)) disturbed.add(id);
    current = judgeHistory(soFar, judges, {
      report: known,
      gaps: target.gaps,
      disturbed: [...disturbed],
      recorded,
    }).rules;
    judgedTo = window.records.length;
    tellNew(current, soFar);
  }

  /** A party that has used the proxy once sends all its requests through it. Nothing is known of the others. */
  function recorded(party: string): readonly Span[] {
    const sent = firstSeen.get(party);
    const isWhole = sent !== undefined && reader.isWhole();
    return isWhole ? [{ sent, received: Number.POSITIVE_INFINITY }] : [];
  }

  function handOn(): void {
    const news = window.records.slice(written);
    for (const record of news) {
      if (record.kind === 'exchange' && !firstSeen.has(record.party))
        firstSeen.set(record.party, record.sent);
    }
    written = window.records.length;
    if (news.length > 0) options.onRecords(news);
  }

  return {
    take(batch: PassedBatch): void {
      reader.take(batch);
      handOn();
      if (!window.isFull()) return;
      judge();
      before.push(current);
      // Merged into one: a long session must not keep the results of each window.
      if (before.length > 1)
        before.splice(0, before.length, mergeJudged(judges, before).rules as SourceReport[]);
      current = [];
      window.shorten();
      written = window.records.length;
      judgedTo = window.records.length;
    },
    /** Judges the records since the last call. */
    judge,
    /** True if there are records that were not judged. */
    hasNews: () => judgedTo !== window.records.length,
    /** Report on all records. Judges the rest first. */
    report(): RunReport {
      judge();
      const windows = current.length > 0 ? [...before, current] : before;
      return reportOfAudit(mergeJudged(judges, windows), { ...options, recording: recordingOf() });
    },
    /** The newest part of the history. */
    get records(): readonly HistoryRecord[] {
      return window.records;
    },
    counts: () => reader.counts(),
  };
}
