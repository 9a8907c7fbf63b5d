import type { Lags, PeerView } from '../peer/lagging-views.ts';

const singleReads: readonly PeerView[] = ['order', 'request', 'settlement'];
const isList = (view: PeerView): boolean => view !== 'stream' && !singleReads.includes(view);

/** Some views that are behind, by so many host milliseconds. */
export interface Combination {
  readonly name: string;
  /** The longest of its lags. */
  readonly mostMs: number;
  readonly lags: Lags;
}

const where =
  (isBehind: (party: string, view: PeerView) => boolean, ms: number): Lags =>
  (party, view) =>
    isBehind(party, view) ? ms : 0;

const of = (
  name: string,
  mostMs: number,
  isBehind: (party: string, view: PeerView) => boolean,
): Combination => ({ name: `${name} by ${mostMs} ms`, mostMs, lags: where(isBehind, mostMs) });

/** Views that are behind the ledger and behind one another, of which no one tells of the others. */
export const combinations: readonly Combination[] = [
  of('lists', 400, (_, view) => isList(view)),
  of('lists of orders', 150, (_, view) => view === 'orders'),
  of('lists of settlements and of own quotes', 250, (_, view) =>
    ['settlements', 'own-quotes'].includes(view),
  ),
  of('single reads', 300, (_, view) => singleReads.includes(view)),
  of('streams', 100, (_, view) => view === 'stream'),
  of('streams', 500, (_, view) => view === 'stream'),
  of("the sender's views", 500, (party) => party === 'sender'),
  of("the receiver custodian's views", 200, (party) => party === 'receiver_custodian'),
  of("one maker's views", 650, (party) => party === 'maker_b'),
  {
    name: 'lists by 600 ms, reads by 200 ms',
    mostMs: 600,
    lags: (_, view) => (view === 'stream' ? 0 : isList(view) ? 600 : 200),
  },
  {
    name: 'streams by 400 ms, all else by 50 ms',
    mostMs: 400,
    lags: (_, view) => (view === 'stream' ? 400 : 50),
  },
  of('all views', 800, () => true),
];

/** Checks that hold what one view shows against what others showed before. */
export const comparingChecks = [
  'order.ends.*',
  'order.life.no-memo',
  'rfq.list.left.*',
  'settlement.list.*',
  'quote.list.*',
  'order.views.*',
  'order.cancel.quoted*',
];
