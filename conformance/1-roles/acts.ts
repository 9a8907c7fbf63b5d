import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  accept,
  allowed,
  insist,
  isRefusal,
  type PlacedOrder,
  quote,
  refused,
  said,
  succeeded,
} from '../../src/conformance/moves/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { beside, type Negative } from '../beside.ts';
import { ask, type Ground } from '../deeds.ts';
import { idsOf, negativesOf, positivesOf, words } from './permissions.ts';
import {
  acceptor,
  allSides,
  exchanged,
  orderBetween,
  receiving,
  rotated,
  type Sides,
  sidesNeed,
  usual,
} from './sides.ts';

interface Act {
  readonly endpoint: 'order.cancel' | 'proposal.accept' | 'quote.accept';
  readonly sides: Sides;
  /** Who then does it. */
  readonly twin: 'creator' | 'keeper';
  readonly quotes: readonly CastName[];
  /** Once the sender's custodian has accepted the proposal, which opens nothing to anybody else. */
  readonly proposed?: true;
}

const deeds: Readonly<Record<Act['endpoint'], string>> = {
  'order.cancel': 'cancel an order',
  'proposal.accept': 'accept its proposal',
  'quote.accept': 'accept a quote on it',
};

const acts: readonly Act[] = [
  { endpoint: 'order.cancel', sides: usual, twin: 'creator', quotes: [] },
  { endpoint: 'order.cancel', sides: usual, twin: 'creator', quotes: ['maker_a', 'maker_b'] },
  { endpoint: 'order.cancel', sides: exchanged, twin: 'creator', quotes: ['maker_a'] },
  { endpoint: 'order.cancel', sides: rotated, twin: 'creator', quotes: ['maker_a'] },
  { endpoint: 'order.cancel', sides: receiving, twin: 'creator', quotes: ['maker_a'] },
  { endpoint: 'order.cancel', sides: usual, twin: 'creator', quotes: ['maker_b'], proposed: true },
  { endpoint: 'proposal.accept', sides: usual, twin: 'keeper', quotes: [] },
  { endpoint: 'proposal.accept', sides: exchanged, twin: 'keeper', quotes: [] },
  { endpoint: 'proposal.accept', sides: rotated, twin: 'keeper', quotes: [] },
  { endpoint: 'quote.accept', sides: usual, twin: 'creator', quotes: ['maker_a'] },
  { endpoint: 'quote.accept', sides: usual, twin: 'keeper', quotes: ['maker_b', 'maker_a'] },
  { endpoint: 'quote.accept', sides: usual, twin: 'keeper', quotes: ['maker_b'], proposed: true },
  { endpoint: 'quote.accept', sides: receiving, twin: 'creator', quotes: ['maker_a'] },
  { endpoint: 'quote.accept', sides: exchanged, twin: 'creator', quotes: ['maker_a', 'maker_b'] },
  { endpoint: 'quote.accept', sides: exchanged, twin: 'keeper', quotes: ['maker_a'] },
  { endpoint: 'quote.accept', sides: rotated, twin: 'keeper', quotes: ['maker_b', 'maker_a'] },
  { endpoint: 'quote.accept', sides: rotated, twin: 'creator', quotes: ['maker_a'] },
];

