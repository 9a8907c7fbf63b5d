import { type Requirement, requirements } from '../spec/requirements/index.ts';
import { rootOf } from '../spec/vocabulary.ts';
import type { HandbookEntry, Judge } from './entry.ts';
import { needsText } from './needs-text.ts';

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
