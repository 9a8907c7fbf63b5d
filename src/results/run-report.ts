import { correlation } from '../history/records.ts';
import {
  allOf,
  anything,
  count,
  duration,
  listOf,
  type MadeBy,
  membersOf,
  oneOf,
  optional,
  type Shape,
  text,
  texts,
  time,
  valuesOf,
  yesOrNo,
} from '../history/shape.ts';
import type { Deviation } from '../spec/deviations.ts';
import { contrast } from './contrast.ts';
import { coverage, lack } from './coverage-report.ts';
import type { Must } from './must.ts';
import { type RunOutcome, verdicts } from './verdicts.ts';

/**
 * The format of `report.json`: each part as a shape, of which its type is made. A report that is read may have been
 * edited by a person, so that all of it is validated.
 */
export const reportFormat = 'assay.report/1';

const verdict = oneOf(...verdicts);
const totals = allOf(count, ...verdicts);
const outcome = oneOf<RunOutcome>('conformant', 'nonconformant', 'incomplete', 'error');
const mayBeText = optional(text);
const flag = optional(oneOf(true));

/**
 * Early end of a run. Unless its reason is `budget`, the run is never more than `incomplete`, even if something had
 * failed by then.
 */
export const endedEarly = membersOf({
  /** A user stopped it; the target was gone, or its driven clock was lost; a limit of the run was reached. */
  reason: oneOf('signal', 'target_gone', 'clock_lost', 'budget'),
  /** The moment, as an ISO 8601 time of the host. */
  at: text,
  /** In words for a person, without a full stop. */
  detail: text,
});
export type EndedEarly = MadeBy<typeof endedEarly>;

const requirement = membersOf({
  id: text,
  part: text,
  level: oneOf('must', 'vague'),
  summary: text,
  verdict,
  reason: mayBeText,
  /** Ids of the checks and rules that judged it. */
  judged_by: texts,
  exercised: count,
  /** Number of failures. Absent: none. */
  failed: optional(count),
  /** Difference between failures and passes. Absent: not known. */
  contrast: optional(contrast),
  /** It fails as was expected: why. */
  waived: mayBeText,
  /** All of its failures are in the baseline as well. */
  known: flag,
});
export type RequirementReport = MadeBy<typeof requirement>;

/** Correlation ids of the requests, as in the target's own logs. Absent: they carried none. */
const correlations = optional(listOf(correlation));

/** A place in the interface. */
const place = membersOf({
  endpoint: mayBeText,
  event: mayBeText,
  /** JSON path without numbers of items, as `data[].target_amount`. */
  field: mayBeText,
});
export type Place = MadeBy<typeof place>;

/** When a failure was seen, or the earliest of the equal failures that it stands for. */
const moment = membersOf({
  /** The time at which the request was sent, or the frame was received, as an ISO 8601 time of the target's clock. */
  at: text,
  /** Target time since the first request of its run. */
  after_ms: duration,
  /** The check or scenario that sent the request or opened the stream; the party itself for its own stream. */
  by: mayBeText,
  /** Target time since the run had restarted the target. Absent: it had not. */
  after_restart_ms: optional(duration),
});
export type Moment = MadeBy<typeof moment>;

/** One exercise that was no pass. */
const failure = membersOf({
  requirement: mayBeText,
  outcome: oneOf('fail', 'warn', 'inconclusive'),
  message: text,
  /** The value that had to be there, or `must` as a sentence. */
  expected: optional(anything),
  /** Condition on the value, if there is no single expected value. */
  must: optional(anything as Shape<Must>),
  actual: optional(anything),
  /** Ids of exchanges and frames in `history.jsonl`. */
  exchanges: texts,
  correlation: correlations,
  /** Absent: not known. */
  moment: optional(moment),
  /** Kind of departure, as in `CauseReport`. */
  deviation: optional(text as Shape<Deviation>),
  /** The defect of the token with which a request was let through. Absent: the token was not the reason. */
  token: mayBeText,
  /** Possible places of the defect, the most likely first. Absent: not known. */
  places: optional(listOf(place)),
  /** Ids of the orders that its evidence is about. Absent: none, or not known. */
  orders: optional(texts),
  /** Seed of its run, in a merged report of runs with several seeds. */
  seed: mayBeText,
  /** The page of its requirement, below the root of the documentation's site. Absent: it has none. */
  docs: mayBeText,
});
export type Failure = MadeBy<typeof failure>;

