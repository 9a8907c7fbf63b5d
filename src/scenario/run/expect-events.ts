import { eventKind, intentIdOf, payloadOf } from '../../protocol/event-payload.ts';
import type { Frame } from '../../history/records.ts';
import { heartbeat } from '../../spec/events.ts';
import type { EventMatcher, SeesStep } from '../language/steps/expect.ts';
import { count, payloadType } from '../language/types.ts';
import type { CastName } from '../../spec/requirements/requirement.ts';
import { endIfUnanswered, partyStreamOf } from './act.ts';
import { withReason } from './answers.ts';
import { evaluate } from './evaluate.ts';
import { end, fail, type Mismatch } from './halt.ts';
import { mismatches, matcherText } from './match.ts';
import { idIn } from './request.ts';
import { allowanceMs, note, type StepContext, tooLong } from './session.ts';
import type { PartyStream } from './streams.ts';
import { fromJson } from './values.ts';

const defaultWithinMs = 10_000;
const withinOf = ({ within, for: watch }: SeesStep): number =>
  Math.max(within?.value ?? defaultWithinMs, watch?.value ?? 0);
/** True if the step watches for a time and waits no longer. */
const onlyWatches = (step: SeesStep): boolean => step.for !== undefined && !step.within;

interface StreamExpectation {
  readonly step: SeesStep;
  readonly ctx: StepContext;
  readonly listening: PartyStream;
  /** Only events of this order. */
  readonly order?: string;
  readonly since: number;
}

/** Waits for the events that a party must see, then checks for those that it must not see. */
export async function sees(step: SeesStep, ctx: StepContext): Promise<void> {
  const { session } = ctx;
  const { timeline, clock } = session.target;
  const since = step.since && evaluate(step.since, ctx);
  const expectationOf = (party: CastName): StreamExpectation => ({
    step: { ...step, party },
    ctx,
    listening: partyStreamOf({ ...step, party }, ctx),
    since: since?.kind === 'time' ? since.ms : Number.NEGATIVE_INFINITY,
    ...(step.of && { order: idIn(step.of, 'intent_id', ctx) }),
  });
  const expectation = expectationOf(step.party);
  const all = [expectation, ...step.or.map(expectationOf)];
  for (const one of all) requireOpened(one);
  const startedAt = timeline.now();
  if (step.for) await timeline.until(startedAt + step.for.value);
  for (const one of all) requireAttributable(one);
  const waitMs = Math.min(withinOf(step), clock.maxWaitMs);
  const deadline = startedAt + waitMs + allowanceMs(session);
  await waitFor(expectation, onlyWatches(step) ? timeline.now() : deadline, all.slice(1));
  await checkStream(expectation, deadline);
  checkNever(expectation);
  note(session, { at: step.at, party: step.party, says: 'sees', outcome: expectedWords(step) });
  if ((step.never || step.at_most_once) && !step.for) {
    session.watches.push(() => checkNever(expectation));
  }
}

/**
 * Checks the state of a stream. If it broke off, the target or a network may have ended it, except on the reference,
 * which has no network in between.
 */
async function checkStream(expectation: StreamExpectation, deadline: number): Promise<void> {
  const { step, listening, ctx } = expectation;
  if (!step.stream) return;
  const { at, value: expected } = step.stream;
  const { timeline, clock } = ctx.session.target;
  while (expected === 'ended' && !listening.ended && timeline.now() < deadline)
    await timeline.until(Math.min(deadline, timeline.now() + lookMs));
  if (listening.isCut) end('inconclusive', cutOff(step.party));
  if (listening.brokeOff && ctx.session.reference === undefined)
    end('inconclusive', `the stream of ${step.party} broke off`);
  const actual = listening.ended ? 'ended' : 'open';
  if (actual === expected) return;
  requireUnended([expectation]);
  const reason = actual === 'open' ? tooLong(withinOf(step), clock) : undefined;
  if (reason !== undefined) end('out_of_scope', reason);
  fail(at, `the stream of ${step.party} ${actual === 'open' ? 'did not end' : 'ended'}`, {
    mismatches: [{ at, path: 'stream', expected, actual }],
    seen: [listening.opened],
  });
}

