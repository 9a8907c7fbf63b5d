import { type PartRoot, partTitles, parts, rootOf } from '../../src/spec/vocabulary.ts';
import type { AssignmentResult, MutationResult } from './results.ts';
import { expectedWarnings, indistinguishable } from './open-answers.ts';

/** Findings of a whole run of the judge. No times, so that only a change of substance changes its pages. */
export interface MutantsReport {
  readonly mutations: readonly MutationResult[];
  readonly assignments: readonly AssignmentResult[];
  readonly unproven: readonly string[];
  /** Number of requirements that pass on the plain reference. */
  readonly passing: number;
  readonly seed: bigint;
}

const code = (text: string): string => `\`${text}\``;
const count = (some: readonly MutationResult[], caught: MutationResult['caught']): number =>
  some.filter((one) => one.caught === caught).length;

function summaryTable(all: readonly MutationResult[]): string[] {
  const rows = parts.flatMap((part) => {
    const some = all.filter(({ mutation }) => rootOf(mutation.part) === part);
    if (some.length === 0) return [];
    const figures = [some.length, count(some, 'named'), count(some, 'otherwise')];
    return [`| ${partTitles[part]} | ${figures.join(' | ')} | ${count(some, 'missed')} |`];
  });
  const figures = [all.length, count(all, 'named'), count(all, 'otherwise'), count(all, 'missed')];
  return [
    '| part | mutations | caught as named | caught otherwise | missed |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...rows,
    `| all | ${figures.join(' | ')} |`,
  ];
}

const most = 3;

function foundBy({ mutation, caught, broken }: MutationResult): string {
  if (caught === 'missed') return '**missed**';
  const named = broken.filter((id) => (mutation.breaks as readonly string[]).includes(id));
  const others = broken.filter((id) => !named.includes(id));
  const shown = [...named, ...others].slice(0, Math.max(named.length, most));
  const left = broken.length - shown.length;
  return `${shown.map(code).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

const namesOf = (some: readonly MutationResult[]): string =>
  some.map(({ mutation }) => code(mutation.id)).join(', ');

const headings = {
  named: '',
  otherwise: 'Found by other requirements alone: ',
  missed: 'Missed: ',
} as const;

/** The names of a part's mutations. Those that only other requirements found, and missed ones, are listed apart. */
function partNames(part: PartRoot, all: readonly MutationResult[]): string[] {
  const some = all.filter(({ mutation }) => rootOf(mutation.part) === part);
  if (some.length === 0) return [];
  const lines = (['named', 'otherwise', 'missed'] as const).flatMap((caught) => {
    const those = some.filter((one) => one.caught === caught);
    return those.length === 0 ? [] : [`${headings[caught]}${namesOf(those)}.`, ''];
  });
  return [`### ${partTitles[part]}`, '', ...lines];
}

/** reports/judge.md: each mutation with its summary and the requirements that found it. */
export const mutationTables = ({ mutations }: Pick<MutantsReport, 'mutations'>): string =>
  `${['# What found each mutation', '', ...parts.flatMap((part) => partTable(part, mutations))].join('\n')}\n`;

function partTable(part: PartRoot, all: readonly MutationResult[]): string[] {
  const some = all.filter(({ mutation }) => rootOf(mutation.part) === part);
  if (some.length === 0) return [];
  return [
    `### ${partTitles[part]}`,
    '',
    '| mutation | what it does | found broken |',
    '| --- | --- | --- |',
    ...some.map(
      (one) => `| ${code(one.mutation.id)} | ${one.mutation.summary} | ${foundBy(one)} |`,
    ),
    '',
  ];
}

function assignmentLines(all: readonly AssignmentResult[]): string[] {
  const falseAlarms = all.reduce((sum, one) => sum + one.falseAlarms.length, 0);
  const misread = all.flatMap((one) => one.misread);
  const broke = all.filter((one) => one.broke.length > 0);
  const off = all.filter(
    (one) => one.falseAlarms.length + one.misread.length > 0 || one.outcome !== 'conformant',
  );
  return [
    `${all.length} assignments: every other answer that the reference can give to a gap, each alone, then answers to`,
    'all gaps drawn at random, and the usual ones on a target with thousands of old orders. Verdicts that flipped from a pass to something worse: ' +
      `${falseAlarms}. Answers that a run took for others, or saw change: ${misread.length}. Runs that broke: ${broke.length}.`,
    '',
    ...off.flatMap((one) => [
      `- ${code(one.name)}: ${one.outcome}`,
      ...one.falseAlarms.map((flip) => `  - ${flip.verdict} ${code(flip.requirement)}`),
      ...one.misread.map((what) => `  - misread: ${what}`),
    ]),
    ...(off.length > 0 ? [''] : []),
    'Answers that look like another one to whoever only talks to the target, so that they are not misread:',
    '',
    ...indistinguishable.map(({ gap, value, behind, because }) => {
      const where = behind ? ` where ${code(behind.gap)} is ${code(behind.value)}` : '';
      return `- ${code(gap)} is ${code(value)}${where}. ${because}`;
    }),
    '',
    'Warnings, and judgements withheld, that an answer brings about rightly, and that are no flips:',
    '',
    ...expectedWarnings.map(
      ({ requirement, gap, values, because }) =>
        `- ${code(requirement)} where ${code(gap)} is ${values.map(code).join(' or ')}. ${because}`,
    ),
  ];
}

/** docs/judge.md: counts and names. */
export const toMarkdown = ({
  mutations,
  assignments,
  unproven,
  passing,
  seed,
}: MutantsReport): string =>
  `${[
    '# The suite, tried',
    '',
    'The reference is built with one mistake at a time, and the suite must find it: a *mutation* that nothing finds is',
    'a hole. Then it is built with other answers to what the document leaves open, and the suite must find nothing: a',
    'verdict that such an *assignment* makes worse is a false alarm.',
    'Made by `npm run judge -- --write`; do not edit.',
    '',
    `Seed ${seed}. A mutation is tried first on the checks that name a requirement which it breaks, then with the lives of`,
    'orders beside them, then on the whole suite, until a requirement that it names is found broken; all rules judge',
    'each run. Found *otherwise* are those of which only other requirements were.',
    '',
    '## Mutations',
    '',
    ...summaryTable(mutations),
    '',
    'What each does and what found it stands in `reports/judge.md` after a whole run.',
    '',
    ...parts.flatMap((part) => partNames(part, mutations)),
    '## Assignments',
    '',
    ...assignmentLines(assignments),
    '',
    '## Requirements that no mutation proves',
    '',
    `Of ${passing} requirements that pass on the reference, ${passing - unproven.length} were seen to fail on some mutation.`,
    `Of the other ${unproven.length} nothing shows that they can:`,
    '',
    ...unproven.map((id) => `- ${code(id)}`),
  ].join('\n')}\n`;
