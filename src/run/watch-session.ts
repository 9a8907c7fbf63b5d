import type { History, HistoryRecord, Span } from '../history/records.ts';
import { allRules } from '../oracle/index.ts';
import type { PassedBatch } from '../proxy/passed.ts';
import { createPassedReader } from '../proxy/read-passed.ts';
import { createWindow, type WindowLimits } from '../proxy/window.ts';
import { evidenceFor, evidenceIndex, type RunReport } from '../report/index.ts';
import { requirements } from '../spec/requirements/index.ts';
import type { SourceReport } from '../results/source-report.ts';
import type { TargetFile } from '../target/file/target-file.ts';
import { type AuditInputs, disturbedBy, reportOfAudit } from './audit.ts';
import { judgeHistory, mergeJudged } from './judge-history.ts';

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

export interface SessionOptions extends Omit<AuditInputs, 'recording' | 'report' | 'target'> {
  readonly target: TargetFile;
  readonly limits?: WindowLimits;
  readonly onViolation: (violation: Violation) => void;
  /** Called with all records, batch by batch. */
  readonly onRecords: (records: readonly HistoryRecord[]) => void;
}

/** Reads and judges the traffic of a proxy, over a window of bounded size. */
export interface SessionWatch {
  take(batch: PassedBatch): void;
  /** Judges the records since the last call. */
  judge(): void;
  /** True if there are records that were not judged. */
  hasNews(): boolean;
  /** Report on all records. Judges the rest first. */
  report(): RunReport;
  /** The newest part of the history. */
  readonly records: readonly HistoryRecord[];
  counts(): { readonly exchanges: number; readonly streams: number; readonly unreachable: number };
}

export function watchSession(options: SessionOptions): SessionWatch {
  const { target } = options;
  const { secrets, rules: judges = allRules } = options;
  const window = createWindow(options.limits, secrets);
  const reader = createPassedReader(target.participants, window);
  const parties = Object.fromEntries(
    target.participants.map(({ name, role, baseUrl }) => [name, { role, base_url: baseUrl }]),
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
        const { requirement = '', message, outcome } = failure;
        const key = `${id} ${requirement} ${outcome} ${message}`;
        if (outcome === 'inconclusive' || reported.has(key)) return [];
        reported.add(key);
        return [{ rule: id, requirement, outcome, failure }];
      }),
    );
    if (found.length === 0) return;
    const report = reportOfAudit(mergeJudged(judges, [rules]), {
      ...options,
      recording: recordingOf(),
    });
    const shown = new Map(
      report.rules.flatMap(({ id, failures }) =>
        failures.map((one) => [`${id} ${one.requirement} ${one.outcome} ${one.message}`, one]),
      ),
    );
    const evidence = evidenceIndex(report, secrets.maskHistory(evidenceFor(report, history)));
    for (const { rule, requirement, outcome, failure } of found) {
      // As the report has it, tokens are hidden.
      const { message, expected, actual, exchanges } =
        shown.get(`${rule} ${requirement} ${outcome} ${failure.message}`) ?? failure;
      options.onViolation({
        rule,
        requirement,
        part: (requirements as Readonly<Record<string, { part: string }>>)[requirement]?.part ?? '',
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
    for (const id of disturbedBy(target, soFar.records)) disturbed.add(id);
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
    take(batch) {
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
    judge,
    hasNews: () => judgedTo !== window.records.length,
    report() {
      judge();
      return reportOfAudit(
        mergeJudged(judges, [...before, ...(current.length > 0 ? [current] : [])]),
        {
          ...options,
          recording: recordingOf(),
        },
      );
    },
    get records() {
      return window.records;
    },
    counts: () => reader.counts(),
  };
}
