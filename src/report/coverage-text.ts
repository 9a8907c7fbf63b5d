import { applicableChecks, coverageSuffices, type RequiredCoverage } from '../results/coverage.ts';
import type { CombinationReport, CoverageReport, Lack } from '../results/coverage-report.ts';
import type { RunReport } from '../results/run-report.ts';
import { brief, count, firstLine } from './labels.ts';
import { durationText } from './sequence/sequence.ts';
import { shardText } from './shards.ts';

type LeftOut = CoverageReport['left_out'][number];

/** True if all checks that apply to the target were in scope and selected. */
export const isWhole = ({ checks }: CoverageReport): boolean =>
  checks.out_of_scope === 0 && checks.not_selected === 0;

const roleWords: Readonly<Record<string, string>> = {
  institution: 'institution',
  custodian: 'custodian',
  'market-maker': 'maker',
};

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** "1 institution and 2 makers". */
function castWords(participants: RunReport['target']['participants']): string {
  const roles = Object.values(participants).map(({ role }) => role);
  return listed(
    [...new Set(roles)].map((role) =>
      count(roles.filter((one) => one === role).length, roleWords[role] ?? role),
    ),
  );
}

/** Selection of a part of the suite: "profile smoke", "only order.*". */
function partWords(part: CoverageReport['part']): string {
  const { profile, only = [], shard } = part ?? {};
  return [
    ...(profile === undefined ? [] : [`profile ${profile}`]),
    ...(only.length === 0 ? [] : [`only ${brief(only.join(', '), 60)}`]),
    ...(shard === undefined ? [] : [`part ${shardText(shard)}`]),
  ].join(', ');
}

const thing = (lack: Lack): string => {
  if ('party' in lack) return `\`${lack.party}\``;
  if ('control' in lack) return `\`${lack.control}\``;
  return 'signing' in lack ? 'a signing key' : `\`max_wait\` to ${durationText(lack.wait_ms)}`;
};

/** Advice on lacks: "declare `maker_b` and raise `max_wait` to 70 s". */
function adviceFor(needs: readonly Lack[]): string {
  const verbs = [
    ['declare', needs.filter((one) => 'party' in one)],
    ['offer', needs.filter((one) => 'control' in one || 'signing' in one)],
    ['raise', needs.filter((one) => 'wait_ms' in one)],
  ] as const;
  return listed(
    verbs.flatMap(([verb, some]) =>
      some.length > 0 ? [`${verb} ${listed(some.map(thing))}`] : [],
    ),
  );
}

/** Share of the checks that wait too long; if a wait brings this share, a longer one is not worth its time. */
const mostOfThem = 0.9;

/** Advice that brings the most checks into scope. For waits, the shortest one that brings nearly all of them. */
function bestAdvice([first]: CoverageReport['left_out']): string {
  if (!first) return '';
  const step = first.waits?.find(({ checks }) => checks >= mostOfThem * first.checks);
  const needs = first.needs.map((lack) =>
    step && 'wait_ms' in lack ? { wait_ms: step.max_wait_ms } : lack,
  );
  return `; ${adviceFor(needs)}: ${(step ?? first).checks} more`;
}

/** "188 of 598 checks, 1 institution and 1 maker; declare `maker_b`: 140 more". */
export function coverageWords(
  { checks, part, left_out }: CoverageReport,
  participants: RunReport['target']['participants'],
): string {
  const facts = [
    `${checks.judged} of ${count(checks.all, 'check')}`,
    castWords(participants),
    ...(part ? [partWords(part)] : []),
  ];
  return `${facts.filter((fact) => fact !== '').join(', ')}${bestAdvice(left_out)}`;
}

/** Maximum number of sets of several lacks in the text. There may be dozens, with a few checks each. */
const mostTogether = 5;

