import type { Written } from './mutation.ts';
import {
  answers,
  items,
  type Json,
  orderAnswers,
  orderIn,
  ordersBy,
  requests,
  rules,
  shifted,
} from './tools.ts';

/** What an order shows of what its sender sent, and of its creation (2.2). */
export const orderEchoMutations: readonly Written[] = [
  {
    id: 'memo-echoed-trimmed',
    breaks: ['order.memo.echo'],
    summary: 'A memo loses what is beyond its first forty characters.',
    tamper: rules(() => ({
      stored: {
        order: (after) =>
          after.memo === undefined ? after : { ...after, memo: after.memo.slice(0, 40) },
      },
    })),
  },
  {
    id: 'memo-without-its-blanks',
    breaks: ['order.memo.echo'],
    summary: 'Blanks at the ends of a memo are not stored.',
    tamper: rules(() => ({
      stored: {
        order: (after) =>
          after.memo === undefined ? after : { ...after, memo: after.memo.trim() },
      },
    })),
  },
  {
    id: 'memo-as-ascii',
    breaks: ['order.memo.echo'],
    summary: 'Characters of a memo that are no ASCII are read back as question marks.',
    tamper: items(orderAnswers, (item) =>
      typeof item.memo === 'string' ? { ...item, memo: asAscii(item.memo) } : item,
    ),
  },
  {
    id: 'amount-loses-long-decimals',
    breaks: ['order.target-amount.echo'],
    summary: 'A target amount keeps two decimals of those that were sent.',
    tamper: rules(() => ({
      stored: {
        order: (after) => ({
          ...after,
          targetAmount: after.targetAmount.replace(/(\.\d\d)\d+$/, '$1'),
        }),
      },
    })),
  },
  {
    id: 'amount-cut-to-eight-decimals',
    breaks: ['order.target-amount.echo'],
    summary: 'A target amount is stored with eight decimals, and loses those beyond.',
    tamper: rules(() => ({
      stored: {
        order: (after) => ({
          ...after,
          targetAmount: after.targetAmount.replace(/(\.\d{8})\d+$/, '$1'),
        }),
      },
    })),
  },
  {
    id: 'maximum-through-a-float',
    breaks: ['order.source-amount-max.echo'],
    summary: 'A maximum goes through a floating-point number: long ones lose their last digits.',
    tamper: items(orderAnswers, (item) =>
      String(item.source_amount_max).replace('.', '').length > 15
        ? { ...item, source_amount_max: String(+String(item.source_amount_max)) }
        : item,
    ),
  },
  {
    id: 'custodians-swapped-for-custodian',
    breaks: ['order.sender-custodian-party-id.echo', 'order.receiver-custodian-party-id.echo'],
    summary: 'A custodian reads both custodians of an order the wrong way round.',
    tamper: items('order.read', (item, { party }) =>
      party?.role === 'custodian'
        ? {
            ...item,
            sender_custodian_party_id: item.receiver_custodian_party_id,
            receiver_custodian_party_id: item.sender_custodian_party_id,
          }
        : item,
    ),
  },
  {
    id: 'receiver-is-the-sender-in-lists',
    breaks: ['order.receiver-party-id.echo'],
    summary: 'Lists of orders show the sender as the receiver.',
    tamper: items('order.list', (item) => ({ ...item, receiver_party_id: item.sender_party_id })),
  },
  {
    id: 'contract-index-lost',
    breaks: ['order.source-contract-id.echo', 'order.source-contract-id.form'],
    summary: 'The index of a source contract is lost when the order is read.',
    tamper: items('order.read', (item) => ({
      ...item,
      source_contract_id: String(item.source_contract_id).split('#')[0],
    })),
  },
  {
    id: 'signature-truncated',
    breaks: ['order.intent-signature.echo'],
    summary: 'A signature is kept in a column of 64 characters.',
    tamper: items(['order.read', 'order.list'], (item) => ({
      ...item,
      intent_signature: String(item.intent_signature).slice(0, 64),
    })),
  },
  {
    id: 'currencies-swapped-in-acceptance',
    breaks: ['order.source-currency.echo', 'order.target-currency.echo'],
    summary: 'The order that an acceptance returns has its currencies the wrong way round.',
    tamper: items('quote.accept', (item, { party }) =>
      party?.role === 'institution'
        ? { ...item, source_currency: item.target_currency, target_currency: item.source_currency }
        : item,
    ),
  },
  {
    id: 'second-order-shares-contract',
    breaks: ['order.source-contract-id.echo'],
    summary: 'With two orders open the newer is shown over the contract of the older.',
    tamper: items('order.read', (item, context) => {
      const order = orderIn(context, item);
      const open = ordersBy(context, order?.senderPartyId ?? '').filter(
        ({ status }) => status === 'PENDING',
      );
      const first = open[0];
      return order && first && open.length > 1 && open.at(-1)?.id === order.id
        ? { ...item, source_contract_id: first.sourceContractId }
        : item;
    }),
  },
  {
    id: 'read-answers-the-neighbour',
    breaks: ['order.read.returns-that-order', 'order.intent-id.unchanged'],
    summary: 'An order that has failed is read under the id of the one created before it.',
    tamper: items('order.read', (item, context) => {
      const order = orderIn(context, item);
      const before = ordersBy(context, order?.senderPartyId ?? '').filter(
        ({ seq }) => seq < (order?.seq ?? 0),
      );
      return item.status === 'FAILED' && before.length > 0
        ? { ...item, intent_id: before.at(-1)?.id }
        : item;
    }),
  },
  {
    id: 'sender-is-the-custodian',
    breaks: ['order.sender-party-id.is-creator'],
    summary: 'In the list of a custodian an order is sent by the custodian itself.',
    tamper: items('order.list', (item, { party }) =>
      party?.role === 'custodian' ? { ...item, sender_party_id: party.partyId } : item,
    ),
  },
  {
    id: 'created-at-of-the-request-before',
    breaks: ['order.created-at.at-creation'],
    summary: 'created_at is rounded down to a whole minute.',
    tamper: rules(() => ({
      stored: {
        order: (after, before) =>
          before ? after : { ...after, createdAt: after.createdAt - (after.createdAt % 60_000) },
      },
    })),
  },
  {
    id: 'created-at-moves-with-changes',
    breaks: ['order.created-at.unchanged'],
    summary: 'created_at is the moment of the last change once a quote is accepted.',
    tamper: rules(() => ({
      stored: {
        order: (after, before, { now }) =>
          before && after.accepted && !before.accepted ? { ...after, createdAt: now } : after,
      },
    })),
  },
  {
    id: 'expired-before-created',
    breaks: ['order.expires-at.after-creation'],
    summary: 'A custodian reads expires_at in a zone nine hours behind, said to be UTC.',
    tamper: items(['order.read', 'order.list'], (item, { party }) =>
      party?.role === 'custodian'
        ? { ...item, expires_at: shifted(item.expires_at, -9 * 3_600_000) }
        : item,
    ),
  },
  {
    id: 'expiry-extended-by-quotes',
    breaks: ['order.expires-at.unchanged'],
    summary: 'A cancel moves expires_at to its own moment.',
    tamper: rules(() => ({
      stored: {
        order: (after, before, { now }) =>
          before && after.failureReason === 'USER_CANCELLED' ? { ...after, expiresAt: now } : after,
      },
    })),
  },
  {
    id: 'ids-shared-after-a-cancel',
    breaks: ['order.intent-id.unique'],
    summary: 'The answer to a creation after a cancel names the cancelled order.',
    tamper: items('order.create', (item, context) => {
      const cancelled = ordersBy(context, String(item.sender_party_id)).filter(
        ({ failureReason }) => failureReason === 'USER_CANCELLED',
      );
      const last = cancelled.at(-1);
      return last && context.count(last.id) === 1 ? { ...item, intent_id: last.id } : item;
    }),
  },
  {
    id: 'amount-read-up-to-the-first-letter',
    breaks: ['order.create.malformed-amount-refused'],
    summary: 'Of a target amount that begins as a number the rest is ignored.',
    tamper: requests('order.create', (request) => {
      const body = request.body as Json | undefined;
      const begin = /^(\d+(?:\.\d+)?)[^\d.eE+-]/.exec(String(body?.target_amount));
      return begin ? { ...request, body: { ...body, target_amount: begin[1] } } : undefined;
    }),
  },
  {
    id: 'every-fifth-order-not-listed',
    breaks: ['order.list.complete'],
    summary: 'Every fifth order of a sender is missing from its unfiltered list.',
    tamper: answers('order.list', (wire, context) => {
      const body = wire.body as { data?: readonly Json[] } | undefined;
      if (wire.status >= 300 || !body?.data || context.query.status !== undefined) return wire;
      const data = body.data.filter((item) => {
        const order = orderIn(context, item);
        return order === undefined || order.seq % 5 !== 4;
      });
      return { ...wire, body: { ...body, data } };
    }),
  },
  {
    id: 'memo-without-marks-between-brackets',
    breaks: ['order.memo.echo'],
    summary: 'A memo is read without what stands between angle brackets.',
    tamper: items(['order.read', 'order.list'], (item) => ({
      ...item,
      ...(typeof item.memo === 'string' && { memo: item.memo.replace(/<[^>]*>/g, '') }),
    })),
  },
  {
    id: 'tiny-amount-with-an-exponent',
    breaks: ['order.target-amount.form'],
    summary: 'An amount below a millionth is written with an exponent.',
    tamper: items('order.read', (item) => ({
      ...item,
      ...(Number(item.target_amount) < 1e-6 && {
        target_amount: String(Number(item.target_amount)),
      }),
    })),
  },
  {
    id: 'memo-escaped-for-a-page',
    breaks: ['order.memo.echo'],
    summary: 'A memo is read with its ampersands escaped as in HTML.',
    tamper: items('order.read', (item) => ({
      ...item,
      ...(typeof item.memo === 'string' && { memo: item.memo.replaceAll('&', '&amp;') }),
    })),
  },
];

const asAscii = (memo: string): string =>
  Array.from(memo, (one) => ((one.codePointAt(0) ?? 0) < 128 ? one : '?')).join('');