/** Result of one check or one rule. */
const judge = membersOf({
  id: text,
  title: text,
  requirements: texts,
  verdict,
  reason: mayBeText,
  /** Needs that the target lacks, if the check is out of scope for them. Absent: none. */
  lacks: optional(listOf(lack)),
  /** Ids of the exchanges and frames that show its reason. Absent: none do, or its failures name them. */
  seen: optional(texts),
  /** The first few of each requirement. */
  failures: listOf(failure),
  /** Number of further failures. Absent: none. */
  omitted: optional(count),
  /** Duration in milliseconds of target time; other checks ran as well. Absent: it was not run, or is a rule. */
  took_ms: optional(duration),
  /** It fails as was expected: why. */
  waived: mayBeText,
});
export type CheckReport = MadeBy<typeof judge>;

/** One probable cause of failures or warnings. */
const cause = membersOf({
  /** Stable across runs and seeds: made of its place and its deviation. */
  id: text,
  /** One sentence that names the place. */
  title: text,
  outcome: oneOf('fail', 'warn'),
  place,
  /** Further places at which it shows. Absent: none. */
  also: optional(listOf(place)),
  /** Kind of departure, in a word or two: `wrong value`. */
  deviation: text,
  /** The requirement that says best what is wrong: one of `requirements`. */
  about: mayBeText,
  /** In the order of the catalogue. */
  requirements: texts,
  /** Failures that it explains, the clearest first: the id of a check or a rule, and the index in its failures. */
  failures: listOf(membersOf({ source: text, index: count })),
  /** Reason of the waiver that covers it. */
  waived: mayBeText,
  /** The baseline has it as well. */
  known: flag,
});
export type CauseReport = MadeBy<typeof cause>;

const gap = membersOf({
  id: text,
  part: text,
  question: text,
  declared: mayBeText,
  observed: mayBeText,
  consistent: yesOrNo,
  /** Number of requirements that cannot be judged while the answer is not known. */
  unlocks: count,
});
export type GapReport = MadeBy<typeof gap>;

/** A cause as a comparison names it. */
const comparedCause = membersOf({ id: text, title: text, requirements: texts });
export type BaselineCause = MadeBy<typeof comparedCause>;

/** The comparison with an earlier run. */
const baseline = membersOf({
  /** As it was named. */
  file: text,
  target: text,
  seed: text,
  finished_at: text,
  /** Limits of the comparison. Absent: none. */
  notes: optional(texts),
  /** Causes that fail now and did not fail then. */
  new: listOf(comparedCause),
  /** Causes that fail in both runs, and now break requirements that held then. */
  wider: listOf(comparedCause),
  /** Causes that failed then, were judged again, and do not fail now. */
  fixed: listOf(comparedCause),
  /** Causes that fail in both runs, and break nothing that held then. */
  known: listOf(comparedCause),
  /** Requirements that held then and do not now. */
  regressed: listOf(membersOf({ id: text, before: verdict, after: verdict })),
  /** Requirements that were judged then and are not now. */
  unjudged: texts,
  /** Changed gap answers. A side without a known answer is absent. */
  gaps: listOf(membersOf({ id: text, before: mayBeText, after: mayBeText })),
  /** Outcome of the run without known causes. Absent: it was only compared, and the baseline decides nothing. */
  outcome: optional(outcome),
});
export type BaselineReport = MadeBy<typeof baseline>;

const waiver = membersOf({
  /** Id of a check, a rule or a requirement; of a cause if `kind` says so. */
  id: text,
  kind: optional(oneOf('cause')),
  reason: text,
  /**
   * Text that the failure's message must contain; empty if the waiver names none. For a cause: its title; empty if the
   * run did not have the cause.
   */
  message: text,
  /** Deviation that the failure must have. Absent: any, or of a cause. */
  deviation: optional(text as Shape<Deviation>),
  /** `untested`: nothing that it names was judged. `broken`: it passed, or failed otherwise. */
  status: oneOf('met', 'untested', 'broken'),
  problem: mayBeText,
});
export type WaiverReport = MadeBy<typeof waiver>;

/** A failure that no waiver covers. */
const unwaived = membersOf({
  /** Id of the check or rule that found it. */
  id: text,
  requirement: mayBeText,
  /** Ids of its causes. */
  causes: texts,
  message: text,
  /** Reason why no waiver covers it. */
  reason: text,
});
export type UnwaivedFailure = MadeBy<typeof unwaived>;