function requireOpened({ step, listening, ctx }: StreamExpectation): void {
  const { response, error } = listening.opened;
  if (listening.frames().length > 0 || response?.status === 200) return;
  endIfUnanswered(listening.opened, ctx);
  fail(step.at, `the stream of ${step.party} did not open: ${error?.message ?? response?.status}`, {
    seen: [listening.opened],
  });
}

/** Interval between looks, in milliseconds, if any of several streams may bring the event. */
const lookMs = 200;

const cutOff = (party: string): string =>
  `a fault of the scenario ended the stream of ${party}, and no step resumed it`;

/** Ends the scenario as inconclusive if the target had a reason to end a stream: what came later was not sent to it. */
function requireUnended(all: readonly StreamExpectation[]): void {
  for (const { listening, step, ctx } of all) {
    const words = `the target ended the stream of ${step.party}`;
    if (listening.endedWithToken(ctx.session.target.clock.offset))
      end('inconclusive', `${words} when its token expired; resume it`);
    if (isDisplaced(listening, ctx))
      end(
        'inconclusive',
        `${words} when another one was opened (gap stream.per_party); play with --concurrency 1`,
      );
  }
}

/** True if the party opened a later stream before the target ended this one. */
const isDisplaced = (
  { party, opened, endedAt }: PartyStream,
  { session: { target } }: StepContext,
): boolean =>
  endedAt !== undefined &&
  target.history.records.some(
    (one) =>
      one.kind === 'exchange' &&
      one.opensStream === true &&
      one.party === party &&
      one.id !== opened.id &&
      one.received >= opened.sent &&
      one.sent <= endedAt,
  );

async function waitFor(
  expectation: StreamExpectation,
  deadline: number,
  others: readonly StreamExpectation[],
): Promise<void> {
  const { listening, ctx, step } = expectation;
  const { timeline, clock } = ctx.session.target;
  for (;;) {
    const known = listening.frames().length;
    const missing = missingIn(expectation);
    if (missing.length === 0) return;
    if (others.some((one) => missingIn(one).length === 0)) return;
    const now = timeline.now();
    if (others.length > 0 && now < deadline) {
      await timeline.until(Math.min(deadline, now + lookMs));
      continue;
    }
    const more = now < deadline && (await listening.more(known, deadline));
    if (more || listening.frames().length > known) continue;
    const reason = onlyWatches(step) ? undefined : tooLong(withinOf(step), clock);
    if (reason !== undefined) end('out_of_scope', reason);
    const all = [expectation, ...others];
    const cut = all.find((one) => one.listening.isCut);
    if (cut) end('inconclusive', cutOff(cut.step.party));
    const broken = all.find((one) => one.listening.brokeOff);
    if (broken) end('inconclusive', `the stream of ${broken.step.party} broke off`);
    requireUnended(all);
    const what =
      others.length === 0
        ? `${step.party} did not see what it should have`
        : `none of ${all.map((one) => one.step.party).join(', ')} saw what one of them should have`;
    fail(missing[0]?.at ?? step.at, what, {
      mismatches: missing,
      notes: all.map(seenWords),
      seen: all.map((one) => one.listening.opened),
    });
  }
}

/**
 * Frames that the step is about: of this scenario, of its order, late enough. A frame that names no order may belong to
 * any.
 */
function framesOf({ listening, ctx, order, since, step }: StreamExpectation): readonly Frame[] {
  const { session } = ctx;
  const alone = session.reference !== undefined;
  return listening.frames().filter((frame) => {
    if (frame.received < since) return false;
    const id = frame.event === heartbeat ? undefined : orderNamed(frame);
    if (id === undefined) return order === undefined || !namesItsOrder(frame.event);
    if (order !== undefined) return id === order;
    return alone || step.on !== undefined || session.orders.has(id);
  });
}

