import { performance } from 'node:perf_hooks';
import type { PeerClock } from './clock.ts';
import type { Book, Order } from './order-book.ts';
import type { Quote } from './quote.ts';
import { peerParties } from './parties.ts';

/** A place where a party of a peer sees what happened. */
export const peerViews = [
  'order',
  'orders',
  'order-quotes',
  'request',
  'requests',
  'own-quotes',
  'settlement',
  'settlements',
  'stream',
] as const;
export type PeerView = (typeof peerViews)[number];

/** View that serves a path of the market maker API. */
export function makerView(
  area: string,
  id: string | undefined,
  what: string | undefined,
): PeerView {
  if (area === 'settlements') return id ? 'settlement' : 'settlements';
  if (area === 'quotes' || what) return 'own-quotes';
  return id ? 'request' : 'requests';
}

/** Lag of a view of a party in host milliseconds, asked at each look. */
export type Lags = (party: string, view: PeerView) => number;

/** Maps current orders and quotes to their versions in a lagging view. */
export interface Seen {
  orders(all: readonly Order[]): readonly Order[];
  quotes(all: readonly Quote[]): readonly Quote[];
  order(one: Order | undefined): Order | undefined;
  pending(): readonly Order[];
}

/** A version of an item until a host time; `undefined`: not created yet. */
interface Before<T> {
  readonly until: number;
  readonly was: T | undefined;
}

/** The longest that a view may be behind, in host milliseconds. */
const longestMs = 5_000;

/** Keeps the earlier versions of orders or quotes. */
function pastOf<T extends { readonly status: string }>() {
  const latest = new Map<T, T>();
  const past = new Map<T, Before<T>[]>();
  const seen = new Map<string, number>();

  return {
    /** Records new items of the lists and changed ones. Items that are over change no more. */
    note(lists: ReadonlyMap<string, readonly T[]>, now: number, isOver: (one: T) => boolean): void {
      const added = [...lists].flatMap(([name, all]) => all.slice(seen.get(name) ?? 0));
      for (const [name, all] of lists) seen.set(name, all.length);
      for (const one of added) past.set(one, [{ until: now, was: undefined }]);
      for (const [one, was] of latest) {
        if (one.status === was.status) continue;
        past.set(one, [...(past.get(one) ?? []), { until: now, was }]);
        latest.set(one, { ...one });
        if (isOver(one)) latest.delete(one);
      }
      for (const one of added) if (!isOver(one)) latest.set(one, { ...one });
    },
    /** Items that differed at a moment, with their version then; `undefined` if not created yet. */
    differing(moment: number, now: number): Map<T, T | undefined> {
      const found = new Map<T, T | undefined>();
      for (const [one, befores] of past) {
        const then = befores.find(({ until }) => until > moment);
        if (then) found.set(one, then.was);
        else if ((befores.at(-1)?.until ?? 0) < now - longestMs) past.delete(one);
      }
      return found;
    },
  };
}

const senders = peerParties.filter(({ role }) => role === 'institution');
const endStates = ['SETTLED', 'EXPIRED', 'FAILED'];

/**
 * The book as it was some host milliseconds ago, anew at each look, as a backend that reads from
 * views behind its ledger. In host time, so that a clock moved by hand outruns the views.
 */
export function laggingViews(book: () => Book, lags: Lags | undefined) {
  const orders = pastOf<Order>();
  const quotes = pastOf<Quote>();
  /** Pending writes to the streams of each party. */
  const writes = new Map<string, (() => void)[]>();

  /** Called after every possible change of the book. */
  function changed(): void {
    if (!lags) return;
    const now = performance.now();
    const { ofParty, quotesOf } = book();
    const sent = new Map(senders.map(({ party }) => [party, ofParty.get(party) ?? []]));
    orders.note(sent, now, ({ status }) => endStates.includes(status));
    quotes.note(quotesOf, now, ({ status }) => status !== 'PENDING');
  }

  return {
    changed,
    /** A clock whose timers note what they changed. */
    watched: <C extends PeerClock>(clock: C): C => ({
      ...clock,
      after: (ms, fire) =>
        clock.after(ms, () => {
          fire();
          changed();
        }),
    }),
    /** @param view where a party looks; false: it acts, and the ledger itself is asked */
    look(party: string, view: PeerView | false): Seen {
      const lagMs = view === false ? 0 : (lags?.(party, view) ?? 0);
      const now = performance.now();
      const were = lagMs > 0 ? orders.differing(now - lagMs, now) : new Map();
      const wereQuotes = lagMs > 0 ? quotes.differing(now - lagMs, now) : new Map();
      const then = <T>(one: T, past: ReadonlyMap<T, T | undefined>): T | undefined =>
        past.has(one) ? past.get(one) : one;
      const order = (one: Order | undefined) => one && then(one, were);
      const isPending = ({ status }: Order): boolean => status === 'PENDING';
      const all = <T>(some: readonly T[], past: ReadonlyMap<T, T | undefined>): readonly T[] =>
        past.size === 0 ? some : some.flatMap((one) => then(one, past) ?? []);
      return {
        order,
        orders: (some) => all(some, were),
        quotes: (some) => all(some, wereQuotes),
        pending: () =>
          all([...new Set([...book().pending, ...were.keys()])], were).filter(isPending),
      };
    },
    /** Writes to a stream after its lag, in order. */
    later(party: string, write: () => void): void {
      const lagMs = lags?.(party, 'stream') ?? 0;
      const waiting = writes.get(party) ?? [];
      if (lagMs <= 0 && waiting.length === 0) return write();
      writes.set(party, waiting);
      waiting.push(write);
      // Whichever timer comes first writes what has waited longest.
      setTimeout(() => waiting.shift()?.(), lagMs).unref();
    },
  };
}
