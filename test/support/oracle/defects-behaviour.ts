import { withExchanges } from './findings-and-edits.ts';
import { partyIds } from './fake-wire.ts';
import { body, type Defects, type Json, read, set, status } from './defects.ts';

/** What a backend can do wrong: with money, with secrets, in its states (2 to 4). */
export const brokenBehaviour: Defects = [
  // money
  [
    'an amount off by a cent',
    'quote.source-amount.agrees-with-rate',
    set({ at: 'order.quotes' }, 'source_amount', '117.67'),
  ],
  [
    'an amount above the maximum',
    'order.source-amount-actual.at-most-max',
    set(read('SETTLED'), 'source_amount_actual', '130.01'),
  ],
  [
    'an actual amount that is not the quoted one',
    'order.source-amount-actual.of-accepted-quote',
    set(read('QUOTED'), 'source_amount_actual', '119.05'),
  ],
  [
    'the rate of a rival',
    'order.fx-rate.of-accepted-quote',
    set({ at: 'quote.accept', nth: 0 }, 'fx_rate', '0.84'),
  ],
  [
    'the maker of a rival',
    'order.market-maker-party-id.is-winner',
    set(read('QUOTED'), 'market_maker_party_id', partyIds.maker_b),
  ],
  [
    'a rate that is not the submitted one',
    'own-quote.fx-rate.echo',
    set({ at: 'quote.submit', nth: 1 }, 'fx_rate', '0.8401'),
  ],
  [
    'a list with another rate',
    'quote.fx-rate.as-submitted',
    set({ at: 'order.quotes', nth: 0 }, 'fx_rate', '0.8'),
  ],
  [
    'a settlement with another rate',
    'settlement.fx-rate.as-order',
    set({ at: 'settlement.read' }, 'fx_rate', '0.84'),
  ],
  [
    'a settlement with another amount delivered',
    'settlement.mm-delivered-target-amount.as-order',
    set({ at: 'settlement.list' }, 'mm_delivered_target_amount', '99.00'),
  ],
  // privacy
  [
    'the sender in a request',
    'rfq.read.hides-sender-identity',
    set({ at: 'rfq.read', nth: 0 }, 'sender_party_id', partyIds.sender),
  ],
  [
    'the sender in a heartbeat',
    'maker.sees-no-sender-identity',
    set({ at: 'heartbeat', party: 'maker_c' }, 'last_of', partyIds.sender),
  ],
  [
    'the sender in what a maker is told of itself',
    'maker.sees-no-sender-identity',
    set({ at: 'identity.read', party: 'maker_b' }, 'last_client', partyIds.sender),
  ],
  [
    'the sender in what comes with a token',
    'maker.sees-no-sender-identity',
    set({ at: 'token.create', party: 'maker_a', nth: 0 }, 'clients', [partyIds.sender]),
  ],
  [
    'the sender cut short',
    'rfq.read.hides-sender-identity',
    set({ at: 'rfq.read', nth: 0 }, 'from', partyIds.sender.replace(/(?<=::.{6}).*/, '...')),
  ],
  [
    'the custodian deep in a list',
    'rfq.list.hides-sender-identity',
    set({ at: 'rfq.list', nth: 0 }, 'parties', [{ of: { them: partyIds.sender_custodian } }]),
  ],
  [
    'the name of the sender in an event',
    'event.quote-request-new.hides-sender-identity',
    set({ at: 'quote_request_new', nth: 0 }, 'from', 'Alder'),
  ],
  [
    'the sender encoded in a reference',
    'rfq.list.hides-sender-identity',
    set({ at: 'rfq.list', nth: 0 }, 'ref', `v1.${btoa(partyIds.sender)}`),
  ],
  [
    'the sender within encoded JSON',
    'rfq.list.hides-sender-identity',
    set({ at: 'rfq.list', nth: 0 }, 'cursor', `c_${btoa(`{"id":17,"of":"${partyIds.sender}"}`)}`),
  ],
  [
    'the custodian as hexadecimal bytes',
    'event.quote-request-new.hides-sender-identity',
    set(
      { at: 'quote_request_new', nth: 0 },
      'tag',
      Buffer.from(partyIds.sender_custodian).toString('hex').toUpperCase(),
    ),
  ],
  [
    'the custodian in the meta object of a list',
    'rfq.list.hides-sender-identity',
    body({ at: 'rfq.list' }, (found) => {
      found['meta'] = { ...(found['meta'] as Json), origin: partyIds.sender_custodian };
    }),
  ],
  [
    'the sender in a header',
    'rfq.read.hides-sender-identity',
    (history) =>
      withExchanges(history, { at: 'rfq.read' }, (exchange) => {
        const { response } = exchange;
        if (!response) return;
        const headers = { ...response.headers, 'x-origin': partyIds.sender };
        exchange.response = { ...response, headers };
      }),
  ],
  [
    'the sender as a key',
    'rfq.read.hides-sender-identity',
    set({ at: 'rfq.read', nth: 0 }, partyIds.sender, true),
  ],
  [
    'the sender in an own quote',
    'maker.sees-no-sender-identity',
    set({ at: 'quote.submit', nth: 0 }, 'for', partyIds.sender),
  ],
  [
    "the sender's custodian in the end of a request",
    'maker.sees-no-sender-identity',
    set({ at: 'quote_request_expired' }, 'custodian', partyIds.sender_custodian),
  ],
  // states
  [
    'a new order that is QUOTED',
    'order.state.starts-pending',
    set({ at: 'order.create', nth: 0 }, 'status', 'QUOTED'),
  ],
  [
    'an order that goes back',
    'order.state.listed-transitions-only',
    set(read('EXECUTING'), 'status', 'PENDING'),
  ],
  [
    'a settled order that fails',
    'order.state.settled-absorbs',
    set({ at: 'order.list', party: 'sender', status: 'SETTLED' }, 'status', 'FAILED'),
  ],
  [
    'an acceptance that stays PENDING',
    'quote.accept.returns-quoted',
    set({ at: 'quote.accept', nth: 0 }, 'status', 'PENDING'),
  ],
  [
    'an acceptance by the custodian that is EXECUTING',
    'quote.accept.custodian-returns-quoted',
    set({ at: 'quote.accept', party: 'sender_custodian' }, 'status', 'EXECUTING'),
  ],
  [
    'a second acceptance',
    'order.accept.second-quote-refused',
    status({ at: 'quote.accept', nth: 1 }, 200),
  ],
  [
    'a cancel of a settled order',
    'order.cancel.settled-refused',
    status({ at: 'order.cancel', nth: 0 }, 200),
  ],
  [
    'a cancelled order that settles',
    'order.cancel.never-settles',
    set({ at: 'order.read', party: 'sender', status: 'FAILED' }, 'status', 'SETTLED'),
  ],
  [
    'a cancelled order that stays',
    'order.state.cancel-ends-order',
    set({ at: 'order.read', party: 'sender', status: 'FAILED' }, 'status', 'PENDING'),
  ],
  [
    'an order that never expires',
    'order.state.pending-to-expired',
    set(read('EXPIRED'), 'status', 'PENDING'),
  ],
  [
    'an order that settles without acceptance',
    'order.state.quote-needed',
    set(read('EXPIRED'), 'status', 'EXECUTING'),
  ],
  [
    'a rival that stays PENDING',
    'quote.state.pending-to-rejected',
    set({ at: 'order.quotes', party: 'sender', status: 'REJECTED' }, 'status', 'PENDING'),
  ],
  [
    'two accepted quotes',
    'quote.state.one-accepted-per-order',
    set({ at: 'rfq.quotes', party: 'maker_b', status: 'REJECTED' }, 'status', 'ACCEPTED'),
  ],
  [
    'an accepted quote that expires',
    'quote.state.accepted-stays-through-settlement',
    set({ at: 'order.quotes', party: 'sender', status: 'ACCEPTED' }, 'status', 'EXPIRED'),
  ],
  [
    'a quote that does not expire',
    'quote.state.pending-to-expired',
    set({ at: 'order.quotes', party: 'sender', status: 'EXPIRED' }, 'status', 'PENDING'),
  ],
  [
    'a quote that expires early',
    'quote.state.pending-to-expired.not-early',
    set({ at: 'order.quotes', status: 'PENDING', nth: 0 }, 'status', 'EXPIRED'),
  ],
  [
    'a submission answered with 200',
    'quote.submit.status-201',
    status({ at: 'quote.submit', nth: 1 }, 200),
  ],
  [
    'an acceptance that returns another order',
    'quote.accept.returns-order',
    set({ at: 'quote.accept', nth: 0 }, 'intent_id', '00000000-0000-4000-8000-aa0000000009'),
  ],
  [
    'a custodian told another rate',
    'quote.accept.custodian-answer-agrees',
    set({ at: 'quote.accept', party: 'sender_custodian' }, 'fx_rate', '0.9'),
  ],
];
