import type { Check } from '../../../src/suite/engine/check.ts';
import { awaitStatus, quotedOrder, readOrder } from '../../../src/suite/actions/index.ts';
import { acceptQuote, followToSettlement, lifeRequirementsOf } from '../../shared/order-life.ts';
import { needsOf, settlementTimeoutMs, waits } from '../../shared/waits.ts';
import { stateOf } from '../../shared/order-fields.ts';
import { tryCancel } from '../../shared/order-calls.ts';

const situations = [
  { id: 'executing', state: 'EXECUTING', by: 'sender' },
  { id: 'executing-by-custodian', state: 'EXECUTING', by: 'sender_custodian' },
  { id: 'settled', state: 'SETTLED', by: 'sender' },
  { id: 'settled-by-custodian', state: 'SETTLED', by: 'sender_custodian' },
] as const;

/** 4.2: PENDING and QUOTED orders alone can be cancelled. From EXECUTING on the cancel is refused, and the order settles. */
export const cancelRefusedChecks = situations.map<Check>(({ id, state, by }) => ({
  id: `order.cancel.${id}`,
  title: `An order that is ${state} cannot be cancelled, and settles all the same.`,
  requirements: [
    state === 'EXECUTING' ? 'order.cancel.executing-refused' : 'order.cancel.settled-refused',
    'order.state.settled-absorbs',
    'error.refusal-changes-nothing',
    ...lifeRequirementsOf(by),
  ],
  needs: needsOf(waits.settlement, 'sender', 'maker_a', by),
  async run(t) {
    const trade = { ...(await quotedOrder(t)), acceptedBy: by };
    await acceptQuote(t, trade);
    const reached = await awaitStatus(t, trade.order, [state], settlementTimeoutMs);
    if (stateOf(reached?.data ?? {}) !== state)
      t.notExercised(`the order could not be read as ${state}`);
    await tryCancel(t, trade.order);
    await readOrder(t, trade.order);
    await followToSettlement(t, trade);
  },
}));
