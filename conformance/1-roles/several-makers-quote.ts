import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import {
  assertAllowed,
  createOrder,
  retryWhileRefused,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  quote,
  quoteBody,
} from '../../src/suite/actions/index.ts';
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

/** A quote like the control on another order, valid for the same time. */
const likeControl = (t: CheckContext, order: PlacedOrder, control: PlacedQuote) =>
  retryWhileRefused(t, () => {
    const validForMs = control.validUntil - control.exchange.sent - t.target.clock.offset.most;
    const body = quoteBody(t, order, { validForMs });
    return t.party(control.maker).call('quote.submit', { params: paramsOf(order), body });
  });

/** 1.2: several makers quote one request: quotes of others are no reason to refuse a quote. */
export const severalMakersChecks = rivalries.map<Check>(({ id, before, last }) => ({
  id: `quote.submit.after-rivals.${id}`,
  title: `${last} may quote a request after ${before.join(' and ')}, as it may quote one before anybody else.`,
  requirements: ['service.several-makers-quote'],
  needs: { parties: ['sender', ...before, last], waitMs: 8_000 },
  async run(t) {
    const alone = await createOrder(t);
    const control = await quote(t, last, alone);
    const order = await createOrder(t);
    for (const maker of before) await quote(t, maker, order);
    const exchange = await likeControl(t, order, control);
    assertAllowed(t, 'service.several-makers-quote', exchange, 'a quote after those of rivals');
  },
}));
