import { viewsOf } from '../defects/reading.ts';
import type { Json } from '../defects/values.ts';
import { mutation } from '../mutation.ts';
import { type Canary, canary } from './canary.ts';
import { withMore } from './state-changes.ts';

/** True if this party sent this body before, in this world. */
function isRepeated(
  {
    caller,
    body,
    params,
    memory,
  }: {
    readonly caller: { readonly partyId: string };
    readonly body?: unknown;
    readonly params: object;
    readonly memory: Map<string, unknown>;
  },
  what: string,
): boolean {
  const key = `${what} ${caller.partyId} ${JSON.stringify(params)} ${JSON.stringify(body)}`;
  const isKnown = memory.has(key);
  memory.set(key, true);
  return isKnown;
}

/** Defects that need a repeated request, as from a client that got no answer. */
export const retryCanaries: readonly Canary[] = [
  canary(
    mutation('repeated-order-kept-under-another-id', 'order.create.readable-afterwards')
      .summary('An order that is sent again is answered with a fresh id and not kept.')
      .outcomes('order.create', ({ reply }, context) => {
        const isAgain = reply?.ok && isRepeated(context, 'create');
        return isAgain && { state: context.state, events: [], deadlines: [] };
      }),
    'a create that is repeated, such as after a lost answer',
  ),
  canary(
    mutation('repeated-order-is-answered-as-the-first-and-made-anew', 'order.intent-id.unique')
      .summary('A create that is sent again makes another order and is answered with the first.')
      .outcomes('order.create', ({ reply }, { caller, body, memory }) => {
        if (!reply?.ok) return undefined;
        const key = `first ${caller.partyId} ${JSON.stringify(body)}`;
        const first = memory.get(key);
        if (first === undefined) memory.set(key, reply);
        return first !== undefined && { reply: first as typeof reply };
      }),
    'a create that is repeated, such as after a lost answer',
    'a list of orders',
  ),
  canary(
    mutation('repeated-quote-not-kept', 'quote.submit.shown-to-order-side')
      .summary('A quote that is sent again is answered with a fresh id and not kept.')
      .outcomes('quote.submit', ({ reply }, context) => {
        const isAgain = reply?.ok && isRepeated(context, 'quote');
        return isAgain && { state: context.state, events: [], deadlines: [] };
      }),
    'a quote that is repeated, such as after a lost answer',
    'a target where a maker may quote twice',
  ),
  canary(
    mutation('acceptance-sent-again-costs-twice', 'settlement.atomic')
      .summary('An acceptance that is sent again takes a second amount from the sender.')
      .outcomes('quote.accept', (outcome, { order, quote }) => {
        const accepted = order?.accepted;
        const isAgain = accepted !== undefined && accepted.quoteId === quote?.id;
        const owner = order?.senderCustodianPartyId ?? order?.senderPartyId;
        return (
          isAgain &&
          owner !== undefined && {
            state: withMore(
              outcome.state,
              owner,
              order?.sourceCurrency ?? '',
              `-${accepted.sourceAmount}`,
            ),
          }
        );
      }),
    'an acceptance that is repeated, such as after a lost answer',
  ),
  canary(
    mutation('cancel-sent-again-reopens', 'order.state.failed-absorbs')
      .summary('A cancel that is sent again is answered with an order that is PENDING.')
      .grant('order.cancel', (context) => {
        const { order } = context;
        const isAgain = order?.failureReason === 'USER_CANCELLED';
        return isAgain && { ...(viewsOf(context).order(order) as Json), status: 'PENDING' };
      }),
    'a cancel that is repeated, such as after a lost answer',
  ),
  canary(
    mutation('late-acceptance-is-granted', 'order.accept.expired-quote-refused')
      .summary(
        'An acceptance is granted, and has no effect, within a minute after the quote has lapsed.',
      )
      .grant('quote.accept', (context) => {
        const { order, quote, now } = context;
        const isLate = quote && now > quote.validUntil + 1_000 && now < quote.validUntil + 60_000;
        return isLate && order && viewsOf(context).order(order);
      }),
    'an acceptance that is held up for longer than its quote is valid',
  ),
];
