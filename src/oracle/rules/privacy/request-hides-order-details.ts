import { textOf, visit } from '../../../protocol/json.ts';
import { defineRule } from '../../findings.ts';

/** Fields that a sender writes into an order and that could point to it. */
const pointers = [
  'receiver_party_id',
  'receiver_custodian_party_id',
  'source_contract_id',
  'intent_signature',
  'memo',
] as const;

export const requestHidesOrderDetails = defineRule({
  id: 'privacy.particulars',
  title: 'A request shows none of the particulars that could point to its sender',
  requirements: ['rfq.hides-order-particulars'],
  judge(view, findings) {
    for (const { value, source, via, frame } of view.snapshotsOf('rfq')) {
      const trace = view.orders.get(textOf(value, 'intent_id') ?? '');
      const sent = trace?.sent;
      if (!sent) continue;
      const secrets = new Map<string, string>();
      for (const field of pointers) {
        const text = textOf(sent, field);
        if (text !== undefined && text.length >= 8) secrets.set(text, field);
      }
      let leak: string | undefined;
      visit(frame ? frame.frame.data : value, (_, text) => {
        if (typeof text === 'string') leak ??= secrets.get(text);
      });
      findings.assert('rfq.hides-order-particulars', leak === undefined, source, () => ({
        message: `${via} showed the ${leak} of an order to a market maker`,
        ...(leak !== undefined && { fields: [leak] }),
        actual: leak,
        evidence: [source],
      }));
    }
  },
});
