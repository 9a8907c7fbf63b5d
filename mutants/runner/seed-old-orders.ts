import type { VirtualClock } from '../../src/timeline/clock/virtual-clock.ts';
import type { PartySpec, World } from '../../src/reference/http/index.ts';
import { formatTimestamp } from '../../src/spec/forms.ts';

/** Time between two orders, in milliseconds. */
const pace = 500;
const makers = ['maker_a', 'maker_b', 'maker_c'];

/** Endings of the orders, taken in turn by the number of an order. */
const orderEndings = [
  'settled',
  'left',
  'quoted',
  'cancelled',
  'settled by the custodian',
] as const;

/**
 * Leaves a number of orders in a world, one after the other: settled, cancelled, expired with and without quotes. The
 * last ones are still open at the end.
 */
export const leaveOldOrders =
  (count: number) =>
  (world: World, clock: VirtualClock): void => {
    const party = (name: string): PartySpec => {
      const found = world.options.parties.find((one) => one.name === name);
      if (!found) throw new Error(`nobody is named ${name}`);
      return found;
    };
    type Asked = Parameters<World['request']>[0];
    const ask = (by: string, asked: Omit<Asked, 'caller' | 'query'>): Record<string, string> => {
      const reply = world.request({ ...asked, caller: party(by), query: {} });
      if (!reply.ok) throw new Error(`${asked.endpoint}: ${reply.error.detail}`);
      return reply.data as Record<string, string>;
    };
    for (let number = 0; number < count; number += 1) {
      const ending = orderEndings[number % orderEndings.length];
      const sender = number % 7 === 0 ? 'outsider' : 'sender';
      const { intent_id = '' } = ask(sender, {
        endpoint: 'order.create',
        params: {},
        body: {
          sender_custodian_party_id: party('sender_custodian').partyId,
          receiver_party_id: party('outsider').partyId,
          receiver_custodian_party_id: party('receiver_custodian').partyId,
          source_contract_id: `${number.toString(16).padStart(8, '0')}#0`,
          intent_signature: 'ab12',
          source_currency: 'USD',
          target_currency: 'EUR',
          target_amount: '1.00',
          source_amount_max: '2.00',
          memo: `old ${number}`,
        },
      });
      const quoted = (ending === 'left' ? [] : makers).map((maker) =>
        ask(maker, {
          endpoint: 'quote.submit',
          params: { intent_id },
          body: {
            fx_rate: '1.01',
            target_amount: '1.00',
            valid_until: formatTimestamp(clock.now() + 30_000),
          },
        }),
      );
      const quote_id = quoted[number % makers.length]?.['quote_id'] ?? '';
      if (ending === 'cancelled') ask(sender, { endpoint: 'order.cancel', params: { intent_id } });
      if (ending === 'settled') {
        ask(sender, { endpoint: 'quote.accept', params: { intent_id, quote_id } });
      }
      if (ending === 'settled by the custodian') {
        ask('sender_custodian', { endpoint: 'quote.accept', params: { intent_id, quote_id } });
      }
      clock.advanceTo(clock.now() + pace);
    }
  };
