import { quotedTimes } from './defects/conditions.ts';
import { orderReads } from './defects/reading.ts';
import { cut, hashLike, shifted, swappedCurrencies, whole } from './defects/values.ts';
import { mutation, type Written } from './mutation.ts';

const both = ['settlement.list', 'settlement.read'] as const;

/** Settlements as their makers see them (2.5). */
export const settlementMutations: readonly Written[] = [
  mutation('settlement-list-lacks-hash', 'settlement.transaction-hash.present')
    .summary('Listed settlements have no hash; only a single one has.')
    .drop('settlement.list', 'transaction_hash'),
  mutation('settlement-lacks-delivered-amount', 'settlement.mm-delivered-target-amount.present')
    .summary('A single settlement does not say what the maker delivered.')
    .drop('settlement.read', 'mm_delivered_target_amount'),
  mutation('settlement-lacks-quote-id-among-several', 'settlement.quote-id.present')
    .summary('A settlement that was one of several quotes does not name its quote.')
    .dropWhen(both, quotedTimes(2), 'quote_id'),
  mutation('quoted-amount-missing-in-list', 'settlement.mm-quoted-source-amount.present')
    .summary('Listed settlements have no quoted amount.')
    .drop('settlement.list', 'mm_quoted_source_amount'),
  mutation('settlement-amounts-as-numbers', 'settlement.mm-quoted-source-amount.form')
    .also('convention.amounts-as-strings')
    .summary('What a maker quoted and delivered are JSON numbers in a single settlement.')
    .set('settlement.read', (item) => ({
      mm_quoted_source_amount: +String(item.mm_quoted_source_amount),
      mm_delivered_target_amount: +String(item.mm_delivered_target_amount),
    })),
  mutation('settled-at-as-local-time', 'settlement.settled-at.form', 'convention.timestamps')
    .summary('Listed settlements write settled_at with an offset in place of UTC.')
    .change('settlement.list', 'settled_at', (value) =>
      shifted(value, 3_600_000).replace('Z', '+01:00'),
    ),
  mutation('settlement-hash-in-base64', 'settlement.transaction-hash.form')
    .summary('A single settlement writes its hash in base 64.')
    .change('settlement.read', 'transaction_hash', (value) => `${value.slice(0, 40)}+/==`),
  mutation('settlement-currencies-swapped', 'settlement.source-currency.as-order')
    .also('settlement.target-currency.as-order')
    .summary('A settlement names currencies from the side of the maker: the wrong way round.')
    .set(both, swappedCurrencies),
  mutation('delivered-amount-is-source-amount', 'settlement.mm-delivered-target-amount.as-order')
    .summary('What the maker delivered is given in the source currency.')
    .set('settlement.list', (item) => ({ mm_delivered_target_amount: item.source_amount_actual })),
  mutation('quoted-amount-of-first-quote', 'settlement.mm-quoted-source-amount.as-quote')
    .summary('The quoted amount is that of the first quote on the order, whoever made it.')
    .set(both, (_, { quotes }) => ({ mm_quoted_source_amount: quotes[0]?.sourceAmount })),
  mutation('settlement-target-amount-rounded', 'settlement.target-amount.as-order')
    .summary('Listed settlements show the target amount in whole units.')
    .change('settlement.list', 'target_amount', whole),
  mutation('settlement-pays-the-maximum', 'settlement.source-amount-actual.as-order')
    .summary('A single settlement gives the maximum of the order as the actual amount.')
    .leak('settlement.read', ({ sourceAmountMax }) => ({ source_amount_actual: sourceAmountMax })),
  mutation('settlement-rate-cut', 'settlement.fx-rate.as-order')
    .summary('Settlements keep four decimals of the rate.')
    .change(both, 'fx_rate', (value) => cut(value, 4)),
  mutation('settlement-names-last-quote', 'settlement.quote-id.as-order')
    .summary('A settlement names the last quote on its order.')
    .set(both, (_, { quotes }) => ({ quote_id: quotes.at(-1)?.id })),
  mutation('settlement-hash-of-its-own', 'settlement.transaction-hash.as-order')
    .summary('A single settlement shows another hash than its order.')
    .set('settlement.read', (item) => ({ transaction_hash: hashLike(item.intent_id) })),
  mutation('settlement-settled-later', 'settlement.settled-at.as-order')
    .summary('Listed settlements settle a second after their orders.')
    .change('settlement.list', 'settled_at', (value) => shifted(value, 1_000)),
  mutation('settlement-shows-sender', 'settlement.hides-sender-identity')
    .summary('A single settlement shows who was the sender.')
    .leak('settlement.read', ({ senderPartyId }) => ({ sender_party_id: senderPartyId })),
  mutation('settlement-drifts-with-reads', 'settlement.unchanged')
    .summary('From the second read on a settlement has settled a millisecond later.')
    .when((item, context) => context.count(`read ${String(item.intent_id)}`) > 1)
    .change('settlement.read', 'settled_at', (value) => shifted(value, 1)),
  mutation('reverted-order-keeps-a-hash', 'settlement.atomic')
    .summary('An order whose settlement reverted keeps a transaction hash.')
    .storeOrder(({ failureReason, settled }, _before, { now }) => {
      const isReverted = failureReason === 'REVERT' && !settled;
      return isReverted && { settled: { transactionHash: 'ab'.repeat(32), at: now } };
    }),
  mutation('hash-stored-after-the-state', 'order.settled.sets-hash')
    .summary('The hash is written half a second after the order was made SETTLED.')
    .when((_, { order, now }) => order?.settled && now - order.settled.at < 500)
    .drop(orderReads, 'transaction_hash', 'settled_at'),
];
