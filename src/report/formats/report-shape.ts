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
const totals = every(Object.fromEntries(verdicts.map((one) => [one, count])));
const outcome = oneOf('conformant', 'nonconformant', 'incomplete', 'error');
const flag = optional(oneOf(true));

export const endedEarly = every<EndedEarly>({
  reason: oneOf('signal', 'target_gone', 'clock_lost', 'budget'),
  at: text,
  detail: text,
});

const place = every<Place>({
  endpoint: optional(text),
  event: optional(text),
  field: optional(text),
});

const failedOf = optional(every<FailedOf>({ failed: count, of: count }));

const contrast = optional(
  every<Contrast>({
    in: optional(valuesOf(text)),
    there: failedOf,
    elsewhere: failedOf,
    passed: optional(text),
  }),
);

const requirement = every<RequirementReport>({
  id: text,
  part: text,
  level: oneOf('must', 'vague'),
  summary: text,
  verdict,
  reason: optional(text),
  judged_by: texts,
  exercised: count,
  failed: optional(count),
  contrast,
  waived: optional(text),
  known: flag,
});

const correlation = optional(
  listOf(
    every<Correlation>({
      exchange: text,
      x_request_id: optional(text),
      traceparent: optional(text),
    }),
  ),
);

const failure = every<Failure>({
  requirement: optional(text),
  outcome: oneOf('fail', 'warn', 'inconclusive'),
  message: text,
  expected: anything,
  must: anything,
  actual: anything,
  exchanges: texts,
  correlation,
  deviation: optional(text),
  token: optional(text),
  places: optional(listOf(place)),
  orders: optional(texts),
  seed: optional(text),
  docs: optional(text),
});

/** One of these members: each kind of lack has its own. */
const lack: Shape = every<{ party: 0; control: 0; signing: 0; wait_ms: 0 }>({
  party: optional(text),
  control: optional(text),
  signing: flag,
  wait_ms: optional(duration),
});

const judge = every<CheckReport>({
  id: text,
  title: text,
  requirements: texts,
  verdict,
  reason: optional(text),
  lacks: optional(listOf(lack)),
  seen: optional(texts),
  failures: listOf(failure),
  omitted: optional(count),
  took_ms: optional(duration),
  waived: optional(text),
});

const cause = every<CauseReport>({
  id: text,
  title: text,
  outcome: oneOf('fail', 'warn'),
  place,
  also: optional(listOf(place)),
  deviation: text,
  about: optional(text),
  requirements: texts,
  failures: listOf(every<CauseReport['failures'][number]>({ source: text, index: count })),
  waived: optional(text),
  known: flag,
});

const gap = every<GapReport>({
  id: text,
  part: text,
  question: text,
  declared: optional(text),
  observed: optional(text),
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
  checks: every<CoverageReport['checks']>({
    all: count,
    judged: count,
    undecided: count,
    not_applicable: count,
    out_of_scope: count,
    not_selected: count,
  }),
  part: optional(
    every<NonNullable<CoverageReport['part']>>({
      profile: optional(text),
      only: optional(texts),
      shard: optional(shard),
    }),
  ),
  left_out: listOf(
    every<CoverageReport['left_out'][number]>({
      needs: listOf(lack),
      checks: count,
      waits: optional(
        listOf(every<{ max_wait_ms: 0; checks: 0 }>({ max_wait_ms: duration, checks: count })),
      ),
    }),
  ),
  unexercised: optional(listOf(every<{ id: 0; reason: 0 }>({ id: text, reason: text }))),
  combinations: optional(every<CombinationReport>({ admissible: count, met: count, unmet: texts })),
  tried: optional(
    every<TriedReport>({
      orders: count,
      after_3_minutes: count,
      after_1_hour: count,
      after_1_day: count,
      currency_pairs: count,
      quotes: count,
      rates: count,
      rounded_target_per_source: count,
      rounded_source_per_target: count,
      maxima: every<TriedReport['maxima']>({ exact: count, one_above: count, one_below: count }),
    }),
  ),
});

const baselineCauses = listOf(every<BaselineCause>({ id: text, title: text, requirements: texts }));
const baseline = every<BaselineReport>({
  file: text,
  target: text,
  seed: text,
  finished_at: text,
  notes: optional(texts),
  new: baselineCauses,
  wider: baselineCauses,
  fixed: baselineCauses,
  known: baselineCauses,
  regressed: listOf(
    every<BaselineReport['regressed'][number]>({ id: text, before: verdict, after: verdict }),
  ),
  unjudged: texts,
  gaps: listOf(
    every<BaselineReport['gaps'][number]>({
      id: text,
      before: optional(text),
      after: optional(text),
    }),
  ),
  outcome: optional(outcome),
});

const scenarioFailure = every<ScenarioFailure>({
  after: count,
  at: text,
  message: text,
  exchanges: texts,
  correlation,
  mismatches: listOf(
    every<ScenarioFailure['mismatches'][number]>({ path: text, expected: text, actual: text }),
  ),
});

const scenario = every<ScenarioReport>({
  id: text,
  verdict,
  drawn: texts,
  timeline: listOf(
    every<ScenarioReport['timeline'][number]>({
      at_ms: time,
      says: text,
      party: optional(text),
      outcome: optional(text),
      exchange: optional(text),
      line: optional(count),
    }),
  ),
  took_ms: optional(duration),
  failures: optional(listOf(scenarioFailure)),
});

const waiver = every<WaiverReport>({
  id: text,
  kind: optional(oneOf('cause')),
  reason: text,
  message: text,
  status: oneOf('met', 'untested', 'broken'),
  problem: optional(text),
});

const unwaived = every<UnwaivedFailure>({
  id: text,
  requirement: optional(text),
  causes: texts,
  message: text,
  reason: text,
});

export const reportShape = every<RunReport>({
  format: oneOf(reportFormat),
  outcome,
  suite: every<RunReport['suite']>({ version: text, digest: text }),
  target: every<RunReport['target']>({
    name: text,
    participants: valuesOf(every<{ role: 0; base_url: 0 }>({ role: text, base_url: text })),
    clock: every<RunReport['target']['clock']>({
      kind: text,
      max_wait_ms: optional(duration),
      offset_ms: optional(time),
      offset_range_ms: optional(listOf(time)),
    }),
  }),
  run: every<RunReport['run']>({
    seed: text,
    id: optional(text),
    started_at: text,
    finished_at: text,
    wall_ms: duration,
    target_ms: duration,
    ended_early: optional(endedEarly),
    started_with: optional(texts),
  }),
  totals: every<RunReport['totals']>({ requirements: totals, checks: totals }),
  requirements: listOf(requirement),
  checks: listOf(judge),
  rules: listOf(judge),
  causes: optional(listOf(cause)),
  gaps: listOf(gap),
  coverage: optional(coverage),
  play: optional(
    every<PlayReport>({ scenarios: totals, waived: optional(count), interface: outcome }),
  ),
  preflight: optional(texts),
  notes: optional(texts),
  scenarios: optional(listOf(scenario)),
  waivers: optional(listOf(waiver)),
  unwaived: optional(listOf(unwaived)),
  baseline: optional(baseline),
});
