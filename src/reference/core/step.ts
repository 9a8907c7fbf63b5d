import type { EndpointName } from '../../spec/endpoints.ts';
import type { Command, Deadline, OutgoingEvent, Reply } from './contract.ts';
import { fireDeadline } from './lifecycle/fire-deadline.ts';
import { setFault } from './lifecycle/faults.ts';
import { acceptQuote } from './requests/accept-quote.ts';
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
} from './requests/other-reads.ts';
import {
  listOwnQuotes,
  listOwnQuotesOfRfq,
  listQuotesOfOrder,
  listRfqs,
  readRfq,
  submitQuote,
} from './requests/quotes.ts';
import type { Handler } from './requests/handler.ts';
import type { State } from './state.ts';
import { UnitOfWork } from './unit-of-work.ts';

/** Result of a step: the shell answers with the reply, sends the events and keeps the deadlines. */
export interface StepOutcome {
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

function perform(work: UnitOfWork, command: Command): Reply | undefined {
  switch (command.type) {
    case 'request':
      return handlers[command.endpoint](work, command);
    case 'due':
      fireDeadline(work, command.deadline);
      return undefined;
    case 'fault':
      setFault(work, command);
      return undefined;
  }
}

/**
 * Carries out one command at a moment. The input state stays unchanged; a refusal, a read and a stale deadline return
 * the same state. Never throws because of input from a caller.
 */
export function step(state: State, command: Command, now: number): StepOutcome {
  const { world } = state;
  const { version, result } = state.version.next((tables, apply) => {
    const work = new UnitOfWork(world, command, now, tables, apply);
    const reply = perform(work, command);
    return { reply, events: work.events, deadlines: work.deadlines };
  });
  const next = version === state.version ? state : { world, version };
  return { state: next, ...result };
}
