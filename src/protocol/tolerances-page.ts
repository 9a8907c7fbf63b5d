import { tolerance } from './tolerances.ts';

/** For each figure, what may be so late or so far off. */
const meanings: Readonly<Record<keyof typeof tolerance, string>> = {
  deadlineLateMs: 'How late a deadline of an order or a quote may take effect.',
  deadlineEarlyMs: 'How early it may, for clocks that are cut to milliseconds.',
  stamp: 'Between a moment as a backend writes it down and the call that brought it about.',
  replicationLagMs:
    'How far the backends of two parties may lag behind each other, and what a party reads behind what it did.',
  liveEventMs: 'How long an event may travel; beyond it there is a warning.',
  eventDeliveryMs: 'How long a stream must stay open after a cause for the event to be due on it.',
  heartbeat: 'Around the 30 seconds between heartbeats, to either side.',
  settlement: 'How long a settlement is waited for before it counts as one that did not happen.',
  settlementMinMs:
    'The shortest settlement that is still "about 4 seconds"; of a shorter one there is a warning.',
  settlementMaxMs: 'The longest one; of a longer one there is a warning.',
};

const secondsOf = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`);

/** The page on how much room the rules leave where the document gives no figure. */
export const tolerancesPage = (): string =>
  [
    '# How much room is left',
    '',
    '<!-- Generated from `src/protocol/tolerances.ts` by `npm run docs`. -->',
    '',
    'Where the document gives no figure, or says "about", the rules leave as much room as a plausible backend needs. What',
    'lies within is not held against a target.',
    '',
    '| Room | For |',
    '|---|---|',
    ...Object.entries(meanings).map(
      ([name, what]) => `| ${secondsOf(tolerance[name as keyof typeof tolerance])} | ${what} |`,
    ),
    '',
  ].join('\n');
