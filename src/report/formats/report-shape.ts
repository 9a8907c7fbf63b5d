import {
  anything,
  count,
  duration,
  every,
  listOf,
  oneOf,
  optional,
  type Shape,
  shape,
  text,
  texts,
  time,
  valuesOf,
  yesOrNo,
} from '../../history/shape.ts';
import type { Correlation } from '../../history/correlation.ts';
import {
  type BaselineCause,
  type BaselineReport,
  type CauseReport,
  type CheckReport,
  type CombinationReport,
  type CoverageReport,
  type EndedEarly,
  type Failure,
  type GapReport,
  type Place,
  type PlayReport,
  reportFormat,
  type RequirementReport,
  type RunReport,
  type ScenarioFailure,
  type ScenarioReport,
  type TriedReport,
  type UnwaivedFailure,
  type WaiverReport,
} from '../../results/run-report.ts';
import { type Contrast, type FailedOf, verdicts } from '../../results/verdicts.ts';

/** Validators for the types of `src/results`: a person may have edited the file. */

const verdict = oneOf(...verdicts);
const totals = all(count, ...verdicts);
const outcome = oneOf('conformant', 'nonconformant', 'incomplete', 'error');
const flag = optional(oneOf(true));
const mayBeText = optional(text);

/** One shape for several members. */
function members<N extends string>(one: Shape, ...names: readonly N[]): Readonly<Record<N, Shape>> {
  return Object.fromEntries(names.map((name) => [name, one])) as Record<N, Shape>;
}

/** An object whose members all have one shape. */
function all(one: Shape, ...names: readonly string[]): Shape {
  return every(members(one, ...names));
}

export const endedEarly = every<EndedEarly>({
  reason: oneOf('signal', 'target_gone', 'clock_lost', 'budget'),
  ...members(text, 'at', 'detail'),
});

const place = every<Place>(members(mayBeText, 'endpoint', 'event', 'field'));

const contrast = every<Contrast>({
  in: optional(valuesOf(text)),
  ...members(optional(every<FailedOf>(members(count, 'failed', 'of'))), 'there', 'elsewhere'),
  passed: mayBeText,
});

const requirement = every<RequirementReport>({
  ...members(text, 'id', 'part', 'summary'),
  level: oneOf('must', 'vague'),
  verdict,
  judged_by: texts,
  exercised: count,
  failed: optional(count),
  contrast: optional(contrast),
  ...members(mayBeText, 'reason', 'waived'),
  known: flag,
});

const correlation = optional(
  listOf(
    every<Correlation>({ exchange: text, ...members(mayBeText, 'x_request_id', 'traceparent') }),
  ),
);

const failure = every<Failure>({
  outcome: oneOf('fail', 'warn', 'inconclusive'),
  message: text,
  ...members(anything, 'expected', 'must', 'actual'),
  exchanges: texts,
  correlation,
  places: optional(listOf(place)),
  orders: optional(texts),
  ...members(mayBeText, 'requirement', 'deviation', 'token', 'seed', 'docs'),
});

/** One of these members: each kind of lack has its own. */
const lack: Shape = every<{ party: 0; control: 0; signing: 0; wait_ms: 0 }>({
  ...members(mayBeText, 'party', 'control'),
  signing: flag,
  wait_ms: optional(duration),
});

const judge = every<CheckReport>({
  ...members(text, 'id', 'title'),
  requirements: texts,
  verdict,
  lacks: optional(listOf(lack)),
  seen: optional(texts),
  failures: listOf(failure),
  omitted: optional(count),
  took_ms: optional(duration),
  ...members(mayBeText, 'reason', 'waived'),
});

const cause = every<CauseReport>({
  ...members(text, 'id', 'title'),
  outcome: oneOf('fail', 'warn'),
  place,
  also: optional(listOf(place)),
  deviation: text,
  requirements: texts,
  failures: listOf(every<CauseReport['failures'][number]>({ source: text, index: count })),
  ...members(mayBeText, 'about', 'waived'),
  known: flag,
});

const gap = every<GapReport>({
  ...members(text, 'id', 'part', 'question'),
  ...members(mayBeText, 'declared', 'observed'),
  consistent: yesOrNo,
  unlocks: count,
});

/** Parts are counted from 1. */
const shard = shape('parts, as in { "of": 2, "parts": [1] }', (value) => {
  const { of, parts } = Object(value) as { readonly of?: unknown; readonly parts?: unknown };
  const isPart = (one: unknown): boolean =>
    Number.isInteger(one) && Number(one) >= 1 && Number(one) <= Number(of);
  return (
    Number.isSafeInteger(of) && Array.isArray(parts) && parts.length > 0 && parts.every(isPart)
  );
});

