import type { Template } from '../steps.ts';
import { plain } from '../steps.ts';
import type { Case } from './evidence.ts';

/** So many digits of a key are nobody else's. */
const tellingDigits = 8;

/** What a text holds of the parties' identifiers: all of one, its name, or where its key begins; the most telling first. */
export function hiddenIn(text: string, { partyIds }: Pick<Case, 'partyIds'>): readonly Template[] {
  const whole = [...partyIds].flatMap(([id, party]): Template[] =>
    text.includes(id) ? [{ kind: 'party', party }] : [],
  );
  const parts = [...partyIds.keys()].flatMap((id) => {
    const [name = '', key = ''] = id.split('::');
    return [key.slice(0, tellingDigits), name].filter((part) => part !== '' && text.includes(part));
  });
  return [...whole, ...[...new Set(parts)].map(plain)];
}
