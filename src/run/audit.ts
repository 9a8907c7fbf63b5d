import type { Secrets } from '../history/secrets/secrets.ts';
import { allRules, type Rule } from '../oracle/index.ts';
import type { Recording } from '../recording/index.ts';
import { assembleReport, type RunReport } from '../report/index.ts';
import { suiteDigest } from '../results/suite-digest.ts';
import type { RequirementReport } from '../results/run-report.ts';
import { requirements } from '../spec/requirements/index.ts';
import type { TargetFile } from '../target/file/target-file.ts';
import { controlsOf } from './failures-of-check.ts';
import {
  disturbedBy,
  type JudgedHistory,
  judgeHistory,
  type KnownOfTarget,
} from './judge-history.ts';
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

/** Adds the reason why a requirement was not exercised. */
function withReasons(
  judged: readonly RequirementReport[],
  rules: readonly Rule[],
): RequirementReport[] {
  const ruled = new Set<string>(rules.flatMap((rule) => rule.requirements));
  const reasonOf = (id: string): string =>
    ruled.has(id)
      ? 'nothing in the recording shows it'
      : 'no recording can show it: it takes checks (assay check)';
  return judged.map((one) =>
    one.verdict === 'not_exercised' ? { ...one, reason: reasonOf(one.id) } : one,
  );
}

/** Judges recorded traffic by every rule, offline. Never reaches a target. */
export function auditRecording(inputs: AuditInputs): RunReport {
  const { recording, target, report, rules = allRules } = inputs;
  const { records } = recording;
  const known: KnownOfTarget = {
    ...(report && { report }),
    ...(target && {
      gaps: target.gaps,
      disturbed: disturbedBy(controlsOf(target.controls), records),
    }),
    ...(recording.recorded && { recorded: recording.recorded }),
  };
  return reportOfAudit(judgeHistory({ records }, rules, known), inputs);
}

/** The report of a recording that has been judged. */
export function reportOfAudit(judged: JudgedHistory, inputs: AuditInputs): RunReport {
  const { recording, target, report, rules = allRules } = inputs;
  const { records } = recording;
  const participants = report?.target.participants ?? recording.parties;
  const times = records
    .map((record) => (record.kind === 'end' ? record.at : record.received))
    .toSorted((a, b) => a - b);
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
      targetMs: (times.at(-1) ?? 0) - (times[0] ?? 0),
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
