import type { Mend } from './mend.ts';

/** Lives of orders and quotes: transitions, deadlines, races, settlement. */
export const stateMends: readonly Mend[] = [
  [
    /under-race$|one-accepted-per-order$|second-quote-refused$/,
    'Take the decision and the change in one transaction: an update that names the state it expects (`... where status = ...`) or a lock on the order. The second of two requests then finds the new state and is refused.',
  ],
  [
    /not-early$/,
    'Compare with the stored deadline in full precision. Rounding it to seconds, or a sweep that looks ahead, ends things before their time.',
  ],
  [
    /^order\.state\.pending-to-expired|^quote\.state\.pending-to-expired/,
    'Expire by the deadline and the state alone, whatever else is there: quotes, rejected or lapsed rivals, an accepted proposal. If a sweep does it, let reads judge the deadline as well, so that nobody sees the old state between two sweeps.',
  ],
  [
    /^order\.state\.(quoted-to-expired|accepted-outlives-expires-at)$/,
    'Cancel the timer of the order when a quote is accepted, and arm one for the `valid_until` of that quote; from then on only this one counts.',
  ],
  [
    /^order\.state\.(executing-to-failed|pending-to-failed)$|^settlement\.atomic$/,
    'Handle the failure of the settlement and of validation as an end of their own: FAILED, no hash, no settlement, nothing left half done.',
  ],
  [
    /^order\.state\.(pending-to-quoted|quote-needed|starts-pending)$|^quote\.submit\.order-stays-pending$|^quote\.state\.starts-pending$/,
    'Let nothing but the acceptance of a quote make an order QUOTED. A status in a body, a first quote or an accepted proposal changes none.',
  ],
  [
    /^order\.state\.(quoted-to-executing|executing-to-settled)$|^service\.order-to-settlement$|quote\.accept\.custodian-order-settles$/,
    'Start the settlement from the acceptance itself and let it run to its end without anybody asking. Store each step before you show it: a job that is lost at a restart, or skipped where the custodian accepted, leaves orders standing.',
  ],
  [
    /-absorbs$/,
    'Let end states have no way out: check the current state inside the update. Timers, late callbacks and repeated requests come to ended orders as well.',
  ],
  [
    /listed-transitions-only$/,
    'Write the transitions down as a table and let every change of status go through it. Show a state only once it is stored; a read model that runs behind or ahead makes observers see jumps.',
  ],
  [
    /other-orders-untouched$|only-that-order$|only-that-request$|returns-that-(order|request|settlement)$|quote-of-other-order-refused$/,
    'Use both ids of the path in the query, the order as well as the quote, and no key that another object shares. Nothing may be kept between requests.',
  ],
  [
    /^quote\.state\.(pending-to-accepted|pending-to-rejected|accepted-stays)/,
    'In the transaction of the acceptance set the chosen quote ACCEPTED and every PENDING quote of other makers on that order REJECTED, whoever accepted. Nothing later changes the accepted one.',
  ],
  [
    /^quote\.state\.usable-until-deadline$/,
    'Compare with `valid_until` itself: no margin before it, and no shorter lifetime of your own for quotes.',
  ],
  [
    /^order\.accept\..*-refused$/,
    'Check the state and the deadline of the order and of the quote inside the transaction that accepts, by the clock and not by the stored status alone: a sweep may not have come yet.',
  ],
  [
    /^order\.state\.cancel-ends-order$|^order\.cancel\.never-settles$|^order\.cancel\.request-closes$/,
    'Let a cancel end the order at once, stop its timers and its settlement, and take its request from the list of makers.',
  ],
  [
    /^order\.cancel\.(pending|quoted)/,
    'Allow a cancel as long as the order is PENDING or QUOTED, however many quotes it has and whoever accepted.',
  ],
  [
    /^order\.cancel\.(executing|settled)-/,
    'Check the state inside the transaction that cancels, and refuse with a 4xx once the settlement runs.',
  ],
  [
    /^order\.cancel\.expired-stays$/,
    'Check the state inside the transaction that cancels. Whatever the answer is, an order that has ended keeps its end.',
  ],
  [
    /^proposal\.accept\.order-stays-legal$/,
    'Accepting a proposal is no acceptance of a quote: it sets none of the fields of one, and moves no order that has ended.',
  ],
  [
    /^service\.several-makers-quote$/,
    'Keep the request open to every maker until a quote is accepted; the first quote takes it from nobody.',
  ],
  [
    /^limit\.settlement-duration$/,
    'About four seconds are meant. Where a ledger takes longer this is a warning, which fails no run.',
  ],
  [
    /^limit\.heartbeat-interval|^event\.heartbeat/,
    'Send a heartbeat on every open stream each 30 seconds, by a timer of its own for each stream, whether events go by or not. Look for a proxy that buffers.',
  ],
];
