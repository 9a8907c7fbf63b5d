// Checks and rules of your own: assay check --checks own-checks.ts
import { type Check, defineCheck, defineRule, type Rule } from 'assay';
import { createOrder, readOrder, sameId, textOf } from 'assay/actions';

export const checks: readonly Check[] = [
  defineCheck({
    id: 'acme.memo.emoji',
    title: 'A memo with an emoji comes back as it was sent.',
    requirements: ['order.memo.echo'],
    needs: { parties: ['sender'] },
    async run(t) {
      const memo = `rent \u{1F3E0} ${t.random.hex(8)}`;
      const order = await createOrder(t, { memo });
      const { data, exchange } = await readOrder(t, order);
      t.assert('order.memo.echo', textOf(data, 'memo') === memo, {
        message: 'A memo with an emoji came back altered.',
        expected: memo,
        actual: data['memo'],
        seen: [order.exchange, exchange],
      });
    },
  }),
];

export const rules: readonly Rule[] = [
  defineRule({
    id: 'acme.order.that-order',
    title: 'Whoever reads an order gets the one that the path names.',
    requirements: ['order.read.returns-that-order'],
    judge(view, findings) {
      for (const { id, ok, data, exchange } of view.endpoint('order.read')) {
        const named = exchange.params['intent_id'];
        if (!ok || named === undefined) continue;
        const holds = sameId(data, 'intent_id', named);
        findings.assert('order.read.returns-that-order', holds, id, () => ({
          message: 'Another order came back than was asked for.',
          expected: named,
          actual: textOf(data, 'intent_id'),
          evidence: [id],
        }));
      }
    },
  }),
];