const coverage = every<CoverageReport>({
  checks: every<CoverageReport['checks']>(
    members(count, 'all', 'judged', 'undecided', 'not_applicable', 'out_of_scope', 'not_selected'),
  ),
  part: optional(
    every<NonNullable<CoverageReport['part']>>({
      profile: mayBeText,
      only: optional(texts),
      shard: optional(shard),
    }),
  ),
  left_out: listOf(
    every<CoverageReport['left_out'][number]>({
      needs: listOf(lack),
      checks: count,
      waits: optional(listOf(every({ max_wait_ms: duration, checks: count }))),
    }),
  ),
  unexercised: optional(listOf(all(text, 'id', 'reason'))),
  combinations: optional(every<CombinationReport>({ admissible: count, met: count, unmet: texts })),
  tried: optional(
    every<TriedReport>({
      ...members(
        count,
        'orders',
        'after_3_minutes',
        'after_1_hour',
        'after_1_day',
        'currency_pairs',
        'quotes',
        'rates',
        'rounded_target_per_source',
        'rounded_source_per_target',
      ),
      maxima: every<TriedReport['maxima']>(members(count, 'exact', 'one_above', 'one_below')),
    }),
  ),
});

const baselineCauses = listOf(
  every<BaselineCause>({ ...members(text, 'id', 'title'), requirements: texts }),
);
const baseline = every<BaselineReport>({
  ...members(text, 'file', 'target', 'seed', 'finished_at'),
  notes: optional(texts),
  ...members(baselineCauses, 'new', 'wider', 'fixed', 'known'),
  regressed: listOf(
    every<BaselineReport['regressed'][number]>({
      id: text,
      ...members(verdict, 'before', 'after'),
    }),
  ),
  unjudged: texts,
  gaps: listOf(
    every<BaselineReport['gaps'][number]>({ id: text, ...members(mayBeText, 'before', 'after') }),
  ),
  outcome: optional(outcome),
});

const scenarioFailure = every<ScenarioFailure>({
  after: count,
  ...members(text, 'at', 'message'),
  exchanges: texts,
  correlation,
  mismatches: listOf(all(text, 'path', 'expected', 'actual')),
});

const scenario = every<ScenarioReport>({
  id: text,
  verdict,
  drawn: texts,
  timeline: listOf(
    every<ScenarioReport['timeline'][number]>({
      at_ms: time,
      says: text,
      ...members(mayBeText, 'party', 'outcome', 'exchange'),
      line: optional(count),
    }),
  ),
  took_ms: optional(duration),
  failures: optional(listOf(scenarioFailure)),
});

const waiver = every<WaiverReport>({
  ...members(text, 'id', 'reason', 'message'),
  kind: optional(oneOf('cause')),
  deviation: mayBeText,
  status: oneOf('met', 'untested', 'broken'),
  problem: mayBeText,
});

const unwaived = every<UnwaivedFailure>({
  ...members(text, 'id', 'message', 'reason'),
  requirement: mayBeText,
  causes: texts,
});

export const reportShape = every<RunReport>({
  format: oneOf(reportFormat),
  outcome,
  suite: every<RunReport['suite']>(members(text, 'version', 'digest')),
  target: every<RunReport['target']>({
    name: text,
    participants: valuesOf(all(text, 'role', 'base_url')),
    clock: every<RunReport['target']['clock']>({
      kind: text,
      max_wait_ms: optional(duration),
      offset_ms: optional(time),
      offset_range_ms: optional(listOf(time)),
    }),
  }),
  run: every<RunReport['run']>({
    ...members(text, 'seed', 'started_at', 'finished_at'),
    id: mayBeText,
    ...members(duration, 'wall_ms', 'target_ms'),
    ended_early: optional(endedEarly),
    started_with: optional(texts),
  }),
  totals: every<RunReport['totals']>(members(totals, 'requirements', 'checks')),
  requirements: listOf(requirement),
  ...members(listOf(judge), 'checks', 'rules'),
  causes: optional(listOf(cause)),
  gaps: listOf(gap),
  coverage: optional(coverage),
  play: optional(
    every<PlayReport>({ scenarios: totals, waived: optional(count), interface: outcome }),
  ),
  ...members(optional(texts), 'preflight', 'notes'),
  scenarios: optional(listOf(scenario)),
  waivers: optional(listOf(waiver)),
  unwaived: optional(listOf(unwaived)),
  baseline: optional(baseline),
});
