import type { Exchange, Frame } from '../../history/records.ts';
import { intentIdOf, payloadOf } from '../../protocol/event-payload.ts';
import { isObject, shownText } from '../../protocol/json.ts';
import { heartbeat } from '../../spec/events.ts';
import { hasForm, parseTimestamp } from '../../spec/forms.ts';
import type { CastName } from '../../spec/requirements/requirement.ts';
import type { AsEachStep, Step } from '../language/steps/index.ts';
import { fail } from './halt.ts';
import { allowanceMs, note, type StepContext } from './session.ts';

/** Duration of a round after its last step, if the step does not set it. */
const usualPauseMs = 1_000;

/** One answer or event that a party received in a round. */
interface Told {
  readonly what: string;
  /** Text as received, with ids and moments normalised, since they differ in each round. */
  readonly text: string;
  /** Milliseconds since the start of its round; absent if no clock is driven, since it would mean nothing. */
  readonly afterMs?: number;
  readonly id: string;
}

/**
 * Performs the steps as one party and then as each other one. Checks that the observers, who must not tell the parties
 * apart, received the same in each round.
 */
export async function asEach(
  step: AsEachStep,
  ctx: StepContext,
  run: (steps: readonly Step[], ctx: StepContext) => Promise<void>,
): Promise<void> {
  const { session } = ctx;
  const { timeline } = session.target;
  const told: (readonly (readonly Told[])[])[] = [];
  for (const round of roundsOf(step)) {
    const known = new Set(session.orders.keys());
    const { length: from } = session.target.history.records;
    const heard = step.alike_for.map(({ value }) => framesOf(value, ctx).length);
    const startedAt = timeline.now();
    await run(round, { ...ctx, env: new Map(ctx.env) });
    await timeline.until(timeline.now() + (step.for?.value ?? usualPauseMs) + allowanceMs(session));
    const orders = new Set([...session.orders.keys()].filter((id) => !known.has(id)));
    const records = session.target.history.records.slice(from);
    told.push(
      step.alike_for.map(({ value }, place) => [
        ...framesOf(value, ctx)
          .slice(heard[place])
          .flatMap((frame) => toldBy(frame, orders, startedAt, ctx)),
        ...records.flatMap((record) =>
          record.kind === 'exchange' && record.party === value ? answered(record, orders, ctx) : [],
        ),
      ]),
    );
  }
  const [first = [], ...others] = told;
  for (const [index, other] of others.entries()) {
    for (const [place, { value: party, at }] of step.alike_for.entries()) {
      const parted = partingOf(first[place] ?? [], other[place] ?? []);
      if (!parted) continue;
      const [here, there] = parted;
      const [one, two] = [step.parties[0]?.value, step.parties[index + 1]?.value];
      fail(at, `${party} can tell ${one} from ${two}`, {
        mismatches: [{ at, path: party, expected: words(here), actual: words(there) }],
        seen: [here, there].filter((one) => one !== undefined),
      });
    }
  }
  const looked: CastName[] = step.alike_for.map(({ value }) => value);
  note(session, { at: step.at, says: 'as each', outcome: `alike for ${looked.join(', ')}` });
}

/** Frames of the stream that the party has from the start; steps may open others, with more frames. */
const framesOf = (party: CastName, { session }: StepContext): readonly Frame[] =>
  session.listening.get(party)?.frames() ?? [];

const words = (told: Told | undefined): string => {
  if (!told) return 'nothing more';
  const after = told.afterMs === undefined ? '' : ` after ${told.afterMs} ms`;
  return `${told.what}${after}: ${told.text}`;
};

function partingOf(
  one: readonly Told[],
  other: readonly Told[],
): readonly [Told | undefined, Told | undefined] | undefined {
  for (let index = 0; index < Math.max(one.length, other.length); index += 1) {
    const [here, there] = [one[index], other[index]];
    if (words(here) !== words(there)) return [here, there];
  }
  return undefined;
}

/** The frame as an event of the round, if it names an order of this round or none; heartbeats are left out. */
function toldBy(
  frame: Frame,
  orders: ReadonlySet<string>,
  startedAt: number,
  { session }: StepContext,
): Told[] {
  const order = intentIdOf(frame, payloadOf(frame));
  if (frame.event === heartbeat || (order !== undefined && !orders.has(order))) return [];
  const text = writtenAlike(frame.data, session.target.clock.kind);
  if (session.target.clock.kind === 'system') return [{ what: frame.event, text, id: frame.id }];
  return [{ what: frame.event, text, id: frame.id, afterMs: frame.received - startedAt }];
}

/** The answer as a part of the round; a list is reduced to the orders of this round. */
function answered(
  { endpoint, response, opensStream, id }: Exchange,
  orders: ReadonlySet<string>,
  { session }: StepContext,
): Told[] {
  if (!endpoint || endpoint === 'token.create' || opensStream) return [];
  const { status, body } = response ?? {};
  const isOwn = (item: unknown): boolean =>
    isObject(item) && orders.has(shownText(item['intent_id']).toLowerCase());
  const shown =
    isObject(body) && Array.isArray(body['data']) ? body['data'].filter(isOwn) : (body ?? null);
  const text = `${status ?? 'no answer'} ${writtenAlike(shown, session.target.clock.kind)}`;
  return [{ what: endpoint, text, id }];
}

const isUuid = (text: string): boolean => hasForm('uuid', text);

/** JSON as received, with ids replaced by their order and moments by their distance from the first. */
function writtenAlike(value: unknown, clock: 'virtual' | 'system' | 'controlled'): string {
  const ids: string[] = [];
  let first: number | undefined;
  return JSON.stringify(value, (_, piece: unknown) => {
    if (typeof piece !== 'string') return piece;
    if (isUuid(piece)) {
      if (!ids.includes(piece)) ids.push(piece);
      return `id ${ids.indexOf(piece) + 1}`;
    }
    const { length } = piece;
    if (/^[\da-f]{32,}$/i.test(piece)) return `${length} digits`;
    const ms = parseTimestamp(piece);
    if (ms === undefined) return piece;
    first ??= ms;
    return clock === 'system' ? 'a moment' : `a moment ${ms - first} ms later`;
  });
}

/**
 * The steps of each round: first as written, then for each other party with its part and that of the first party
 * swapped.
 */
export function roundsOf({ parties, steps }: AsEachStep): readonly (readonly Step[])[] {
  const [first] = parties;
  return parties.map(({ value }) => (first ? exchanged(steps, [first.value, value]) : steps));
}

/** Swaps two parties in any piece of a step: as actors, as observers, and in expressions that name them. */
function exchanged<T>(piece: T, pair: readonly [CastName, CastName]): T {
  const [one, other] = pair;
  const swap = (value: unknown): unknown =>
    value === one ? other : value === other ? one : exchanged(value, pair);
  if (Array.isArray(piece)) return piece.map((item) => exchanged<unknown>(item, pair)) as T;
  if (typeof piece !== 'object' || piece === null) return piece;
  // Other objects, such as a pattern, name no party.
  if (Object.getPrototypeOf(piece) !== Object.prototype) return piece;
  const isName = 'kind' in piece && piece.kind === 'name';
  return Object.fromEntries(
    Object.entries(piece).map(([key, value]) => {
      if (key === 'or' && Array.isArray(value)) return [key, value.map(swap)];
      const isParty = key === 'party' || (isName && key === 'name');
      return [key, isParty ? swap(value) : exchanged<unknown>(value, pair)];
    }),
  ) as T;
}
