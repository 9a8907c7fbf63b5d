import { isCorrelationHeader } from '../history/correlation.ts';
import type { Exchange, Frame, History } from '../history/records.ts';
import type { MaskedHistory } from '../history/secrets/secrets.ts';
import type { Failure, RunReport } from '../results/run-report.ts';
import { isDecisive } from '../results/verdicts.ts';
import { brief } from './labels.ts';
import { replayWords, shellQuoted, shellWord } from './replay-words.ts';

/**
 * Ids of all exchanges and frames that are evidence of a failure, of a scenario's failure or of a check's reason, or
 * that a contrast names as passed.
 */
export function evidenceIds({
  checks,
  rules,
  requirements,
  scenarios = [],
}: RunReport): ReadonlySet<string> {
  const judged = [...checks, ...rules].flatMap(({ failures }) => failures);
  const played = scenarios.flatMap(({ failures = [] }) => failures);
  const passed = requirements.flatMap(({ contrast }) => contrast?.passed ?? []);
  const seen = [...checks, ...rules].flatMap((one) => one.seen ?? []);
  return new Set([...judged, ...played].flatMap(({ exchanges }) => exchanges).concat(passed, seen));
}

/** Copy of a report with renamed ids of exchanges and frames. */
export function withEvidenceIds(report: RunReport, idOf: (id: string) => string): RunReport {
  const renamed = <T extends RunReport['checks'][number]>(judges: readonly T[]): T[] =>
    judges.map((one) => ({
      ...one,
      ...(one.seen && { seen: one.seen.map(idOf) }),
      failures: one.failures.map((each) => ({ ...each, exchanges: each.exchanges.map(idOf) })),
    }));
  const requirements = report.requirements.map((one) =>
    one.contrast?.passed === undefined
      ? one
      : { ...one, contrast: { ...one.contrast, passed: idOf(one.contrast.passed) } },
  );
  return { ...report, requirements, checks: renamed(report.checks), rules: renamed(report.rules) };
}

/** One exchange or frame of the evidence, prepared for display. */
export interface EvidenceItem {
  readonly id: string;
  /** Id of the check that drove it, for `assay replay`. */
  readonly by: string;
  readonly party: string;
  /** Milliseconds since the first record of the run. */
  readonly fromMs: number;
  readonly toMs: number;
  /** "POST /api/v1/orders answered 201", "event order_updated". */
  readonly what: string;
  readonly sent?: string;
  readonly received?: string;
  /** curl command that sends the same request. Absent: no exchange, or the target has no address. */
  readonly curl?: string;
}

/** Evidence with these ids, in the order of time. Ids that the history does not have are left out. */
export type EvidenceIndex = { readonly show: (ids: readonly string[]) => EvidenceItem[] };

const notSentAgain = new Set(['authorization', 'host', 'content-length', 'connection']);

/** A curl line that sends the same request, its token as $TOKEN. */
export function curlOf(exchange: Exchange, baseUrl: string): string {
  const { request, auth, opensStream } = exchange;
  const pieces = ['curl', '-sS', opensStream ? '-N' : '-i'];
  if (request.method !== 'GET') pieces.push('-X', request.method);
  pieces.push(shellQuoted(`${baseUrl.replace(/\/$/, '')}${request.path}`));
  const isTokenless = exchange.endpoint === 'token.create' || exchange.endpoint === 'health.read';
  const usesToken = auth !== 'none' && !(isTokenless && auth === 'own');
  if (usesToken) {
    pieces.push('-H', '"Authorization: Bearer $TOKEN"');
  }
  for (const [name, value] of Object.entries(request.headers)) {
    // Correlation ids of the recorded request would name another request.
    if (notSentAgain.has(name) || isCorrelationHeader(name)) continue;
    pieces.push('-H', shellQuoted(`${name}: ${value}`));
  }
  if (request.body !== undefined) {
    if (!('content-type' in request.headers)) {
      pieces.push('-H', shellQuoted('content-type: application/json'));
    }
    const body = typeof request.body === 'string' ? request.body : JSON.stringify(request.body);
    pieces.push('--data-raw', shellQuoted(body));
  }
  const label = auth === 'own' || auth === 'none' ? `of ${exchange.party}` : `"${auth}"`;
  return pieces.join(' ') + (usesToken ? `  # $TOKEN: ${label}` : '');
}