/** True if part 6 promises that the event names its order. */
const namesItsOrder = (event: string): boolean =>
  eventKind(event)?.fields.includes('intent_id') ?? false;

/**
 * Ends the scenario as inconclusive if a negative cannot be proven: an event that names no order may belong to another
 * one. (Only the named payload fields are promised, and those of `quote_received` and `settlement_completed` name
 * none.)
 */
function requireAttributable(expectation: StreamExpectation): void {
  const { step, ctx, order } = expectation;
  const { reference, orders } = ctx.session;
  if (step.on || (reference && (order === undefined || orders.size <= 1))) return;
  const { never = [], at_most_once: once = [], exactly = [] } = step;
  const asked = [...never, ...once, ...exactly].map(({ event }) => event);
  const counted = (step.count ?? []).map(({ key }) => key);
  const events = new Set([...asked, ...counted].filter((event) => event !== heartbeat));
  const odd = framesOf(expectation).find(
    (frame) => events.has(frame.event) && orderNamed(frame) === undefined,
  );
  if (odd) end('inconclusive', `${odd.event} names no order here, so it may be of another`);
}

/** Data of a frame; the members of the object that it is about count as its own. */
function dataOf(frame: Frame): unknown {
  const meant = payloadOf(frame);
  return meant === undefined || meant === frame.data
    ? frame.data
    : { ...(frame.data as object), ...meant };
}

const orderNamed = (frame: Frame): string | undefined => intentIdOf(frame, payloadOf(frame));

const matches = (frame: Frame, one: EventMatcher, { ctx }: StreamExpectation): boolean =>
  frame.event === one.event && payloadMismatches(frame, one, ctx).length === 0;

function payloadMismatches(
  frame: Frame,
  { event, payload }: EventMatcher,
  ctx: StepContext,
): Mismatch[] {
  if (!payload) return [];
  const data = withReason(dataOf(frame), ctx.session.target.answers);
  return mismatches(payload, fromJson(data, payloadType(event)), ctx);
}

function missingIn(expectation: StreamExpectation): Mismatch[] {
  const { step } = expectation;
  const frames = framesOf(expectation);
  return [
    ...(step.in_order ? missingInOrder(step.in_order, frames, expectation) : []),
    ...(step.in_any_order ? missingInAnyOrder(step.in_any_order, frames, expectation) : []),
    ...(step.exactly ? otherThan(step.exactly, frames, expectation) : []),
    ...(step.count ?? []).flatMap(({ key, at, value }) => {
      const found = frames.filter(({ event }) => event === key).length;
      return mismatches(value, fromJson(found, count), expectation.ctx).map((one) => ({
        ...one,
        at,
        path: `number of ${key}`,
      }));
    }),
  ];
}

const eventWords = ({ event, payload }: EventMatcher, { ctx }: StreamExpectation): string =>
  payload ? `${event} that ${matcherText(payload, ctx)}` : event;

const missingOne = (
  one: EventMatcher,
  frames: readonly Frame[],
  expectation: StreamExpectation,
): Mismatch => {
  const near = frames.filter(({ event }) => event === one.event);
  const [odd] =
    near.length === 1
      ? near.flatMap((frame) => payloadMismatches(frame, one, expectation.ctx))
      : [];
  const actual = odd
    ? `one whose ${odd.path} is ${odd.actual}`
    : near.length > 0
      ? `${near.length} ${one.event}, none that matches`
      : 'none';
  return { at: one.at, path: one.event, expected: eventWords(one, expectation), actual };
};

function missingInOrder(
  expected: readonly EventMatcher[],
  frames: readonly Frame[],
  expectation: StreamExpectation,
): Mismatch[] {
  let from = 0;
  for (const one of expected) {
    const index = frames.findIndex((frame, at) => at >= from && matches(frame, one, expectation));
    if (index === -1) {
      const earlier = frames.slice(0, from).some((frame) => matches(frame, one, expectation));
      const missing = missingOne(one, frames.slice(from), expectation);
      return [
        earlier ? { ...missing, actual: 'only before the one expected ahead of it' } : missing,
      ];
    }
    from = index + 1;
  }
  return [];
}

