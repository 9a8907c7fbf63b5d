import { requirementIds } from '../spec/requirements/index.ts';
import type { HandbookEntry, Judge } from './entry.ts';
import { needsText } from './needs-text.ts';

/** What an entry says, in order; each form of it decides only how that looks. */
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

/** A list that is longer says nothing any more. */
const mostNearby = 14;

/** Ids that differ in their last word alone. */
function nearby(id: string): readonly string[] {
  const stem = id.split('.').slice(0, -1).join('.');
  const alike = requirementIds.filter((other) => other !== id && other.startsWith(`${stem}.`));
  return alike.length > mostNearby ? [] : alike;
}

export function sectionsOf(entry: HandbookEntry): readonly Section[] {
  const { id, level, partTitle, part, needs, mend } = entry;
  const needed = needsText(needs);
  const neighbours = nearby(id).map((other) => ({ id: other, title: '' }));
  return [
    {
      title: '',
      sentences: [
        `${partTitle}${part === partTitle || !part.includes('.') ? '' : `, section ${part}`}.`,
        ...(entry.unobservable === undefined ? [levels[level]] : []),
        ...(needed === '' ? [] : [`What exercises it: ${needed}.`]),
      ],
    },
    ...judgeSections(entry),
    ...exampleSection(entry),
    ...(mend === undefined ? [] : [{ title: 'The usual mend', sentences: [mend] }]),
    ...(neighbours.length === 0 ? [] : [{ title: 'See also', sentences: [], judges: neighbours }]),
  ];
}
