import { runReference, wrongIn } from './harness.ts';
import { orderOf, type Policy, quotesOf } from '../../src/reference/core/index.ts';
import type { Tamper, TamperContext } from '../../src/reference/http/index.ts';
import { referenceAnswers } from '../../src/spec/gaps/index.ts';
import type { RequirementId } from '../../src/spec/requirements/index.ts';

/** A reference with one mistake in it that takes a sequence of commands to show. */
export interface Mistake {
  readonly name: string;
  readonly tamper: () => Tamper;
  /** A rule must call at least one of these requirements broken. */
  readonly breaks: readonly RequirementId[];
  /** The check whose sequences meet it soonest. Absent: it takes those of all. */
  readonly by?: string;
}

const policy = (change: (policy: Policy) => Partial<Policy>): (() => Tamper) => {
  return () => ({ policy: (before) => ({ ...before, ...change(before) }) });
};

/** Does as another party what one asks for. */
const inPlaceOf = (
  when: (
    command: Parameters<NonNullable<Tamper['command']>>[0] & { readonly type: 'request' },
    context: TamperContext,
  ) => string | undefined,
): Tamper => ({
  command: (command, context) => {
    if (command.type !== 'request') return command;
    const partyId = when(command, context);
    const caller = context.parties.find((party) => party.partyId === partyId);
    return caller ? { ...command, caller } : command;
  },
});

export const mistakes: readonly Mistake[] = [
  {
    name: 'a second quote is accepted while the order is QUOTED',
    tamper: policy(({ accept }) => ({
      accept: { ...accept, from: ['PENDING', 'QUOTED'], quoteFrom: ['PENDING', 'REJECTED'] },
    })),
    breaks: ['order.accept.second-quote-refused', 'quote.state.one-accepted-under-race'],
    by: 'model.strangers',
  },
  {
    name: 'the cancel of a QUOTED order is acknowledged, and the order settles',
    tamper: () => ({
      outcome: (outcome, command, { state }) => {
        if (command.type !== 'request' || command.endpoint !== 'order.cancel') return outcome;
        const before = orderOf(state, command.params.intent_id ?? '');
        const kept = before?.status === 'QUOTED' && outcome.reply?.ok;
        return kept
          ? { ...outcome, state, events: [], deadlines: [], reply: { ok: true, status: 204 } }
          : outcome;
      },
    }),
    breaks: ['order.cancel.never-settles', 'order.state.legal-under-race'],
    by: 'model.cancels',
  },
  {
    name: "the receiver's custodian may accept once its sender has cancelled some order",
    tamper: () =>
      inPlaceOf(({ endpoint, caller, params }, { state, memory }) => {
        const order = orderOf(state, params.intent_id ?? '');
        if (endpoint === 'order.cancel') memory.set(caller.partyId, true);
        const isReceiver = order?.receiverCustodianPartyId === caller.partyId;
        const mistaken =
          endpoint === 'quote.accept' && isReceiver && memory.has(order.senderPartyId);
        return mistaken ? order.senderPartyId : undefined;
      }),
    breaks: ['quote.accept.by-receiver-custodian-refused'],
    by: 'model.strangers',
  },
  {
    name: 'a quote is accepted in the second after its deadline',
    tamper: policy(({ accept, time }) => ({
      accept: { ...accept, quoteFrom: ['PENDING', 'EXPIRED'] },
      time: { ...time, passed: (now, deadline) => now > deadline + 1_000 },
    })),
    breaks: ['order.accept.expired-quote-refused'],
    by: 'model.deadlines',
  },
  {
    name: 'an EXECUTING order is cancelled',
    tamper: policy(({ cancel }) => ({
      cancel: { ...cancel, from: ['PENDING', 'QUOTED', 'EXECUTING'] },
    })),
    breaks: ['order.cancel.executing-refused'],
    by: 'model.under-way',
  },
  {
    name: "another institution's cancel is refused, and carried out",
    tamper: () => ({
      ...inPlaceOf(({ endpoint, params }, { state }) =>
        endpoint === 'order.cancel'
          ? orderOf(state, params.intent_id ?? '')?.senderPartyId
          : undefined,
      ),
      response: (wire, { endpoint, party, state, params }) => {
        const order = orderOf(state, params.intent_id ?? '');
        const isForeign = endpoint === 'order.cancel' && party?.partyId !== order?.senderPartyId;
        return isForeign ? { ...wire, status: 404 } : wire;
      },
    }),
    breaks: ['error.refusal-changes-nothing'],
    by: 'model.strangers',
  },
  {
    name: 'a losing quote with a long rate stays PENDING',
    tamper: policy(({ quotes }) => ({
      quotes: {
        ...quotes,
        unselected: (quote, selected) =>
          quote.rate.length > 6 ? 'PENDING' : quotes.unselected(quote, selected),
      },
    })),
    breaks: ['quote.state.pending-to-rejected'],
    by: 'model.rivals',
  },
  {
    name: 'the custodian cannot accept once three quotes are there',
    tamper: () => ({
      command: (command, { state }) =>
        command.type === 'request' &&
        command.endpoint === 'quote.accept' &&
        command.caller.role === 'custodian' &&
        quotesOf(state, command.params.intent_id ?? '').length >= 3
          ? undefined
          : command,
    }),
    breaks: ['quote.state.usable-until-deadline'],
  },
];

export const seeds: readonly string[] = Array.from({ length: 12 }, (_, index) => `${index + 1}`);

/** The first of the seeds under which a rule finds the mistake; undefined if there is none. */
export async function seedThatShows(
  { tamper, breaks, by }: Mistake,
  under: readonly string[] = seeds,
): Promise<string | undefined> {
  for (const seed of under) {
    const wrong = wrongIn(
      await runReference(seed, {
        tamper: tamper(),
        known: referenceAnswers,
        only: by === undefined ? [] : [by],
      }),
    );
    const isFound = wrong.some(
      (one) =>
        'requirement' in one &&
        one.requirement !== undefined &&
        breaks.some((id) => id === one.requirement),
    );
    if (isFound) return seed;
  }
  return undefined;
}
