import type { Book } from './order-book.ts';

/**
 * The items of a list that match, oldest first. Old orders never change, so each choice among them
 * is made once, as an index would. `key` names the choice.
 */
export function choicesIn(book: Book) {
  const before = new Map<string, readonly unknown[]>();
  const fixed = new Map<unknown, number>(
    [book.ofParty, book.quotesOf, book.wonBy].flatMap((lists) =>
      [...lists.values()].map((list): [unknown, number] => [list, list.length]),
    ),
  );
  return <T>(all: readonly T[], key: string, isIt: (item: T) => boolean): readonly T[] => {
    const old = fixed.get(all);
    // As it was some time ago, it is another list each time.
    if (old === undefined) return all.filter(isIt);
    const chosen = before.get(key) ?? all.slice(0, old).filter(isIt);
    before.set(key, chosen);
    return (chosen as readonly T[]).concat(all.slice(old).filter(isIt));
  };
}
