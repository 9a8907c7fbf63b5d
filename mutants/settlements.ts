import type { Written } from './mutation.ts';
import { items, orderIn, quotesOn, rules, shifted, without } from './tools.ts';

const both = ['settlement.list', 'settlement.read'] as const;

/** Settlements as their makers see them (2.5). */
export const settlementMutations: readonly Written[] = [
  {
    id: 'settlement-list-lacks-hash',
    breaks: ['settlement.transaction-hash.present'],
    summary: 'Listed settlements have no hash; only a single one has.',
    tamper: items('settlement.list', (item) => without(item, 'transaction_hash')),
  },
  {
    id: 'settlement-lacks-delivered-amount',
    breaks: ['settlement.mm-delivered-target-amount.present'],
    summary: 'A single settlement does not say what the maker delivered.',
    tamper: items('settlement.read', (item) => without(item, 'mm_delivered_target_amount')),
  },
  {
    id: 'settlement-lacks-quote-id-among-several',
    breaks: ['settlement.quote-id.present'],
    summary: 'A settlement that was one of several quotes does not name its quote.',
    tamper: items(both, (item, context) =>
      quotesOn(context, String(item.intent_id)).length > 1 ? without(item, 'quote_id') : item,
    ),
  },
  {
    id: 'quoted-amount-missing-in-list',
    breaks: ['settlement.mm-quoted-source-amount.present'],
    summary: 'Listed settlements have no quoted amount.',
    tamper: items('settlement.list', (item) => without(item, 'mm_quoted_source_amount')),
  },
  {
    id: 'settlement-amounts-as-numbers',
    breaks: ['settlement.mm-quoted-source-amount.form', 'convention.amounts-as-strings'],
    summary: 'What a maker quoted and delivered are JSON numbers in a single settlement.',
    tamper: items('settlement.read', (item) => ({
      ...item,
      mm_quoted_source_amount: +String(item.mm_quoted_source_amount),
      mm_delivered_target_amount: +String(item.mm_delivered_target_amount),
    })),
  },
  {
    id: 'settled-at-as-local-time',
    breaks: ['settlement.settled-at.form', 'convention.timestamps'],
    summary: 'Listed settlements write settled_at with an offset in place of UTC.',
    tamper: items('settlement.list', (item) => ({
      ...item,
      settled_at: shifted(item.settled_at, 3_600_000).replace('Z', '+01:00'),
    })),
  },
  {
    id: 'settlement-hash-in-base64',
    breaks: ['settlement.transaction-hash.form'],
    summary: 'A single settlement writes its hash in base 64.',
    tamper: items('settlement.read', (item) => ({
      ...item,
      transaction_hash: `${String(item.transaction_hash).slice(0, 40)}+/==`,
    })),
  },
  {
    id: 'settlement-currencies-swapped',
    breaks: ['settlement.source-currency.as-order', 'settlement.target-currency.as-order'],
    summary: 'A settlement names currencies from the side of the maker: the wrong way round.',
    tamper: items(both, (item) => ({
      ...item,
      source_currency: item.target_currency,
      target_currency: item.source_currency,
    })),
  },
  {
    id: 'delivered-amount-is-source-amount',
    breaks: ['settlement.mm-delivered-target-amount.as-order'],
    summary: 'What the maker delivered is given in the source currency.',
    tamper: items('settlement.list', (item) => ({
      ...item,
      mm_delivered_target_amount: item.source_amount_actual,
    })),
  },
  {
    id: 'quoted-amount-of-first-quote',
    breaks: ['settlement.mm-quoted-source-amount.as-quote'],
    summary: 'The quoted amount is that of the first quote on the order, whoever made it.',
    tamper: items(both, (item, context) => ({
      ...item,
      mm_quoted_source_amount: quotesOn(context, String(item.intent_id))[0]?.sourceAmount,
    })),
  },
  {
    id: 'settlement-target-amount-rounded',
    breaks: ['settlement.target-amount.as-order'],
    summary: 'Listed settlements show the target amount in whole units.',
    tamper: items('settlement.list', (item) => ({
      ...item,
      target_amount: String(item.target_amount).replace(/\.\d+$/, ''),
    })),
  },
  {
    id: 'settlement-pays-the-maximum',
    breaks: ['settlement.source-amount-actual.as-order'],
    summary: 'A single settlement gives the maximum of the order as the actual amount.',
    tamper: items('settlement.read', (item, context) => ({
      ...item,
      source_amount_actual: orderIn(context, item)?.sourceAmountMax,
    })),
  },
  {
    id: 'settlement-rate-cut',
    breaks: ['settlement.fx-rate.as-order'],
    summary: 'Settlements keep four decimals of the rate.',
    tamper: items(both, (item) => ({
      ...item,
      fx_rate: String(item.fx_rate).replace(/(\.\d{4})\d+$/, '$1'),
    })),
  },
  {
    id: 'settlement-names-last-quote',
    breaks: ['settlement.quote-id.as-order'],
    summary: 'A settlement names the last quote on its order.',
    tamper: items(both, (item, context) => ({
      ...item,
      quote_id: quotesOn(context, String(item.intent_id)).at(-1)?.id,
    })),
  },
  {
    id: 'settlement-hash-of-its-own',
    breaks: ['settlement.transaction-hash.as-order'],
    summary: 'A single settlement shows another hash than its order.',
    tamper: items('settlement.read', (item) => ({
      ...item,
      transaction_hash: String(item.intent_id).replaceAll('-', '').repeat(2),
    })),
  },
  {
    id: 'settlement-settled-later',
    breaks: ['settlement.settled-at.as-order'],
    summary: 'Listed settlements settle a second after their orders.',
    tamper: items('settlement.list', (item) => ({
      ...item,
      settled_at: shifted(item.settled_at, 1_000),
    })),
  },
  {
    id: 'settlement-shows-sender',
    breaks: ['settlement.hides-sender-identity'],
    summary: 'A single settlement shows who was the sender.',
    tamper: items('settlement.read', (item, context) => ({
      ...item,
      sender_party_id: orderIn(context, item)?.senderPartyId,
    })),
  },
  {
    id: 'settlement-drifts-with-reads',
    breaks: ['settlement.unchanged'],
    summary: 'From the second read on a settlement has settled a millisecond later.',
    tamper: items('settlement.read', (item, context) =>
      context.count(`read ${String(item.intent_id)}`) > 1
        ? { ...item, settled_at: shifted(item.settled_at, 1) }
        : item,
    ),
  },
  {
    id: 'reverted-order-keeps-a-hash',
    breaks: ['settlement.atomic'],
    summary: 'An order whose settlement reverted keeps a transaction hash.',
    tamper: rules(() => ({
      stored: {
        order: (after, _before, { now }) =>
          after.failureReason === 'REVERT' && !after.settled
            ? { ...after, settled: { transactionHash: 'ab'.repeat(32), at: now } }
            : after,
      },
    })),
  },
  {
    id: 'hash-stored-after-the-state',
    breaks: ['order.settled.sets-hash'],
    summary: 'The hash is written half a second after the order was made SETTLED.',
    tamper: items(['order.read', 'order.list'], (item, context) => {
      const settled = orderIn(context, item)?.settled;
      return settled && context.now - settled.at < 500
        ? without(item, 'transaction_hash', 'settled_at')
        : item;
    }),
  },
];
