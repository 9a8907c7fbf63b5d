import type { HandbookEntry, Judge } from './entry.ts';
import { sectionsOf } from './sections.ts';

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
