import { requirementIds } from '../spec/requirements/index.ts';
import type { HandbookEntry, Judge } from './entry.ts';
import { sectionsOf } from './sections.ts';

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
