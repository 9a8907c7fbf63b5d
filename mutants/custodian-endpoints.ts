import type { Written } from './mutation.ts';
import { answers, items, orderAsked, orderIn, payloads, rules, text, without } from './tools.ts';

/** The answer to a custodian, and proposals (4.3). */
export const custodianMutations: readonly Written[] = [
  {
    id: 'custodian-answer-without-rate',
    breaks: ['custodian-acceptance.fx-rate.present'],
    summary: "The answer to a custodian's acceptance has no rate.",
    tamper: items('quote.accept', (item, { party }) =>
      party?.role === 'custodian' ? without(item, 'fx_rate') : item,
    ),
  },
  {
    id: 'custodian-answer-without-moment',
    breaks: ['custodian-acceptance.quote-accepted-at.present'],
    summary: "The answer to a custodian's acceptance does not say when.",
    tamper: items('quote.accept', (item, { party }) =>
      party?.role === 'custodian' ? without(item, 'quote_accepted_at') : item,
    ),
  },
  {
    id: 'custodian-answer-names-no-quote',
    breaks: ['custodian-acceptance.quote-id.present'],
    summary: "The answer to a custodian's acceptance does not name the quote.",
    tamper: items('quote.accept', (item, { party }) =>
      party?.role === 'custodian' ? without(item, 'quote_id') : item,
    ),
  },
  {
    id: 'custodian-answer-says-accepted',
    breaks: ['quote.accept.custodian-returns-quoted', 'custodian-acceptance.status.form'],
    summary: "The answer to a custodian's acceptance has the status of the quote.",
    tamper: items('quote.accept', (item, { party }) =>
      party?.role === 'custodian' ? { ...item, status: 'ACCEPTED' } : item,
    ),
  },
  {
    id: 'custodian-answer-amount-number',
    breaks: ['custodian-acceptance.source-amount-actual.form', 'convention.amounts-as-strings'],
    summary: "The answer to a custodian's acceptance has its amount as a JSON number.",
    tamper: items('quote.accept', (item, { party }) =>
      party?.role === 'custodian'
        ? { ...item, source_amount_actual: +String(item.source_amount_actual) }
        : item,
    ),
  },
  {
    id: 'custodian-answer-with-other-moment',
    breaks: ['quote.accept.custodian-answer-agrees'],
    summary: "The answer to a custodian's acceptance gives a moment that the order does not show.",
    tamper: items('quote.accept', (item, { party }) =>
      party?.role === 'custodian'
        ? {
            ...item,
            quote_accepted_at: String(item.quote_accepted_at).replace(/\.\d+Z$/, '.999Z'),
          }
        : item,
    ),
  },
  {
    id: 'custodian-acceptance-never-settles',
    breaks: ['quote.accept.custodian-order-settles'],
    summary: 'Nothing starts the settlement of an order whose quote the custodian accepted.',
    tamper: () => ({
      outcome: (outcome, command) =>
        command.type === 'request' &&
        command.endpoint === 'quote.accept' &&
        command.caller.role === 'custodian'
          ? { ...outcome, deadlines: [] }
          : outcome,
    }),
  },
  {
    id: 'proposal-refused-to-everybody',
    breaks: ['proposal.accept.by-sender-custodian'],
    summary: 'The custodian of the sender may not accept a proposal: nobody may.',
    tamper: rules(({ access }) => ({
      access: { may: { ...access.may, 'proposal.accept': [] } },
    })),
  },
  {
    id: 'proposal-of-unknown-accepted',
    breaks: ['proposal.accept.unknown-refused'],
    summary: 'The proposal of an unknown order is accepted, without content.',
    tamper: answers('proposal.accept', (wire, context) =>
      wire.status === 404 && !orderAsked(context) ? { status: 204, headers: {} } : wire,
    ),
  },
  {
    id: 'proposal-makes-quoted',
    breaks: ['proposal.accept.order-stays-legal'],
    summary: 'An order whose proposal was accepted reads as QUOTED.',
    tamper: items(['proposal.accept', 'order.read', 'order.list'], (item, context) =>
      item.status === 'PENDING' && orderIn(context, item)?.proposalAccepted
        ? { ...item, status: 'QUOTED' }
        : item,
    ),
  },
  {
    id: 'proposal-rewrites-the-maximum',
    breaks: ['proposal.accept.order-stays-legal', 'order.source-amount-max.unchanged'],
    summary: 'Accepting a proposal fills the maximum up to whole hundreds.',
    tamper: rules(() => ({
      stored: {
        order: (after, before) =>
          after.proposalAccepted && !before?.proposalAccepted
            ? { ...after, sourceAmountMax: `${after.sourceAmountMax.split('.')[0] ?? ''}99` }
            : after,
      },
    })),
  },
  {
    id: 'custodian-cannot-limit-its-stream',
    breaks: ['stream.intent-filter.for-custodian'],
    summary: 'A stream that is limited to one order is opened for institutions alone.',
    tamper: () => ({
      command: (command, { party }) =>
        command.type === 'request' &&
        command.endpoint === 'order.events' &&
        party?.role === 'custodian' &&
        command.query.intent_id !== undefined
          ? undefined
          : command,
    }),
  },
  {
    id: 'memo-extended-in-events',
    breaks: ['order.memo.unchanged'],
    summary: 'order_updated of a settled order carries another memo.',
    tamper: payloads('order_updated', (data) =>
      data.status === 'SETTLED' && data.memo !== undefined
        ? { ...data, memo: `${text(data.memo)} (settled)` }
        : data,
    ),
  },
];
