import { needsText } from '../src/handbook/sections.ts';
import { problemTable } from '../src/reference/http/wire/problems.ts';
import { type Gap, gaps } from '../src/spec/gaps/index.ts';
import { type Requirement, requirements } from '../src/spec/requirements/index.ts';
import { manPage } from './man-page.ts';
import { table } from './markdown-table.ts';
import { type PartRoot, parts, partTitles, rootOf } from '../src/spec/vocabulary.ts';

/** By part, then section, else in the order of the registry. */
function countsByPart<T extends { readonly part: string }>(
  registry: Readonly<Record<string, T>>,
): readonly (readonly [PartRoot, readonly (readonly [string, T])[]])[] {
  const entries = Object.entries(registry);
  return parts.map((root) => [
    root,
    entries
      .filter(([, { part }]) => rootOf(part) === root)
      .toSorted(([, one], [, other]) => section(one.part) - section(other.part)),
  ]);
}

const section = (part: string): number => Number(part.split('.')[1] ?? 0);

const requirementRow = ([id, requirement]: readonly [string, Requirement]): readonly string[] => [
  `\`${id}\``,
  requirement.part,
  requirement.level,
  requirement.unobservable === undefined
    ? requirement.summary
    : `${requirement.summary} *Not judged: ${requirement.unobservable}*`,
  needsText(requirement.needs),
];

/** docs/requirements.md. */
export function requirementsDocument(
  catalogue: Readonly<Record<string, Requirement>> = requirements,
): string {
  const all = Object.values(catalogue);
  const vague = all.filter(({ level }) => level === 'vague').length;
  const unobservable = all.filter((one) => one.unobservable !== undefined).length;
  return [
    '# Requirements',
    '',
    'Every testable statement of the Cross-Currency Settlement Service Interface, in our own words and under a',
    'name that does not change. Made from `src/spec/requirements` by `npm run docs`; do not edit.',
    '',
    `There are ${all.length}. Of these ${vague} are \`vague\`: the words have no exact meaning, so a departure is a`,
    `warning at most. ${unobservable} cannot be judged from outside, each with its reason. The rest are \`must\`.`,
    '',
    'The last column says what exercises it: parties of the standard cast, the longest wait with the defaults of',
    'the reference, and controls that a target may offer. `assay spec ID` tells the rest of one requirement: what judges',
    'it, how it fails, and the usual remedy; in the site (`npm run site`) it has a page.',
    ...countsByPart(catalogue).flatMap(([root, entries]) => [
      '',
      `## ${partTitles[root]}`,
      '',
      `${entries.length} requirements.`,
      '',
      ...table(['id', 'part', 'level', 'what must hold', 'needs'], entries.map(requirementRow)),
    ]),
    '',
  ].join('\n');
}

const gapRow = ([id, gap]: readonly [string, Gap]): readonly string[] => [
  `\`${id}\``,
  gap.part,
  gap.kind,
  gap.question,
  `\`${gap.values[0]}\`. ${gap.because}`,
  [
    ...gap.values.slice(1).map((value) => `\`${value}\``),
    ...(gap.others === 'none' ? [] : [gap.others]),
  ].join('; '),
  gap.observe,
];

/** docs/gaps.md. */
export function gapsDocument(register: Readonly<Record<string, Gap>> = gaps): string {
  return [
    '# Gaps',
    '',
    'Every question that the Cross-Currency Settlement Service Interface leaves open: what it does not show, where it',
    'contradicts itself, and where its words are vague. A gap never fails a target: its own answer is found out, used',
    'and reported, and it is only held to being consistent with itself.',
    'Made from `src/spec/gaps` by `npm run docs`; do not edit.',
    '',
    `There are ${Object.keys(register).length}.`,
    ...countsByPart(register)
      .filter(([, entries]) => entries.length > 0)
      .flatMap(([root, entries]) => [
        '',
        `## ${partTitles[root]}`,
        '',
        ...table(
          [
            'id',
            'part',
            'kind',
            'question',
            'the reference answers',
            'others may answer',
            'how an answer shows',
          ],
          entries.map(gapRow),
        ),
      ]),
    '',
  ].join('\n');
}

/** docs/error-codes.md. */
const errorCodesDocument = (): string =>
  [
    '# Error codes',
    '',
    'Every refusal of the reference says in `code` what is wrong. The document leaves codes, statuses and the shape of a',
    'refusal open, so these are its own (gaps `error.codes`, `error.statuses`, `error.shape`): another backend has others,',
    'and no check looks at them. Made from `src/reference/http/wire/problems.ts` by `npm run docs`; do not edit.',
    '',
    ...table(
      ['code', 'status', 'what it says'],
      Object.entries(problemTable).map(([code, [status, title]]) => [
        `\`${code}\``,
        String(status),
        title,
      ]),
    ),
    '',
    'The statuses are those of `error.statuses: precise` and `auth.refusal_status: 401`. `detail` is a sentence for a',
    'person, and `at` the place: a JSON Pointer into the body, or the name of a parameter.',
    '',
  ].join('\n');

/** Generated documents by their paths in the repository. */
export const generatedDocuments: Readonly<Record<string, () => string>> = {
  'docs/requirements.md': requirementsDocument,
  'docs/gaps.md': gapsDocument,
  'docs/error-codes.md': errorCodesDocument,
  'docs/assay.1': manPage,
};