function missingInAnyOrder(
  expected: readonly EventMatcher[],
  frames: readonly Frame[],
  expectation: StreamExpectation,
): Mismatch[] {
  const left = [...frames];
  return expected.flatMap((one) => {
    const index = left.findIndex((frame) => matches(frame, one, expectation));
    if (index === -1) return [missingOne(one, frames, expectation)];
    left.splice(index, 1);
    return [];
  });
}

function otherThan(
  expected: readonly EventMatcher[],
  frames: readonly Frame[],
  expectation: StreamExpectation,
): Mismatch[] {
  const seen = frames.filter(({ event }) => event !== heartbeat);
  const odd = expected.findIndex((one, index) => {
    const frame = seen[index];
    return !frame || !matches(frame, one, expectation);
  });
  const one = expected[odd];
  if (one) return [missingOne(one, seen.slice(odd, odd + 1), expectation)];
  if (seen.length === expected.length) return [];
  const more = seen.slice(expected.length).map(({ event }) => event);
  return [
    { at: expectation.step.at, path: 'events', expected: 'no more', actual: more.join(', ') },
  ];
}

function checkNever(expectation: StreamExpectation): void {
  requireAttributable(expectation);
  for (const one of expectation.step.never ?? []) {
    const frame = framesOf(expectation).find((seen) => matches(seen, one, expectation));
    if (!frame) continue;
    const actual = `seen ${since(frame, expectation)}`;
    fail(one.at, `${expectation.step.party} saw what it never should`, {
      mismatches: [
        { at: one.at, path: one.event, expected: `no ${eventWords(one, expectation)}`, actual },
      ],
      seen: [frame],
    });
  }
  for (const one of expectation.step.at_most_once ?? []) {
    const seen = framesOf(expectation).filter((frame) => matches(frame, one, expectation));
    if (seen.length <= 1) continue;
    const times = seen.map((frame) => since(frame, expectation)).join(', ');
    const expected = `${eventWords(one, expectation)}, once at most`;
    fail(one.at, `${expectation.step.party} saw more than once what comes once at most`, {
      mismatches: [{ at: one.at, path: one.event, expected, actual: `seen ${times}` }],
      seen: seen.slice(0, 2),
    });
  }
}

const since = (frame: Frame, { ctx }: StreamExpectation): string =>
  `at +${frame.received - ctx.session.startedAt} ms`;

function seenWords(expectation: StreamExpectation): string {
  const { party } = expectation.step;
  const { endedAt } = expectation.listening;
  const ended =
    endedAt === undefined
      ? ''
      : `; the target ended the stream at +${endedAt - expectation.ctx.session.startedAt} ms`;
  const frames = framesOf(expectation).filter(({ event }) => event !== heartbeat);
  if (frames.length === 0) return `${party} saw no event at all${ended}`;
  const listed = frames.map((frame) => {
    const { status } = (payloadOf(frame) ?? {}) as { readonly status?: unknown };
    const state = typeof status === 'string' ? ` ${status}` : '';
    return `${frame.event}${state} ${since(frame, expectation)}`;
  });
  const cut =
    listed.length > 12 ? [...listed.slice(0, 12), `and ${listed.length - 12} more`] : listed;
  return `${party} saw ${cut.join(', ')}${ended}`;
}

function expectedWords(step: SeesStep): string {
  const list = (all: readonly EventMatcher[] = []): string =>
    all.map(({ event }) => event).join(', ');
  const {
    in_order: ordered = [],
    in_any_order: unordered = [],
    exactly = [],
    count: counts = [],
  } = step;
  const counted = counts.map(({ key, at }) => ({ event: key, at }));
  return [
    list([...ordered, ...unordered, ...exactly, ...counted]),
    step.never ? `no ${list(step.never)}` : '',
    step.at_most_once ? `at most one ${list(step.at_most_once)}` : '',
    step.stream ? `its stream ${step.stream.value}` : '',
  ]
    .filter(Boolean)
    .join('; ');
}
