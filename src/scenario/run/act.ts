import type { Exchange } from '../../history/records.ts';
import { describeExchange, noAnswerReason, sentBody, succeeded } from '../../protocol/answers.ts';
import { isMadeUp, mayMissAParty } from '../../protocol/order-body.ts';
import { actionOf, answerOf } from '../language/actions.ts';
import type { ActStep, Refusal } from '../language/steps/act.ts';
import { rawAnswer, unknown } from '../language/types.ts';
import { answerValue, isRefusal, answerText, refusalBody } from './answers.ts';
import { evaluate } from './evaluate.ts';
import { end, fail, type Mismatch } from './halt.ts';
import { mismatches } from './match.ts';
import { expectUnchanged } from './unchanged-after-refusal.ts';
import { credentialFor, idIn, noteAction, perform } from './request.ts';
import { allowanceMs, type StepContext, tooLong } from './session.ts';
import { type PartyStream, openPartyStream } from './streams.ts';
import type { Value } from './values.ts';
import { formatTimestamp } from '../../spec/forms.ts';
import type { SourceLocation } from '../../yaml/index.ts';
import type { Located } from '../language/arg.ts';

/** Performs one action of a party, and checks the answer. */
export async function act(step: ActStep, ctx: StepContext): Promise<void> {
  const { endpoint } = actionOf(step.action.value);
  if (endpoint === 'events') return openStream(step, ctx);
  if (endpoint === 'drop' || endpoint === 'resume') return changeStream(step, ctx, endpoint);
  if (step.eventually) return actUntil(step, step.eventually, ctx);
  const party = ctx.session.party(step.party);
  const sure = step.refused && step.refused.statuses !== 'maybe';
  const unchanged = sure ? await expectUnchanged(step, ctx) : undefined;
  const exchange = await perform(step, party, ctx);
  const answer = checkAnswer(step, exchange, ctx);
  await unchanged?.(exchange);
  if (step.save) ctx.env.set(step.save.value, answer);
  if (step.refused?.statuses === 'maybe' && isRefusal(exchange)) ctx.session.refusals.add(answer);
  if (step.before) inTime(step, step.before, exchange, ctx);
}

function checkAnswer(step: ActStep, exchange: Exchange, ctx: StepContext): Value {
  const seen = [exchange];
  const wrongStatus = (at: SourceLocation, message: string, expected: string, actual: string) => {
    if (lacksReceiver(exchange))
      end('inconclusive', `${describeExchange(exchange)}: ${noReceiver}`);
    fail(at, message, { mismatches: [{ at, path: 'status code', expected, actual }], seen });
  };
  if (exchange.error && metAFault(exchange, ctx)) {
    if (restsOnAnswer(step)) end('inconclusive', unheard);
    return answerOfStep(step, exchange, ctx);
  }
  const status = exchange.response?.status ?? 0;
  if (!isNamed(step, status)) endIfUnanswered(exchange, ctx);
  const shownStatus = `${status}${refusalBody(exchange)}`;
  if (step.refused) {
    const { at, statuses } = step.refused;
    const fits =
      statuses === 'maybe'
        ? succeeded(exchange) || isRefusal(exchange)
        : statuses === 'any'
          ? isRefusal(exchange)
          : statuses.includes(status);
    const message = succeeded(exchange) ? 'it was not refused' : 'it was refused otherwise';
    if (!fits) wrongStatus(at, message, refusalWords(statuses), shownStatus);
  } else if (!succeeded(exchange) && actionOf(step.action.value).endpoint !== 'raw') {
    wrongStatus(step.action.at, 'it did not succeed', 'any 2xx', shownStatus);
  }
  if (step.answered && status !== step.answered.value) {
    const { at, value } = step.answered;
    wrongStatus(at, 'the status is another', String(value), String(status));
  }
  const found = mismatchesIn(step, exchange, ctx);
  if (found.length > 0) unexpected(step, found, seen, ctx);
  return answerOfStep(step, exchange, ctx);
}

/**
 * True if a missing answer is explained by a fault of the scenario: of the network, or a restart. On the reference the
 * cause is known; elsewhere the times decide.
 */
function metAFault(exchange: Exchange, { session }: StepContext): boolean {
  const { upAt, reference, begun } = session;
  if (begun.length > 0 && exchange.error?.code === 'aborted') return true;
  if (upAt === undefined) return false;
  return reference ? exchange.error?.code === 'aborted' : exchange.sent < upAt;
}

/** Ends the scenario if a request has no complete answer: its effect is unknown, so no later step is judged. */
export function endIfUnanswered(exchange: Exchange, { session }: StepContext): void {
  const reason = noAnswerReason(exchange, session.target.history.records);
  // There is no network between assay and the reference in this process.
  const isOwn = session.reference !== undefined && exchange.response !== undefined;
  if (reason === undefined || isOwn) return;
  end('inconclusive', `${describeExchange(exchange)}: ${reason}`);
}

/** True if a refusal may be due to a made-up receiver, which the target does not know. */
const lacksReceiver = (exchange: Exchange): boolean =>
  mayMissAParty(exchange) && isMadeUp(sentBody(exchange)['receiver_party_id']);

const noReceiver =
  'its receiver_party_id had to be made up: declare an institution that has no part in the scenario, or give one under orders.defaults';

/** True if the step expects exactly this status, for example that of a service that is out of order. */
const isNamed = ({ answered, refused }: ActStep, status: number): boolean =>
  answered?.value === status ||
  (Array.isArray(refused?.statuses) && refused.statuses.includes(status));

