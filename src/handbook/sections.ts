import {
  requirementIds,
  requirements,
  type Needs,
  type Requirement,
} from '../spec/requirements/index.ts';
import { rootOf } from '../spec/vocabulary.ts';
import type { HandbookEntry, Judge } from './entry.ts';

/** Needs for exercising a requirement: parties of the standard cast, the longest wait, controls. Empty if undefined. */
export function needsText(needs: Needs | undefined): string {
  if (!needs) return '';
  return [
    ...(needs.parties ?? []),
    ...(needs.waitMs === undefined ? [] : [`${Math.ceil(needs.waitMs / 1000)} s`]),
    ...(needs.controls ?? []),
    ...(needs.signing ? ['a signing key'] : []),
  ].join(', ');
}

/** One section of an entry. Each output format decides only its layout. */
export interface Section {
  readonly title: string;
  readonly sentences: readonly string[];
  readonly judges?: readonly Judge[];
  readonly commands?: readonly string[];
}

const levels = {
  must: 'It must hold: a departure fails the target.',
  vague: "The document's words have no exact meaning here: a departure is a warning at most.",
} as const;

function judgeSections({ rules, checks, unobservable }: HandbookEntry): readonly Section[] {
  if (unobservable !== undefined) return [{ title: 'Not judged', sentences: [unobservable] }];
  return [
    ...(rules.length === 0
      ? []
      : [
          {
            title: 'Judged by rules, over all that a run records',
            sentences: [],
            judges: rules,
          },
        ]),
    ...(checks.length === 0
      ? []
      : [
          {
            title: 'Brought about by checks',
            sentences: [],
            judges: checks,
          },
        ]),
  ];
}

function exampleSection({ example }: HandbookEntry): readonly Section[] {
  if (!example) return [];
  const { mutation, mistake, by, message } = example;
  return [
    {
      title: 'How it fails',
      sentences: [`The reference was broken on purpose: ${mistake}`, `\`${by}\` said: ${message}`],
      commands: [`npx assay check --mutation ${mutation}`],
    },
  ];
}

/** Maximum number of nearby requirements: a longer list is of no use, and is left out. */
const mostNearby = 14;

const subjectOf = ({ about }: Requirement): string | undefined =>
  about?.endpoint ?? about?.event ?? about?.field;

/** Requirements of the same section about the same endpoint, event or field. */
function nearby(entry: HandbookEntry): readonly Judge[] {
  const alike = Object.entries<Requirement>(requirements).filter(
    ([id, other]) =>
      id !== entry.id && other.part === entry.part && subjectOf(other) === subjectOf(entry),
  );
  return alike.length > mostNearby ? [] : alike.map(([id]) => ({ id, title: '' }));
}

export function sectionsOf(entry: HandbookEntry): readonly Section[] {
  const { level, partTitle, part, needs, remedy } = entry;
  const needed = needsText(needs);
  const neighbours = nearby(entry);
  return [
    {
      title: '',
      sentences: [
        `${partTitle}${part === rootOf(part) ? '' : `, section ${part}`}.`,
        ...(entry.unobservable === undefined ? [levels[level]] : []),
        ...(needed === '' ? [] : [`What exercises it: ${needed}.`]),
      ],
    },
    ...judgeSections(entry),
    ...exampleSection(entry),
    ...(remedy === undefined ? [] : [{ title: 'The usual remedy', sentences: [remedy] }]),
    ...(neighbours.length === 0 ? [] : [{ title: 'See also', sentences: [], judges: neighbours }]),
  ];
}

const requirementSet: ReadonlySet<string> = new Set(requirementIds);

/** Only requirements have their own page and get a link. A check and a requirement may have the same id. */
const named = ({ id, title }: Judge): string => {
  const isPage = title === '' && requirementSet.has(id);
  return isPage ? `- [\`${id}\`](${id}.md)` : `- \`${id}\`: ${title}`;
};

/** An entry as a page. */
export const entryPage = (entry: HandbookEntry): string =>
  [
    `# ${entry.id}`,
    entry.summary,
    ...sectionsOf(entry).flatMap(({ title, sentences, judges = [], commands = [] }) => [
      ...(title === '' ? [] : [`## ${title}`]),
      // The text before the first heading is one paragraph.
      ...(title === '' ? [sentences.join(' ')] : sentences),
      ...(judges.length === 0 ? [] : [judges.map(named).join('\n')]),
      ...(commands.length === 0 ? [] : [['```sh', ...commands, '```'].join('\n')]),
    ]),
    '[All requirements](../requirements.md)',
  ].join('\n\n');

/** Width of prose in a terminal, and number of judges that are named; the others are only counted. */
const [width, most] = [96, 8];

function wrapped(text: string, indent: string): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > width) lines.push(`${indent}${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join('\n');
}

function judgeLines(judges: readonly Judge[]): readonly string[] {
  const more = judges.length - most;
  return [
    ...judges.slice(0, most).map(({ id, title }) => `  ${title === '' ? id : `${id}  ${title}`}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

/** An entry for a terminal. */
export const entryText = (entry: HandbookEntry): string =>
  [
    `${entry.id}\n${wrapped(entry.summary, '')}`,
    ...sectionsOf(entry).map(({ title, sentences, judges = [], commands = [] }) =>
      [
        ...(title === '' ? [] : [title]),
        ...sentences.map((sentence) => wrapped(sentence, title === '' ? '' : '  ')),
        ...judgeLines(judges),
        ...commands.map((command) => `  ${command}`),
      ].join('\n'),
    ),
  ].join('\n\n');
