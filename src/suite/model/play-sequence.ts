import type { Party } from '../../client/contract.ts';
import type { Exchange } from '../../history/records.ts';
import { tolerance } from '../../protocol/tolerances.ts';
import { terminalOrderStates } from '../../spec/states.ts';
import type { CastName } from '../../spec/requirements/index.ts';
import { UnknownEffectError } from '../engine/answered-only.ts';
import type { Check, CheckContext } from '../engine/check.ts';
import { awaitStatus } from '../actions/await-state-or-event.ts';
import { cancelOptions, createOrder, paramsOf, type PlacedOrder } from '../actions/orders.ts';
import { fieldsOf, isObject, isRefusal, textOf } from '../../protocol/answers.ts';
import { modestValidityMs, placedQuote, quoteBody, type QuoteOptions } from '../actions/quotes.ts';
import { linearize } from '../../oracle/model/linearize.ts';
import { type IsDue, type OrderHistory, orderHistoryOf } from '../../oracle/model/order-history.ts';
import { viewOf } from '../../oracle/trace/history-view.ts';
import { ruleContext } from '../engine/apply-rules.ts';
import {
  type Command,
  isCommand,
  type Label,
  type Profile,
  type Sequence,
  sequencesOf,
  type Step,
  type Validity,
} from './sequences.ts';

/** Target time that all waits of one sequence may take. */
const waitsMs = 5_000;
/** Maximum target time of one sequence, including its settlement. */
const longestMs = waitsMs + tolerance.settlement + 4_000;

const briefMs = 2_000;
const retryPausesMs = [600, 1_600];

/** The exchange whose effect is unknown: the model allows for both outcomes. */
function exchangeOfUnknownEffect(thrown: unknown): Exchange {
  if (thrown instanceof UnknownEffectError && thrown.exchange) return thrown.exchange;
  throw thrown;
}

interface Sent {
  readonly quoteId: string;
  readonly validUntil: number;
}

/** Plays one sequence; asserts nothing. */
class SequencePlayer {
  readonly #t: CheckContext;
  /** Everything that it sent; each with the number of its own answers that came before. */
  readonly #records: Exchange[] = [];
  readonly #orders = new Map<Label, PlacedOrder>();
  readonly #quotes = new Map<Label, Sent>();
  #waitedMs = 0;

  constructor(t: CheckContext) {
    this.#t = { ...t, party: (name) => this.#listening(t.party(name)) };
  }

