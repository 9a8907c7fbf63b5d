import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  allowed,
  createOrder,
  insist,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  quote,
  quoteBody,
} from '../../src/conformance/moves/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';

interface Rivalry {
  readonly id: string;
  readonly before: readonly CastName[];
  readonly last: CastName;
}

const rivalries: readonly Rivalry[] = [
  { id: 'second', before: ['maker_a'], last: 'maker_b' },
  { id: 'second-other-way', before: ['maker_b'], last: 'maker_a' },
  { id: 'third', before: ['maker_a', 'maker_b'], last: 'maker_c' },
  { id: 'third-other-way', before: ['maker_c', 'maker_b'], last: 'maker_a' },
];

/** The same quote as its twin on another order, valid for as long. */
const likeTwin = (trial: Trial, order: PlacedOrder, twin: PlacedQuote): Promise<Exchange> =>
  insist(trial, () => {
    const validForMs = twin.validUntil - twin.exchange.sent - trial.target.clock.offset.most;
    const body = quoteBody(trial, order, { validForMs });
    return trial.party(twin.maker).call('quote.submit', { params: paramsOf(order), body });
  });

/** A maker that may quote an order on which nobody has quoted may do so after its rivals as well. */
export const rivalChecks: readonly Check[] = rivalries.map(({ id, before, last }) =>
  defineCheck({
    id: `quote.submit.after-rivals.${id}`,
    title: `${last} may quote a request after ${before.join(' and ')}, as it may quote one before anybody else.`,
    requirements: ['service.several-makers-quote'],
    needs: { parties: ['sender', ...before, last], waitMs: 8_000 },
    async run(trial) {
      const alone = await createOrder(trial);
      const twin = await quote(trial, last, alone);
      const order = await createOrder(trial);
      for (const maker of before) await quote(trial, maker, order);
      const exchange = await likeTwin(trial, order, twin);
      allowed(trial, 'service.several-makers-quote', exchange, 'a quote after those of rivals');
    },
  }),
);
