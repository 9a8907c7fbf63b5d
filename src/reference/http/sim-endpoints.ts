import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Fault, Leg } from '../core/contract.ts';
import { standingFaultsOf } from '../core/index.ts';
import { systemClock } from '../../timeline/clock/system-clock.ts';
import type { VirtualClock } from '../../timeline/clock/virtual-clock.ts';
import { formatTimestamp, hasForm, parseTimestamp } from '../../spec/forms.ts';
import type { Backend } from './backend.ts';
import { parseBody } from './wire/json-body.ts';
import type { Answer, World } from './world/world.ts';

/** Host time after which a stream that takes nothing, while time is moved, is cut off; its reader can resume. */
const flushWaitMs = 1000;
const furthestStepMs = 10 * 366 * 24 * 3600 * 1000;

type Fields = Readonly<Record<string, unknown>>;

const isVirtual = (clock: World['options']['clock']): clock is VirtualClock =>
  clock.kind === 'virtual' && 'advanceTo' in clock;

/** A control of a reference for a tester; each call answers with a status and a body. */
interface Control {
  read(): SimAnswer;
  set(fields: Fields): Promise<SimAnswer>;
}

/** The clock control is absent if the clock is the host's, the fault control if it is not offered. */
export type Simulation = { readonly [control in 'clock' | 'faults']?: Control };

interface SimAnswer {
  readonly status: number;
  readonly body: object;
}

const ok = (body: object): SimAnswer => ({ status: 200, body });
const refused = (status: number, detail: string, more: object = {}): SimAnswer => ({
  status,
  body: { status, detail, ...more },
});

const notKept = refused(503, 'the journal has no room for it: ask again later');

export function simulationOf(
  world: World,
  backends: readonly Backend[],
  faults: boolean,
): Simulation {
  const { clock } = world.options;
  return {
    ...(isVirtual(clock) && { clock: clockOf(world, clock, backends) }),
    ...(faults && { faults: faultsOf(world, backends) }),
  };
}

/** Mounts the addresses that drive a reference: not part of the interface, and open to everybody who reaches them. */
export function mountSimulation(app: FastifyInstance, current: () => Simulation): void {
  const answer = (reply: FastifyReply, said: SimAnswer): void => {
    const type = said.status === 200 ? 'application/json' : 'application/problem+json';
    reply.code(said.status).type(`${type}; charset=utf-8`).send(JSON.stringify(said.body));
  };
  const asked = (request: FastifyRequest, control: Control): SimAnswer | Promise<SimAnswer> => {
    const type = request.headers['content-type'];
    // A page of any website may send what a form sends; for JSON its browser asks first.
    if (!isJson(type)) return refused(415, notJson(type));
    const fields = fieldsOf(request.body);
    return typeof fields === 'string' ? refused(400, fields) : control.set(fields);
  };
  const mount = (name: keyof Simulation, readAt: string, setAt: string): void => {
    app.get(readAt, (_, reply) => {
      const control = current()[name];
      if (control) answer(reply, control.read());
      else reply.callNotFound();
    });
    app.post(setAt, async (request, reply) => {
      const control = current()[name];
      if (control) answer(reply, await asked(request, control));
      else reply.callNotFound();
      return reply;
    });
  };
  mount('clock', '/_sim/clock', '/_sim/clock/advance');
  mount('faults', '/_sim/faults', '/_sim/faults');
}

function clockOf(world: World, clock: VirtualClock, backends: readonly Backend[]): Control {
  const read = (): SimAnswer => ok({ now: formatTimestamp(clock.now()), now_ms: clock.now() });
  const flushed = () => Promise.all(backends.map(({ streams }) => streams.flushed()));
  let turn: Promise<unknown> = Promise.resolve();

  /** Moves time moment by moment, so that streams take the events of one moment before the next. */
  async function advanceTo(to: number): Promise<void> {
    for (let next = clock.nextDue(); next !== undefined && next <= to; next = clock.nextDue()) {
      clock.advanceToNext();
      await new Promise<void>((resolve) => {
        world.settled(resolve);
      });
      const inTime = await within(flushWaitMs, flushed());
      if (!inTime) for (const { streams } of backends) streams.dropStalled();
    }
    clock.advanceTo(to);
    world.now();
  }

  async function advance(fields: Fields): Promise<SimAnswer> {
    const now = clock.now();
    if (fields.expected_now !== undefined && momentOf(fields.expected_now) !== now)
      return refused(409, 'it is another time than expected_now', read().body);
    const to = target(fields, now);
    if (typeof to === 'string') return refused(400, to);
    if (to < now) return refused(409, 'time does not go back', read().body);
    await advanceTo(to);
    // After a restart the world must not be earlier than any moment it has answered with.
    const outcome = await new Promise((resolve) => {
      world.keepTime(resolve);
    });
    return outcome === 'kept' ? read() : notKept;
  }

  return {
    read,
    set(fields) {
      // One at a time: the second call compares with the time that the first has set.
      const mine = turn.then(() => advance(fields));
      turn = mine.catch(() => undefined);
      return mine;
    },
  };
}