/** Result of a play: its scenarios, and the rules. `outcome` of its report is the worse of both. */
const play = membersOf({
  /** Number of scenarios with each verdict, by their own expectations. */
  scenarios: totals,
  /** Number of failed scenarios that a waiver covers; they also count as failed. Absent: none. */
  waived: optional(count),
  /** Outcome of the rules on the interface, independent of what scenarios expected. */
  interface: outcome,
});
export type PlayReport = MadeBy<typeof play>;

/** Location of a failed step, with all of its mismatches. */
const scenarioFailure = membersOf({
  /** Number of timeline lines before it. */
  after: count,
  /** file:line:col */
  at: text,
  message: text,
  /** Ids in `history.jsonl`. */
  exchanges: texts,
  correlation: correlations,
  /** `path`: in the answer. Empty: the whole answer. */
  mismatches: listOf(allOf(text, 'path', 'expected', 'actual')),
});
export type ScenarioFailure = MadeBy<typeof scenarioFailure>;

/** One scenario's timeline. */
const scenario = membersOf({
  id: text,
  verdict,
  /** The order in which the branches of each `together` began. */
  drawn: texts,
  timeline: listOf(
    membersOf({
      /** Target time since the scenario began. */
      at_ms: time,
      says: text,
      party: mayBeText,
      outcome: mayBeText,
      /** Id in `history.jsonl`. */
      exchange: mayBeText,
      /** Line in the scenario's file. */
      line: optional(count),
    }),
  ),
  /** Duration in milliseconds of target time. */
  took_ms: optional(duration),
  /** Absent: none. */
  failures: optional(listOf(scenarioFailure)),
});
export type ScenarioReport = MadeBy<typeof scenario>;

/** `report.json`, the source of every other format. Keys in this order. */
export const runReport = membersOf({
  format: oneOf(reportFormat),
  outcome,
  suite: membersOf({ version: text, digest: text }),
  target: membersOf({
    name: text,
    participants: valuesOf(membersOf({ role: text, base_url: text })),
    clock: membersOf({
      kind: text,
      max_wait_ms: optional(duration),
      offset_ms: optional(time),
      /** The offset lies between these two, as far as it was known when the rules judged. */
      offset_range_ms: optional(listOf(time) as Shape<readonly [least: number, most: number]>),
    }),
  }),
  run: membersOf({
    seed: text,
    /**
     * Unique to this run: identifiers that the run created on the target are drawn from it. Absent: it created nothing.
     */
    id: mayBeText,
    started_at: text,
    finished_at: text,
    wall_ms: duration,
    target_ms: duration,
    /** Reason of an early end. Absent: the run came to its end. */
    ended_early: optional(endedEarly),
    /**
     * Words of the command line that a replay needs, as they were given: `--target`, `acme.yaml`. Absent: not known.
     */
    started_with: optional(texts),
  }),
  totals: membersOf({ requirements: totals, checks: totals }),
  /** In the order of the catalogue. */
  requirements: listOf(requirement),
  checks: listOf(judge),
  /** Findings of the rules in the history of the run. */
  rules: listOf(judge),
  /** Probable causes, the strongest first. Absent: none. */
  causes: optional(listOf(cause)),
  gaps: listOf(gap),
  /** Share of the suite that was judged, and the needs that kept the run from the rest. Absent: no suite was run. */
  coverage: optional(coverage),
  /** Result of the scenarios, and of the interface apart from them. Absent: the run played none. */
  play: optional(play),
  /** Reasons why the run could not judge: a party out of reach, a wrong role. Absent: none. */
  preflight: optional(texts),
  /** Notes on the target that decide nothing. Absent: none. */
  notes: optional(texts),
  /** Timeline of each scenario, for drawing. Absent: the run played none. */
  scenarios: optional(listOf(scenario)),
  /** Declared known failures, with their status. Absent: none were declared. */
  waivers: optional(listOf(waiver)),
  /** Failures that no waiver covers, each with the reason. Absent: there are none, or no waivers were declared. */
  unwaived: optional(listOf(unwaived)),
  /** Comparison with an earlier run. Absent: it was compared with none. */
  baseline: optional(baseline),
});
export interface RunReport extends MadeBy<typeof runReport> {}
