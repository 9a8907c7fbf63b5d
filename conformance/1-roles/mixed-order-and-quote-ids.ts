import type { Check } from '../../src/suite/engine/check.ts';
import { assertRefused, quote, readOrder } from '../../src/suite/actions/index.ts';
import { sendForbidden, servedRequirement } from '../shared/forbidden-requests.ts';
import { sendRequest } from '../shared/endpoint-operations.ts';
import { orderBetween, swappedInstitutions, usualParties } from './order-parties.ts';

/** 1.4, 4.2: an institution acts on its own orders; an order of its own opens no other to it. */
export const mixedIdChecks = [usualParties, swappedInstitutions].map<Check>((orderParties) => ({
  id: `access.relation.mixed-ids.${orderParties.id}`,
  title: `With an order of its own open, ${orderParties.otherInstitution} accepts neither a foreign quote on it nor its own quote on a foreign order.`,
  requirements: [
    'quote.accept.foreign-institution-refused',
    'quote.accept.quote-of-other-order-refused',
    'order.cancel.foreign-institution-refused',
    'order.read.foreign-institution-refused',
    'error.refusal-changes-nothing',
    'service.sender-accepts',
    servedRequirement,
  ],
  needs: { parties: ['sender', 'outsider', 'maker_a'] },
  async run(t) {
    const { otherInstitution, creator } = orderParties;
    const foreign = await orderBetween(t, orderParties);
    const own = await orderBetween(t, {
      ...orderParties,
      creator: otherInstitution,
      otherInstitution: creator,
    });
    const theirs = await quote(t, 'maker_a', foreign);
    const mine = await quote(t, 'maker_a', own);
    const endpoint = 'quote.accept';
    const requirement = 'service.sender-accepts';
    await readOrder(t, own, otherInstitution);
    const [mixed] = await sendForbidden(
      t,
      { order: foreign, quote: theirs },
      [
        { by: otherInstitution, endpoint, fixture: { order: own, quote: theirs } },
        { by: otherInstitution, endpoint, fixture: { order: foreign, quote: mine } },
        { by: otherInstitution, endpoint },
        { by: otherInstitution, endpoint: 'order.cancel' },
      ],
      [{ by: creator, endpoint, requirement }],
    );
    if (mixed) {
      const what = 'an acceptance of a quote on another order';
      assertRefused(t, 'quote.accept.quote-of-other-order-refused', mixed, what);
    }
    const kept = await readOrder(t, own, otherInstitution);
    const latest = kept.exchange.received + t.target.clock.offset.most;
    if (latest >= mine.validUntil) return;
    await sendForbidden(
      t,
      { order: own, quote: mine },
      [
        { by: creator, endpoint },
        { by: creator, endpoint: 'order.cancel' },
      ],
      [{ by: otherInstitution, endpoint, requirement }],
    );
    await sendRequest(t, creator, 'order.read', { order: own });
    await sendRequest(t, otherInstitution, 'order.read', { order: foreign });
  },
}));