function waitLine({ checks, waits = [] }: LeftOut, maxWaitMs: number | undefined): string {
  const steps = waits.map(
    ({ max_wait_ms, checks: some }) => `${durationText(max_wait_ms)}: ${some}`,
  );
  const now = maxWaitMs === undefined ? '`max_wait`' : `\`max_wait\` ${durationText(maxWaitMs)}`;
  return `${now}: ${count(checks, 'check needs', 'checks need')} longer (${steps.join(', ')})`;
}

/** Checks that were left out, with the needs that would bring them in; those with the most checks first. */
export function leftOutLines(
  { part, left_out, checks }: CoverageReport,
  maxWaitMs: number | undefined,
): string[] {
  const alone = left_out.filter(({ needs }) => needs.length === 1);
  const together = left_out.filter(({ needs }) => needs.length > 1);
  const rest = together.slice(mostTogether).reduce((sum, one) => sum + one.checks, 0);
  return [
    ...(checks.not_selected > 0
      ? [`not asked for (${partWords(part) || 'a part of the suite'}): ${checks.not_selected}`]
      : []),
    ...alone.map((one) =>
      one.waits
        ? waitLine(one, maxWaitMs)
        : `${adviceFor(one.needs)}: ${count(one.checks, 'check')}`,
    ),
    ...together
      .slice(0, mostTogether)
      .map((one) => `${adviceFor(one.needs)}, all together: ${one.checks} more`),
    ...(rest > 0 ? [`others that need two or more of these: ${count(rest, 'check')}`] : []),
  ];
}

/** Sections on the checks and requirements that were not judged. */
export function coverageSections({
  coverage,
  target,
}: RunReport): readonly (readonly [title: string, lines: readonly string[]])[] {
  if (!coverage) return [];
  const { unexercised = [] } = coverage;
  const sections = [
    [
      'Warning: must hold, and was never exercised though checks for it ran',
      unexercised.map(({ id, reason }) => `${id}: ${firstLine(reason)}`),
    ],
    ['Left out', leftOutLines(coverage, target.clock.max_wait_ms)],
  ] as const;
  return sections.filter(([, lines]) => lines.length > 0);
}

/** "combinations: 539 of 541 pairs of circumstances came together". */
const combinationsText = ({ met, admissible }: CombinationReport): string =>
  `combinations: ${met} of ${count(admissible, 'pair')} of circumstances came together`;

/** "812 orders in 11 pairs of currencies, 120 after 3 minutes, ...", and similar lines on quotes and maxima. */
export function triedLines({ coverage }: RunReport): readonly string[] {
  if (!coverage?.tried) return [];
  const { maxima, ...tried } = coverage.tried;
  return [
    `${count(tried.orders, 'order')} in ${count(tried.currency_pairs, 'pair')} of currencies, ${tried.after_3_minutes} after 3 minutes, ${tried.after_1_hour} after an hour, ${tried.after_1_day} after a day`,
    `${count(tried.quotes, 'quote')} at ${count(tried.rates, 'rate')}; ${tried.rounded_target_per_source} need rounding where a rate is target per source, ${tried.rounded_source_per_target} where it is source per target`,
    `maxima: ${maxima.exact} are the exact cost, ${maxima.one_above} one unit above it, ${maxima.one_below} one below`,
  ];
}

/** "coverage: 188 of 598 checks were judged (31%); 80% were required", and a line on combinations. */
export function requiredText({ coverage }: RunReport, required: RequiredCoverage): string {
  if (!coverage) return 'coverage: not known';
  const all = applicableChecks(coverage);
  const { judged } = coverage.checks;
  const share = all === 0 ? 0 : Math.floor((judged * 100) / all);
  const wanted =
    required.kind === 'percent'
      ? `${required.percent}% were required`
      : 'all that a target can offer was required';
  const enough = coverageSuffices(coverage, required) ? 'enough' : 'too little';
  const { combinations } = coverage;
  return [
    `coverage: ${judged} of ${count(all, 'check')} were judged (${share}%); ${wanted}: ${enough}`,
    ...(combinations ? [combinationsText(combinations)] : []),
  ].join('\n');
}