const acting = acts.map(({ endpoint, sides, twin, quotes, proposed }) =>
  defineCheck({
    id: `access.relation.${endpoint}.${sides.id}.${twin}.${proposed ? 'proposed' : `${quotes.length}-quotes`}`,
    title: `${proposed ? 'Once the proposal was accepted nobody' : 'Nobody'} but ${endpoint === 'quote.accept' ? "the sender's side" : words[twin]} can ${deeds[endpoint]}; then ${words[twin]} does (${sides.id}).`,
    requirements: [...idsOf(endpoint), 'error.refusal-changes-nothing'],
    needs: {
      parties: [
        ...new Set([
          ...sidesNeed(sides),
          sides[twin],
          ...(proposed ? [sides.keeper] : []),
          ...quotes,
        ]),
      ],
    },
    async run(trial) {
      const left = proposed || endpoint === 'proposal.accept';
      const order = await orderBetween(trial, sides, left ? 'leave' : undefined);
      if (proposed) {
        const opened = await insist(trial, () =>
          ask(trial, sides.keeper, 'proposal.accept', { order }),
        );
        if (!succeeded(opened))
          trial.giveUp(`${said(opened)} to the proposal's acceptance`, [opened]);
      }
      let ground: Ground = { order };
      for (const maker of quotes) ground = { order, quote: await quote(trial, maker, order) };
      const served = positivesOf(trial, endpoint, sides).filter(({ by }) => by === sides[twin]);
      const negatives = negativesOf(trial, endpoint, sides);
      await beside(trial, ground, negatives, served);
      if (endpoint === 'proposal.accept') await refusedAgain(trial, ground, negatives);
    },
  }),
);

/** What the sender's custodian did opens nothing to the receiver's, though its own repetition may be answered as well. */
async function refusedAgain(
  trial: Trial,
  ground: Ground,
  negatives: readonly Negative[],
): Promise<void> {
  for (const { by, endpoint, requirement, what } of negatives) {
    if (requirement !== 'proposal.accept.by-receiver-custodian-refused') continue;
    const answer = await ask(trial, by, endpoint, ground);
    refused(trial, requirement, answer, `${what}, once that of the sender has`);
  }
}

/** As the cast's institution cancels, once: with an empty object where no body will not do (gap `cancel.request`). */
async function cancelOnce(trial: Trial, order: PlacedOrder): Promise<Exchange> {
  const bare = await ask(trial, order.by, 'order.cancel', { order });
  if (!isRefusal(bare)) return bare;
  return ask(trial, order.by, 'order.cancel', { order }, { body: {} });
}

/**
 * A QUOTED order may still be cancelled, by its institution alone. The state may last next to nothing: a refusal
 * counts only where the institution's own cancel, right after, still succeeds.
 */
const cancelQuoted = allSides.map((sides) =>
  defineCheck({
    id: `access.relation.order.cancel.${sides.id}.accepted`,
    title: `Right after a quote was accepted nobody but ${sides.creator} can cancel the order (${sides.id}).`,
    requirements: idsOf('order.cancel', 'proposal.accept'),
    needs: { parties: [...new Set([...sidesNeed(sides), 'maker_a'] as const)] },
    async run(trial) {
      const order = await orderBetween(trial, sides);
      const placed = await quote(trial, 'maker_a', order);
      const negatives = negativesOf(trial, 'order.cancel', sides);
      const { answers, twin } = await trial.quietly(async () => {
        await accept(trial, order, placed, acceptor(trial, sides));
        const tried: Exchange[] = [];
        for (const { by, endpoint } of negatives) {
          tried.push(await ask(trial, by, endpoint, { order }));
        }
        return {
          answers: tried,
          twin: await cancelOnce(trial, order),
        };
      });
      for (const [index, { requirement, what }] of negatives.entries()) {
        const answer = answers[index];
        if (answer && (succeeded(twin) || !isRefusal(answer))) {
          refused(trial, requirement, answer, `${what}, on an order that is QUOTED`);
        }
      }
      if (succeeded(twin)) allowed(trial, 'access.order.cancel.institution-allowed', twin);
      // Too late for a proposal, which may be all that keeps others out: only what opens tells anything.
      for (const { by, requirement, what } of negativesOf(trial, 'proposal.accept', sides)) {
        const answer = await ask(trial, by, 'proposal.accept', { order });
        if (!isRefusal(answer)) refused(trial, requirement, answer, `${what}, once it was QUOTED`);
      }
    },
  }),
);

export const actChecks: readonly Check[] = [...acting, ...cancelQuoted];
