import type { EndpointName } from '../spec/endpoints.ts';
import type { Command, Deadline, OutgoingEvent, Reply } from './contract.ts';
import { fire } from './due.ts';
import { setFault } from './faults.ts';
import { acceptQuote } from './requests/accept.ts';
import {
  acceptProposal,
  cancelOrder,
  createOrder,
  listOrders,
  readOrderById,
} from './requests/orders.ts';
import {
  listSettlements,
  openStream,
  readIdentity,
  readSettlement,
  readStats,
} from './requests/others.ts';
import {
  listOwnQuotes,
  listOwnQuotesOfRfq,
  listQuotesOfOrder,
  submitQuote,
} from './requests/quotes.ts';
import { listRfqs, readRfq } from './requests/rfqs.ts';
import type { Handler } from './requests/route.ts';
import type { State } from './state.ts';
import { Work } from './work.ts';

/** What a step comes to: the shell answers with the reply, sends the events and keeps the deadlines. */
export interface Outcome {
  readonly state: State;
  /** Of requests only. */
  readonly reply?: Reply | undefined;
  readonly events: readonly OutgoingEvent[];
  /** Moments to come back at with a `due` command; they may be now, or past. */
  readonly deadlines: readonly Deadline[];
}

/** The shell answers these by itself: they need no state. */
const outside: Handler = (_work, request) => {
  throw new Error(`${request.endpoint} is not for the core`);
};

const handlers: Readonly<Record<EndpointName, Handler>> = {
  'token.create': outside,
  'health.read': outside,
  'identity.read': readIdentity,
  'stats.read': readStats,
  'order.create': createOrder,
  'order.list': listOrders,
  'order.events': openStream,
  'order.read': readOrderById,
  'order.cancel': cancelOrder,
  'order.quotes': listQuotesOfOrder,
  'proposal.accept': acceptProposal,
  'quote.accept': acceptQuote,
  'rfq.list': listRfqs,
  'rfq.read': readRfq,
  'quote.submit': submitQuote,
  'rfq.quotes': listOwnQuotesOfRfq,
  'quote.list': listOwnQuotes,
  'settlement.list': listSettlements,
  'settlement.read': readSettlement,
  'maker.events': openStream,
};

function perform(work: Work, command: Command): Reply | undefined {
  switch (command.type) {
    case 'request':
      return handlers[command.endpoint](work, command);
    case 'due':
      fire(work, command.deadline);
      return undefined;
    case 'fault':
      setFault(work, command);
      return undefined;
  }
}

/**
 * Carries out one command at a moment. The state that went in stays as it was; a refusal, a read and a stale
 * deadline hand back the same state. Throws for nothing that a caller sends.
 */
export function step(state: State, command: Command, now: number): Outcome {
  const { world } = state;
  const { version, result } = state.version.next((heap, apply) => {
    const work = new Work(world, command, now, heap, apply);
    const reply = perform(work, command);
    return { reply, events: work.events, deadlines: work.deadlines };
  });
  const next = version === state.version ? state : { world, version };
  return { state: next, ...result };
}