const answerOf = ({ response, error }: Exchange): string =>
  response ? `answered ${response.status}` : `had no answer: ${error?.code ?? 'nothing came'}`;

function ofExchange(exchange: Exchange, startMs: number, report: RunReport): EvidenceItem {
  const { id, by, party, request, response, sent, received } = exchange;
  const baseUrl = report.target.participants[party]?.base_url ?? '$BASE_URL';
  const got = response?.body ?? response?.text ?? exchange.error?.message;
  return {
    id,
    by,
    party,
    fromMs: sent - startMs,
    toMs: received - startMs,
    what: `${request.method} ${request.path} ${answerOf(exchange)}`,
    ...(request.body !== undefined && { sent: brief(request.body) }),
    ...(got !== undefined && { received: brief(got) }),
    // The embedded reference has no address.
    ...(!baseUrl.startsWith('inject:') && { curl: curlOf(exchange, baseUrl) }),
  };
}

const ofFrame = (frame: Frame, startMs: number): EvidenceItem => ({
  id: frame.id,
  by: frame.by,
  party: frame.party,
  fromMs: (frame.after ?? frame.received) - startMs,
  toMs: frame.received - startMs,
  what: `event ${frame.event} on stream ${frame.stream}`,
  received: brief(frame.data ?? frame.text ?? ''),
});

/**
 * Part of a history that is needed to show the findings of a report: all records of each driver with evidence, and the
 * first record, since times count from there. Most runs need very little of it.
 */
export function evidenceFor(report: RunReport, { records }: History): History {
  const checksAndRules = [...report.checks, ...report.rules];
  const ids = new Set(
    checksAndRules.flatMap(({ failures }) => failures.flatMap(({ exchanges }) => exchanges)),
  );
  const drivers = new Set<string>();
  for (const record of records) {
    if (record.kind !== 'end' && ids.has(record.id)) drivers.add(record.by);
  }
  return { records: records.filter(({ by }, place) => place === 0 || drivers.has(by)) };
}

/** Index of a report's evidence in the history that belongs to it. */
export function evidenceIndex(
  report: RunReport,
  history: MaskedHistory | undefined,
): EvidenceIndex {
  const records = new Map<string, Exchange | Frame>();
  let startMs = Number.POSITIVE_INFINITY;
  for (const record of history?.records ?? []) {
    if (record.kind === 'end') continue;
    records.set(record.id, record);
    startMs = Math.min(startMs, record.kind === 'exchange' ? record.sent : record.received);
  }
  return {
    show: (ids) =>
      ids
        .flatMap((id) => records.get(id) ?? [])
        .map((record) =>
          record.kind === 'exchange'
            ? ofExchange(record, startMs, report)
            : ofFrame(record, startMs),
        )
        .toSorted((a, b) => a.fromMs - b.fromMs),
  };
}

/**
 * Arguments of `assay replay` for a failure: the check that drove its evidence, the target and the seed. No check
 * drives events on a party's own streams: then a check that was run for the same requirement.
 */
export const replayOf = (
  evidenceItems: readonly Pick<EvidenceItem, 'by'>[],
  judgeId: string,
  failure: Pick<Failure, 'requirement' | 'seed' | 'moment'>,
  report: RunReport,
): string | undefined => {
  const checks = new Set(report.checks.map(({ id }) => id));
  const { requirement = '', moment } = failure;
  const id =
    [judgeId, ...evidenceItems.map(({ by }) => by), moment?.by].find(
      (one) => one !== undefined && checks.has(one),
    ) ??
    report.checks.find(
      ({ verdict, requirements }) => isDecisive(verdict) && requirements.includes(requirement),
    )?.id;
  return id === undefined ? undefined : `${shellWord(id)} ${replayWords(report, failure.seed)}`;
};

/** "+12…15 ms". */
export const spanOf = ({ fromMs, toMs }: EvidenceItem): string =>
  fromMs === toMs ? `+${fromMs} ms` : `+${fromMs}…${toMs} ms`;
