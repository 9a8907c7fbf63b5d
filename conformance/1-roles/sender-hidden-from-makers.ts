import type { Check } from '../../src/suite/engine/check.ts';
import { findInList, matchesOrder, paramsOf, settledOrder } from '../../src/suite/actions/index.ts';
import { partiesOfRole } from '../shared/endpoint-operations.ts';
import { waits } from '../shared/waits.ts';

/** 1.2, 2.4: makers see requests without the identity of the sender, in lists, reads, events and settlements. */
const everyView: Check = {
  id: 'access.makers.sender-hidden',
  title: 'Makers read an order from its request to its settlement, and nothing names its sender.',
  requirements: [
    'rfq.list.hides-sender-identity',
    'rfq.read.hides-sender-identity',
    'event.quote-request-new.hides-sender-identity',
    'settlement.hides-sender-identity',
    'maker.sees-no-sender-identity',
  ],
  needs: { parties: ['sender', 'maker_a'], waitMs: waits.settlement },
  async run(t) {
    const { order } = await settledOrder(t);
    for (const by of partiesOfRole(t, 'market-maker')) {
      const maker = t.party(by);
      await findInList(t, maker, 'rfq.list', matchesOrder(order));
      await maker.call('rfq.read', { params: paramsOf(order) });
      await maker.call('settlement.read', { params: paramsOf(order) });
    }
  },
};

export const senderHiddenChecks: readonly Check[] = [everyView];
