import type { HistoryRecord } from '../history/records.ts';
import { isObject } from '../history/json.ts';
import type { Secrets } from '../history/secrets/secrets.ts';
import { allRules, type Rule } from '../oracle/index.ts';
import { fieldsOf } from '../protocol/answers.ts';
import type { Recording } from '../recording/index.ts';
import { assembleReport, type RunReport } from '../report/index.ts';
import { suiteDigest } from '../results/suite-digest.ts';
import type { RequirementReport } from '../results/run-report.ts';
import { requirements } from '../spec/requirements/index.ts';
import type { TargetFile } from '../target/file/target-file.ts';
import { type JudgedHistory, judgeHistory, type KnownOfTarget } from './judge-history.ts';
import { version } from './version.ts';

export interface AuditInputs {
  readonly recording: Recording;
  /** Absent: the rules of the suite. */
  readonly rules?: readonly Rule[];
  /** Known facts about the target. `report`: the report of the run that was recorded. */
  readonly target?: TargetFile;
  readonly report?: RunReport;
  /** Name of the target in the report, if nothing else names it. */
  readonly name: string;
  readonly secrets: Secrets;
  readonly startedAt: string;
  readonly startedWallMs: number;
  readonly date: () => string;
  readonly wallMs: () => number;
}

/** True if the body has all of these fields with these values. */
const holds = (body: unknown, fields: Readonly<Record<string, unknown>>): boolean =>
  isObject(body) && Object.entries(fields).every(([name, value]) => body[name] === value);

/** Orders on which a control of the target file was used, found by the control's fields in their creation. */
export function disturbedBy(
  { controls }: TargetFile,
  records: readonly HistoryRecord[],
): readonly string[] {
  const marks = Object.values(controls).flatMap(({ order }) => (order ? [order] : []));
  return records.flatMap((record) => {
    if (record.kind !== 'exchange' || record.endpoint !== 'order.create') return [];
    if (!marks.some((fields) => holds(record.request.body, fields))) return [];
    const id = fieldsOf(record)['intent_id'];
    return typeof id === 'string' ? [id] : [];
  });
}

/**
 * Adds reasons to requirements that were not exercised: only a check can exercise it, or this recording does not show
 * it.
 */
function withReasons(
  judged: readonly RequirementReport[],
  rules: readonly Rule[],
): RequirementReport[] {
  const ruled = new Set<string>(rules.flatMap((rule) => rule.requirements));
  return judged.map((one) =>
    one.verdict === 'not_exercised'
      ? {
          ...one,
          reason: ruled.has(one.id)
            ? 'nothing in the recording shows it'
            : 'no recording can show it: it takes checks (assay check)',
        }
      : one,
  );
}

const spanOf = (times: readonly number[]): number => {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const at of times) {
    least = Math.min(least, at);
    most = Math.max(most, at);
  }
  return times.length === 0 ? 0 : most - least;
};

/** Judges recorded traffic by every rule, offline. Never reaches a target. */
export function auditRecording(inputs: AuditInputs): RunReport {
  const { recording, target, report, rules = allRules } = inputs;
  const { records } = recording;
  const known: KnownOfTarget = {
    ...(report && { report }),
    ...(target && { gaps: target.gaps, disturbed: disturbedBy(target, records) }),
    ...(recording.recorded && { recorded: recording.recorded }),
  };
  return reportOfAudit(judgeHistory({ records }, rules, known), inputs);
}

/** The report of a recording that has been judged. */
export function reportOfAudit(judged: JudgedHistory, inputs: AuditInputs): RunReport {
  const { recording, target, report, rules = allRules } = inputs;
  const { records } = recording;
  const participants = report?.target.participants ?? recording.parties;
  const times = records.map((record) => (record.kind === 'end' ? record.at : record.received));
  return assembleReport(
    {
      checks: [],
      rules: judged.rules,
      requirements: withReasons(judged.requirements, rules),
      suiteDigest: suiteDigest(
        requirements,
        [],
        rules.map(({ id }) => id),
      ),
      targetMs: spanOf(times),
    },
    {
      version,
      target: {
        name: target?.name ?? report?.target.name ?? inputs.name,
        participants,
        clock: { kind: report?.target.clock.kind ?? 'recorded' },
      },
      run: {
        seed: report?.run.seed ?? '-',
        started_at: inputs.startedAt,
        finished_at: inputs.date(),
        wall_ms: Math.round(inputs.wallMs() - inputs.startedWallMs),
      },
      gaps: report?.gaps ?? [],
      notes: recording.limits,
      history: { records },
      secrets: inputs.secrets,
    },
  );
}
