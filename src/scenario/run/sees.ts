import { eventKind, intentOf, payloadOf } from '../../history/payload.ts';
import type { Frame } from '../../history/records.ts';
import { heartbeat } from '../../spec/events.ts';
import type { EventMatcher, SeesStep } from '../language/model.ts';
import { count, payloadType, type Type } from '../language/types.ts';
import { listeningOf } from './act.ts';
import { withReason } from './answers.ts';
import { evaluate } from './evaluate.ts';
import { end, fail, type Mismatch } from './halt.ts';
import { mismatches, wording } from './match.ts';
import { idIn } from './request.ts';
import { allowanceMs, note, type Scene } from './session.ts';
import type { Listening } from './streams.ts';
import { fromJson } from './values.ts';

const defaultWithinMs = 10_000;

interface Sight {
  readonly step: SeesStep;
  readonly scene: Scene;
  readonly listening: Listening;
  /** Only events of this order. */
  readonly order?: string;
  readonly since: number;
}

/** Waits for what a party is to see, then looks for what it must not see. */
export async function sees(step: SeesStep, scene: Scene): Promise<void> {
  const { session, env } = scene;
  const { timeline } = session.target;
  const listening = listeningOf(step, scene);
  const since = step.since && evaluate(step.since, env, session.around);
  const sight: Sight = {
    step,
    scene,
    listening,
    since: since?.kind === 'time' ? since.ms : Number.NEGATIVE_INFINITY,
    ...(step.of && { order: idIn(step.of, 'intent_id', scene) }),
  };
  requireOpened(sight);
  const startedAt = timeline.now();
  if (step.forMs !== undefined) await timeline.until(startedAt + step.forMs);
  demandAttributable(sight);
  const deadline =
    startedAt + Math.max(step.withinMs ?? defaultWithinMs, step.forMs ?? 0) + allowanceMs(session);
  await waitFor(
    sight,
    step.forMs === undefined || step.withinMs !== undefined ? deadline : timeline.now(),
  );
  checkNever(sight);
  note(session, { at: step.at, party: step.party, says: 'sees', outcome: expectedWords(step) });
  if (step.never && step.forMs === undefined) {
    session.watches.push({ check: () => checkNever(sight) });
  }
}

function requireOpened({ step, listening }: Sight): void {
  const { response, error } = listening.opened;
  if (listening.frames().length > 0 || response?.status === 200) return;
  fail(step.at, `the stream of ${step.party} did not open: ${error?.message ?? response?.status}`, {
    seen: [listening.opened],
  });
}

async function waitFor(sight: Sight, deadline: number): Promise<void> {
  const { listening, scene, step } = sight;
  for (;;) {
    const known = listening.frames().length;
    const missing = missingIn(sight);
    if (missing.length === 0) return;
    const more =
      scene.session.target.timeline.now() < deadline && (await listening.more(known, deadline));
    if (more || listening.frames().length > known) continue;
    fail(missing[0]?.at ?? step.at, `${step.party} did not see what it should have`, {
      mismatches: missing,
      notes: [seenWords(sight)],
      seen: [listening.opened],
    });
  }
}

/** The frames that the step speaks of: ours, of its order, late enough. What names no order may be of any. */
function framesOf({ listening, scene, order, since, step }: Sight): readonly Frame[] {
  const { session } = scene;
  const alone = session.reference !== undefined;
  return listening.frames().filter((frame) => {
    if (frame.received < since) return false;
    const id = frame.event === heartbeat ? undefined : orderNamed(frame);
    if (id === undefined) return order === undefined || !namesItsOrder(frame.event);
    if (order !== undefined) return id === order;
    return alone || step.on !== undefined || session.orders.has(id);
  });
}

/** Whether part 6 promises that an event says which order it is about. */
function namesItsOrder(event: string): boolean {
  return eventKind(event)?.fields.includes('intent_id') ?? false;
}

/**
 * Whether a negative can be proven: an event that names no order may be of another one than meant. (Only the named
 * payload fields are promised, and those of `quote_received` and `settlement_completed` name none.)
 */
function demandAttributable(sight: Sight): void {
  const { step, scene, order } = sight;
  const { reference, orders } = scene.session;
  if (step.on || (reference && (order === undefined || orders.size <= 1))) return;
  const asked = [...(step.never ?? []), ...(step.exactly ?? [])].map(({ event }) => event);
  const counted = (step.count ?? []).map(({ key }) => key);
  const events = new Set([...asked, ...counted].filter((event) => event !== heartbeat));
  const odd = framesOf(sight).find(
    (frame) => events.has(frame.event) && orderNamed(frame) === undefined,
  );
  if (odd) end('inconclusive', `${odd.event} names no order here, so it may be of another`);
}

/** What a frame tells: members of the object that it is about stand as if they were the payload's own. */
function told(frame: Frame): unknown {
  const meant = payloadOf(frame);
  return meant === undefined || meant === frame.data
    ? frame.data
    : { ...(frame.data as object), ...meant };
}

const orderNamed = (frame: Frame): string | undefined => intentOf(frame, payloadOf(frame));

function matches(frame: Frame, { event, payload }: EventMatcher, { scene }: Sight): boolean {
  return frame.event === event && payloadMismatches(frame, { event, payload }, scene).length === 0;
}

