import { random } from '../../src/random/random.ts';
import type { Lags, PeerView } from '../peer/lagging-views.ts';

const singleReads: readonly PeerView[] = ['order', 'request', 'settlement'];
const isList = (view: PeerView): boolean => view !== 'stream' && !singleReads.includes(view);

/** Views that lag, in host milliseconds. */
export interface Combination {
  readonly name: string;
  /** The longest of its lags. */
  readonly mostMs: number;
  /** Anew for each run: some have a state. */
  readonly lags: () => Lags;
}

const where =
  (isBehind: (party: string, view: PeerView) => boolean, ms: number): Lags =>
  (party, view) =>
    isBehind(party, view) ? ms : 0;

const of = (
  name: string,
  mostMs: number,
  isBehind: (party: string, view: PeerView) => boolean,
): Combination => ({
  name: `${name} by ${mostMs} ms`,
  mostMs,
  lags: () => where(isBehind, mostMs),
});

/** Views that lag behind the ledger and behind each other. No view shows the lag of another. */
const steady: readonly Combination[] = [
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
    lags: () => (_, view) => (view === 'stream' ? 0 : isList(view) ? 600 : 200),
  },
  {
    name: 'streams by 400 ms, all else by 50 ms',
    mostMs: 400,
    lags: () => (_, view) => (view === 'stream' ? 400 : 50),
  },
  of('all views', 800, () => true),
];

/** Lags that change after a number of looks. */
function changing(looks: number, before: Lags, after: Lags): Lags {
  let looked = 0;
  return (party, view) => ((looked += 1) > looks ? after : before)(party, view);
}

/** Random lags up to a maximum, as of a view that is rebuilt at times. */
function upTo(mostMs: number): Lags {
  const draws = random(1n, 'lags');
  return () => draws.below(mostMs + 1);
}

const all = (ms: number): Lags => where(() => true, ms);
const reads = (ms: number): Lags => where((_, view) => view !== 'stream', ms);

/** Lags that one measurement cannot tell. */
const unsteady: readonly Combination[] = [
  of('settlements alone', 300, (_, view) => view === 'settlement'),
  of("one maker's stream alone", 300, (party, view) => party === 'maker_a' && view === 'stream'),
  { name: 'all views by up to 400 ms', mostMs: 400, lags: () => upTo(400) },
  {
    name: 'reads and lists by 250 ms from the 600th look on',
    mostMs: 250,
    lags: () => changing(600, all(0), reads(250)),
  },
  {
    name: 'all views by 100 ms, and by 400 ms from the 600th look on',
    mostMs: 400,
    lags: () => changing(600, all(100), all(400)),
  },
];

export const combinations: readonly Combination[] = [...steady, ...unsteady];

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