/** Target moment of an advance in milliseconds since the epoch, or the error in its fields. */
function target(fields: Fields, now: number): number | string {
  const { ms, to } = fields;
  if ((ms === undefined) === (to === undefined)) return 'give either ms or to';
  const moment = ms === undefined ? momentOf(to) : Number.isSafeInteger(ms) ? now + Number(ms) : 0;
  if (moment === undefined || (ms !== undefined && !Number.isSafeInteger(ms)))
    return 'ms must be a whole number, to a timestamp or whole milliseconds since the epoch';
  return moment - now > furthestStepMs ? 'that is more than ten years' : moment;
}

const momentOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) ? Number(value) : parseTimestamp(value);

function faultsOf(world: World, backends: readonly Backend[]): Control {
  const read = (): SimAnswer =>
    ok({
      settlement: standingFaultsOf(world.state()),
      streams: backends.map(({ party, responder, streams }) => ({
        party: party.name,
        open: streams.open,
        delay_ms: responder.delayMs,
      })),
    });

  async function setSettlement(fields: Fields): Promise<string | SimAnswer | undefined> {
    const { order } = fields;
    if (order !== 'next' && order !== 'all' && !hasForm('uuid', order))
      return 'order must be an intent_id, "next" or "all"';
    const fault = faultOf(fields);
    if (typeof fault === 'string') return fault;
    const { ok: isKept } = await new Promise<Answer>((resolve) => {
      world.fault(order, fault, resolve);
    });
    return isKept ? undefined : notKept;
  }

  function setStreams(fields: Fields): string | undefined {
    const chosen = backends.filter(
      ({ party }) =>
        fields.party === 'all' || fields.party === party.name || fields.party === party.partyId,
    );
    if (chosen.length === 0) return 'party must be the name or identifier of a party, or "all"';
    const { drop_streams, delay_ms } = fields;
    if (drop_streams === undefined && delay_ms === undefined)
      return 'give drop_streams or delay_ms';
    if (drop_streams !== undefined && drop_streams !== true) return 'drop_streams can only be true';
    if (delay_ms !== undefined && !isDelay(delay_ms))
      return 'delay_ms must be a whole number from 0 to 600000';
    for (const { streams, responder } of chosen) {
      if (drop_streams) streams.dropAll();
      if (isDelay(delay_ms)) responder.delayMs = delay_ms;
    }
    return undefined;
  }

  return {
    read,
    async set(fields) {
      const wrong = 'order' in fields ? await setSettlement(fields) : setStreams(fields);
      if (typeof wrong === 'object') return wrong;
      return wrong === undefined ? read() : refused(400, wrong);
    },
  };
}

const isJson = (type: string | undefined): boolean =>
  type !== undefined && /^application\/json\s*(?:;|$)/i.test(type);

const notJson = (type: string | undefined): string =>
  `send the body as JSON, with the header content-type: application/json; it came ${type === undefined ? 'without one' : `as ${JSON.stringify(type.slice(0, 100))}`}`;

const isDelay = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= 600_000;

function faultOf({ fault, leg }: Fields): Fault | null | string {
  switch (fault) {
    case null:
      return null;
    case 'revert':
      return leg === undefined || [1, 2, 3, 4].includes(leg as number)
        ? { kind: 'revert', leg: (leg ?? 1) as Leg }
        : 'leg must be 1, 2, 3 or 4';
    case 'stall':
    case 'withdraw':
    case 'invalid':
      return { kind: fault };
    default:
      return 'fault must be "revert", "stall", "withdraw", "invalid" or null';
  }
}

function fieldsOf(body: unknown): Fields | string {
  const parsed = parseBody(Buffer.isBuffer(body) ? body : Buffer.alloc(0));
  return parsed.ok ? (parsed.value as Fields) : parsed.problem.detail;
}

/** Waits for work, at most `ms` milliseconds of host time. True if the work ended in time. */
function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  const host = systemClock();
  return new Promise((resolve, reject) => {
    const cancel = host.at(host.now() + ms, () => resolve(false));
    work.then(() => resolve(true), reject).finally(cancel);
  });
}