function payloadMismatches(
  frame: Frame,
  { event, payload }: Pick<EventMatcher, 'event'> & { readonly payload: EventMatcher['payload'] },
  scene: Scene,
): Mismatch[] {
  if (!payload) return [];
  const { session, env } = scene;
  const value = fromJson(
    withReason(told(frame), session.target.answers),
    payloadType(event) as Type,
  );
  return mismatches(payload, value, { env, around: session.around });
}

function missingIn(sight: Sight): Mismatch[] {
  const { step } = sight;
  const frames = framesOf(sight);
  return [
    ...(step.in_order ? missingInOrder(step.in_order, frames, sight) : []),
    ...(step.in_any_order ? missingInAnyOrder(step.in_any_order, frames, sight) : []),
    ...(step.exactly ? otherThan(step.exactly, frames, sight) : []),
    ...(step.count ?? []).flatMap(({ key, at, value }) => {
      const found = frames.filter(({ event }) => event === key).length;
      const context = { env: sight.scene.env, around: sight.scene.session.around };
      return mismatches(value, fromJson(found, count), context).map((one) => ({
        ...one,
        at,
        path: `number of ${key}`,
      }));
    }),
  ];
}

const eventWords = ({ event, payload }: EventMatcher): string =>
  payload ? `${event} that ${wording(payload)}` : event;

const missingOne = (one: EventMatcher, frames: readonly Frame[], sight: Sight): Mismatch => {
  const near = frames.filter(({ event }) => event === one.event);
  const [odd] =
    near.length === 1
      ? near.flatMap((frame) =>
          payloadMismatches(frame, { event: one.event, payload: one.payload }, sight.scene),
        )
      : [];
  const actual = odd
    ? `one whose ${odd.path} is ${odd.actual}`
    : near.length > 0
      ? `${near.length} ${one.event}, none that matches`
      : 'none';
  return { at: one.at, path: one.event, expected: eventWords(one), actual };
};

function missingInOrder(
  wanted: readonly EventMatcher[],
  frames: readonly Frame[],
  sight: Sight,
): Mismatch[] {
  let from = 0;
  for (const one of wanted) {
    const index = frames.findIndex((frame, at) => at >= from && matches(frame, one, sight));
    if (index === -1) {
      const earlier = frames.slice(0, from).some((frame) => matches(frame, one, sight));
      const missing = missingOne(one, frames.slice(from), sight);
      return [
        earlier ? { ...missing, actual: 'only before the one expected ahead of it' } : missing,
      ];
    }
    from = index + 1;
  }
  return [];
}

function missingInAnyOrder(
  wanted: readonly EventMatcher[],
  frames: readonly Frame[],
  sight: Sight,
): Mismatch[] {
  const left = [...frames];
  return wanted.flatMap((one) => {
    const index = left.findIndex((frame) => matches(frame, one, sight));
    if (index === -1) return [missingOne(one, frames, sight)];
    left.splice(index, 1);
    return [];
  });
}

function otherThan(
  wanted: readonly EventMatcher[],
  frames: readonly Frame[],
  sight: Sight,
): Mismatch[] {
  const seen = frames.filter(({ event }) => event !== heartbeat);
  const odd = wanted.findIndex((one, index) => {
    const frame = seen[index];
    return !frame || !matches(frame, one, sight);
  });
  const one = wanted[odd];
  if (one) return [missingOne(one, seen.slice(odd, odd + 1), sight)];
  if (seen.length === wanted.length) return [];
  const more = seen.slice(wanted.length).map(({ event }) => event);
  return [{ at: sight.step.at, path: 'events', expected: 'no more', actual: more.join(', ') }];
}

function checkNever(sight: Sight): void {
  demandAttributable(sight);
  for (const one of sight.step.never ?? []) {
    const frame = framesOf(sight).find((seen) => matches(seen, one, sight));
    if (!frame) continue;
    const actual = `seen ${since(frame, sight)}`;
    fail(one.at, `${sight.step.party} saw what it never should`, {
      mismatches: [{ at: one.at, path: one.event, expected: `no ${eventWords(one)}`, actual }],
      seen: [frame],
    });
  }
}

const since = (frame: Frame, { scene }: Sight): string =>
  `at +${frame.received - scene.session.startedAt} ms`;

function seenWords(sight: Sight): string {
  const frames = framesOf(sight).filter(({ event }) => event !== heartbeat);
  if (frames.length === 0) return `${sight.step.party} saw no event at all`;
  const listed = frames.map((frame) => `${frame.event} ${since(frame, sight)}`);
  const cut =
    listed.length > 12 ? [...listed.slice(0, 12), `and ${listed.length - 12} more`] : listed;
  return `${sight.step.party} saw ${cut.join(', ')}`;
}

function expectedWords({
  in_order,
  in_any_order,
  exactly,
  never,
  count: counts,
}: SeesStep): string {
  const list = (all: readonly EventMatcher[] = []): string[] => all.map(({ event }) => event);
  const wanted = [
    ...list(in_order),
    ...list(in_any_order),
    ...list(exactly),
    ...(counts ?? []).map(({ key }) => key),
  ];
  return [wanted.join(', '), never ? `no ${list(never).join(', ')}` : '']
    .filter(Boolean)
    .join('; ');
}