  /** A party whose exchanges are all kept. */
  #listening(party: Party): Party {
    const kept = async (call: () => Promise<Exchange>): Promise<Exchange> => {
      const precededBy = this.#records.length;
      const exchange = await call().catch(exchangeOfUnknownEffect);
      this.#records.push({ ...exchange, precededBy });
      return exchange;
    };
    return {
      name: party.name,
      role: party.role,
      baseUrl: party.baseUrl,
      partyId: party.partyId,
      token: party.token,
      events: party.events,
      listen: (options) => party.listen(options),
      send: (method, path, options) => kept(() => party.send(method, path, options)),
      call: (endpoint, options) => kept(() => party.call(endpoint, options)),
    };
  }

  #isDeclared(name: CastName): boolean {
    return this.#t.target.parties[name] !== undefined;
  }

  #historyOf({ intentId }: PlacedOrder): OrderHistory | undefined {
    const { target } = this.#t;
    const view = viewOf({ records: this.#records }, ruleContext(target, new Set()));
    const trace = view.order(intentId.toLowerCase());
    const mayWantBody = target.answers.get('cancel.request') === undefined;
    const isDue: IsDue = ({ endpoint, sent }) =>
      endpoint !== 'order.cancel' || !mayWantBody || isObject(sent);
    return trace && orderHistoryOf(view, trace, isDue);
  }

  async play(sequence: Sequence): Promise<void> {
    for (const step of sequence) await this.#do(step);
    for (const order of this.#orders.values()) await this.#finish(order);
  }

  async #do(step: Step): Promise<void> {
    if (isCommand(step)) return this.#sendUntilExplained(step);
    switch (step.do) {
      case 'create': {
        if (!this.#isDeclared(step.by)) return;
        const changes = step.maximum === 'tight' ? { source_amount_max: '900.00' } : {};
        this.#orders.set(step.label, await createOrder(this.#t, changes, { by: step.by }));
        return;
      }
      case 'wait':
        return this.#wait(step.ms);
      case 'await the deadline': {
        const quote = this.#quotes.get(step.quote);
        const { timeline, clock } = this.#t.target;
        if (quote) {
          const { least, most } = clock.offset;
          const offset = step.leadMs >= 0 ? most : least;
          await this.#wait(quote.validUntil - offset - step.leadMs - timeline.now());
        }
        return;
      }
      case 'list orders':
        if (this.#isDeclared(step.by)) await this.#t.party(step.by).call('order.list');
        return;
      case 'list requests':
        if (this.#isDeclared(step.by)) await this.#t.party(step.by).call('rfq.list');
        return;
      case 'at once': {
        const { timeline } = this.#t.target;
        await timeline.together(
          step.commands.map((command) => [command.do, () => this.#send(command)]),
        );
        return;
      }
    }
  }

  async #wait(ms: number): Promise<void> {
    if (ms <= 0 || this.#waitedMs + ms > waitsMs) return;
    this.#waitedMs += ms;
    await this.#t.target.timeline.sleep(ms);
  }

  /**
   * Sends a command that no other command overlaps. If it was refused, but an up-to-date backend must grant it, it is
   * sent again until the backend must be up to date (gap `views.lag`).
   */
  async #sendUntilExplained(command: Command): Promise<void> {
    const exchange = await this.#send(command);
    if (!exchange || !isRefusal(exchange)) return;
    const order = this.#orders.get(command.order);
    // No other refusal needs an explanation.
    const isOwn = command.by === order?.by || command.by === 'sender_custodian';
    if (!isOwn || (command.do !== 'accept' && command.do !== 'cancel')) return;
    for (const pauseMs of retryPausesMs) {
      const history = order && this.#historyOf(order);
      if (!history || linearize(history, history.operations, { views: 'fresh' }).kind !== 'illegal')
        return;
      await this.#t.target.timeline.sleep(pauseMs);
      const again = await this.#send(command);
      if (!again || !isRefusal(again)) return;
    }
  }

  /** Sends one command; sends nothing if its order or quote does not exist. */
  async #send(command: Command): Promise<Exchange | undefined> {
    const order = this.#orders.get(command.order);
    if (!order || !this.#isDeclared(command.by)) return undefined;
    const party = this.#t.party(command.by);
    const params = paramsOf(order);
    switch (command.do) {
      case 'quote':
        return this.#quote(order, command);
      case 'accept': {
        const quote = this.#quotes.get(command.quote);
        if (!quote) return undefined;
        return party.call('quote.accept', { params: { ...params, quote_id: quote.quoteId } });
      }
      case 'cancel': {
        const bare = await party.call('order.cancel', cancelOptions(this.#t, order));
        const known = this.#t.target.answers.get('cancel.request');
        const wantsBody = isRefusal(bare) && command.by === order.by && known === undefined;
        return wantsBody ? party.call('order.cancel', { params, body: {} }) : bare;
      }
      case 'accept the proposal':
        return party.call('proposal.accept', { params });
      case 'read':
        return party.call(party.role === 'market-maker' ? 'rfq.read' : 'order.read', { params });
      case 'list the quotes':
        return party.call(party.role === 'market-maker' ? 'rfq.quotes' : 'order.quotes', {
          params,
        });
    }
  }

  async #quote(
    order: PlacedOrder,
    command: Extract<Command, { readonly do: 'quote' }>,
  ): Promise<Exchange> {
    const { by, rate, label } = command;
    const submit = (options: QuoteOptions): Promise<Exchange> =>
      this.#t.party(by).call('quote.submit', {
        params: paramsOf(order),
        body: quoteBody(this.#t, order, { rate, ...options }),
      });
    const first = await submit(validityOf(order, command.validity));
    // The maximum validity of a quote is open, so a long validity may be the reason.
    const tooLong = isRefusal(first) && command.validity !== 'brief';
    const exchange = tooLong ? await submit({ validForMs: modestValidityMs }) : first;
    const placed = placedQuote(by, exchange);
    if (placed) this.#quotes.set(label, placed);
    return exchange;
  }

  /**
   * Waits for the end of an order that may have been accepted, and reads it as every party of its side; as its creator
   * alone if no request was about it.
   */
  async #finish(order: PlacedOrder): Promise<void> {
    const t = this.#t;
    const now = await t.party(order.by).call('order.read', { params: paramsOf(order) });
    const state = textOf(fieldsOf(now), 'status');
    if (state === 'QUOTED' || state === 'EXECUTING')
      await awaitStatus(t, order, terminalOrderStates, tolerance.settlement, order.by);
    const isTouched = this.#records.some(
      ({ request, params }) => request.method === 'POST' && params.intent_id === order.intentId,
    );
    if (!isTouched) return;
    for (const by of [order.by, 'sender_custodian', 'receiver_custodian'] as const) {
      if (!this.#isDeclared(by)) continue;
      if (by !== order.by) await t.party(by).call('order.read', { params: paramsOf(order) });
      if (by === 'receiver_custodian') continue;
      await t.party(by).call('order.quotes', { params: paramsOf(order) });
    }
  }
}

const validityOf = (order: PlacedOrder, validity: Validity): QuoteOptions => {
  if (validity === 'brief') return { validForMs: briefMs };
  return validity === 'beyond' && order.expiresAt !== undefined
    ? { validUntil: order.expiresAt + modestValidityMs }
    : {};
};

export interface SequenceCheck {
  readonly id: string;
  readonly title: string;
  readonly profile: Profile;
  /** Number of sequences that are played side by side. */
  readonly sequences: number;
}

/**
 * A check that plays drawn sequences of commands side by side. The rules judge them: `order.effects` holds the history
 * of each order to the model.
 */
export const sequenceCheck = ({ id, title, profile, sequences }: SequenceCheck): Check => ({
  id,
  title,
  requirements: [
    'order.state.legal-under-race',
    'order.state.listed-transitions-only',
    'order.state.executing-to-settled',
    'order.cancel.pending',
    'order.cancel.pending-with-quotes',
    'quote.state.listed-transitions-only',
    'quote.state.usable-until-deadline',
  ],
  needs: { parties: ['sender', 'maker_a'], waitMs: longestMs },
  async run(t) {
    const { timeline } = t.target;
    const drawn = await timeline.turn(() => sequencesOf(profile, t.random, sequences));
    await timeline.together(
      drawn.map((sequence, index) => [
        `${id} ${index + 1}`,
        () => new SequencePlayer(t).play(sequence),
      ]),
    );
  },
});