const unheard = 'a fault of the scenario left it without an answer, and more rests on the answer';

const restsOnAnswer = ({ save, expect, whole_answer, answered, refused }: ActStep): boolean =>
  [save, expect, whole_answer, answered].some((one) => one !== undefined) ||
  (refused !== undefined && refused.statuses !== 'maybe');

/** Deviations from `expect` and `whole_answer`. */
function mismatchesIn(step: ActStep, exchange: Exchange, ctx: StepContext): Mismatch[] {
  const { expect, whole_answer } = step;
  const whole = answerValue(exchange, rawAnswer, ctx.session.target.answers);
  return [
    ...(expect ? mismatches(expect, answerOfStep(step, exchange, ctx), ctx) : []),
    ...(whole_answer ? mismatches(whole_answer, whole, ctx) : []),
  ];
}

function refusalWords(statuses: Refusal['statuses']): string {
  if (statuses === 'any') return 'any 4xx';
  return statuses === 'maybe' ? 'any 2xx or 4xx' : statuses.join(' or ');
}

function answerOfStep(step: ActStep, exchange: Exchange, { session }: StepContext): Value {
  const type = answerOf(step.action.value, session.party(step.party).role);
  return answerValue(exchange, step.refused ? unknown : type, session.target.answers);
}

const noReason =
  'the target shows no failure reason that we could find (part 2.2 does not say where)';

/**
 * Fails the step. If only failure reasons are missing, the scenario is inconclusive instead: a target may show them
 * nowhere, and then cannot be judged by them.
 */
function unexpected(
  step: ActStep,
  found: readonly Mismatch[],
  seen: readonly Exchange[],
  ctx: StepContext,
  notes?: readonly string[],
): never {
  const onlyReasons = found.every(
    ({ path, actual }) => /(^|\.)failure_reason$/.test(path) && actual === 'nothing',
  );
  if (onlyReasons && ctx.session.target.answers.get('order.failure_reason_field') === undefined) {
    end('inconclusive', noReason);
  }
  const what = notes ? 'it did not come to what is expected' : 'the answer is not what is expected';
  return fail(found[0]?.at ?? step.at, what, { mismatches: found, seen, ...(notes && { notes }) });
}

/** Repeats the request until the expectation holds. */
async function actUntil(
  step: ActStep,
  eventually: NonNullable<ActStep['eventually']>,
  ctx: StepContext,
): Promise<void> {
  const { session } = ctx;
  const { timeline, clock } = session.target;
  const waitMs = Math.min(eventually.withinMs, clock.maxWaitMs);
  const deadline = timeline.now() + waitMs + allowanceMs(session);
  const party = session.party(step.party);
  for (let attempts = 1; ; attempts += 1) {
    session.budget.step();
    const exchange = await perform(step, party, ctx);
    const found = succeeded(exchange) ? mismatchesIn(step, exchange, ctx) : undefined;
    if (found?.length === 0) {
      if (step.save) ctx.env.set(step.save.value, answerOfStep(step, exchange, ctx));
      return;
    }
    if (timeline.now() >= deadline) {
      const reason = tooLong(eventually.withinMs, clock);
      if (reason !== undefined) end('out_of_scope', reason);
      if (!found) checkAnswer(step, exchange, ctx);
      const notes = [`attempts: ${attempts}, the last answer: ${answerText(exchange)}`];
      unexpected(step, found ?? [], [exchange], ctx, notes);
    }
    await timeline.until(Math.min(deadline, timeline.now() + eventually.everyMs));
  }
}

/** On a target's own clock a request may reach it too late for the purpose of the step; that proves nothing. */
function inTime(step: ActStep, before: Located, exchange: Exchange, ctx: StepContext): void {
  const moment = evaluate(before, ctx);
  if (moment.kind !== 'time' || exchange.received < moment.ms) return;
  if (ctx.session.target.clock.kind === 'system')
    end(
      'inconclusive',
      `the answer to "${step.action.value}" came only after the moment that it had to be before`,
    );
  const expected = `before ${formatTimestamp(moment.ms)}`;
  const actual = formatTimestamp(exchange.received);
  const mismatches = [{ at: before.at, path: 'moment of the answer', expected, actual }];
  fail(before.at, 'the answer came too late', { mismatches, seen: [exchange] });
}

async function openStream(step: ActStep, ctx: StepContext): Promise<void> {
  const { session, env } = ctx;
  const { limit_to: order } = step;
  const credential = credentialFor(step, ctx);
  const listening = await openPartyStream(session.party(step.party), {
    ...(order && { intentId: idIn(order, 'intent_id', ctx) }),
    ...(credential && { credential }),
  });
  noteAction(step, listening.opened, session);
  checkAnswer(step, listening.opened, ctx);
  session.extra.push(listening);
  if (step.save) env.set(step.save.value, { kind: 'stream', stream: listening });
}

async function changeStream(
  step: ActStep,
  ctx: StepContext,
  how: 'drop' | 'resume',
): Promise<void> {
  const opened = await partyStreamOf(step, ctx)[how]();
  noteAction(step, opened ?? undefined, ctx.session);
  if (opened) checkAnswer(step, opened, ctx);
}

/** Stream that a step names, or the stream of its party. */
export function partyStreamOf(
  { party, on }: Pick<ActStep, 'party' | 'on'>,
  ctx: StepContext,
): PartyStream {
  const value = on && evaluate(on, ctx);
  if (value?.kind === 'stream') return value.stream;
  return ctx.session.listening.get(party) ?? end('error', `no stream was opened for ${party}`);
}
