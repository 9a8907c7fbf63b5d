import {
  isRequirementId,
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
interface Section {
  readonly title: string;
  readonly sentences: readonly string[];
  readonly judges: readonly Judge[];
  readonly commands: readonly string[];
}

/** A section; none if it has neither sentences nor judges. */
const section = (
  title: string,
  sentences: readonly string[],
  judges: readonly Judge[] = [],
  commands: readonly string[] = [],
): readonly Section[] =>
  sentences.length + judges.length === 0 ? [] : [{ title, sentences, judges, commands }];

const levels = {
  must: 'It must hold: a departure fails the target.',
  vague: "The document's words have no exact meaning here: a departure is a warning at most.",
} as const;

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

function sectionsOf(entry: HandbookEntry): readonly Section[] {
  const { level, partTitle, part, needs, remedy, example, unobservable } = entry;
  const needed = needsText(needs);
  return [
    ...section('', [
      `${partTitle}${part === rootOf(part) ? '' : `, section ${part}`}.`,
      ...(unobservable === undefined ? [levels[level]] : []),
      ...(needed === '' ? [] : [`What exercises it: ${needed}.`]),
    ]),
    ...(unobservable === undefined
      ? [
          ...section('Judged by rules, over all that a run records', [], entry.rules),
          ...section('Brought about by checks', [], entry.checks),
        ]
      : section('Not judged', [unobservable])),
    ...(example
      ? section(
          'How it fails',
          [
            `The reference was broken on purpose: ${example.mistake}`,
            `\`${example.by}\` said: ${example.message}`,
          ],
          [],
          [`npx assay check --mutation ${example.mutation}`],
        )
      : []),
    ...section('The usual remedy', remedy === undefined ? [] : [remedy]),
    ...section('See also', [], nearby(entry)),
  ];
}

/** Only requirements have their own page and get a link. A check and a requirement may have the same id. */
const named = ({ id, title }: Judge): string => {
  const isPage = title === '' && isRequirementId(id);
  return isPage ? `- [\`${id}\`](${id}.md)` : `- \`${id}\`: ${title}`;
};

/** An entry as a page. */
export const entryPage = (entry: HandbookEntry): string =>
  [
    `# ${entry.id}`,
    entry.summary,
    ...sectionsOf(entry).flatMap(({ title, sentences, judges, commands }) => [
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
    ...sectionsOf(entry).map(({ title, sentences, judges, commands }) =>
      [
        ...(title === '' ? [] : [title]),
        ...sentences.map((sentence) => wrapped(sentence, title === '' ? '' : '  ')),
        ...judgeLines(judges),
        ...commands.map((command) => `  ${command}`),
      ].join('\n'),
    ),
  ].join('\n\n');
