import type { CallOptions, EventStream, CallPolicy, Party, Target } from '../../client/contract.ts';
import { kindOf } from '../../client/party.ts';
import type { Exchange, Frame, HistoryRecord, WireError } from '../../history/records.ts';
import { createSignal } from '../../timeline/signal.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import { virtualClock } from '../../timeline/clock/virtual-clock.ts';
import { virtualTimeline } from '../../timeline/virtual-timeline.ts';
import { type EndpointName, endpoints, matchEndpoint, pathOf } from '../../spec/endpoints.ts';
import type { GapId } from '../../spec/gaps/index.ts';
import { cast, type CastName, type RequirementId } from '../../spec/requirements/index.ts';
import { random } from '../../random/random.ts';
import type { Check, CheckContext } from './check.ts';
import type { Catalogue } from '../../results/source-report.ts';
import type { SourceReport } from '../../results/source-report.ts';
import { runChecks } from './run-checks.ts';

export const startOfTime = Date.parse('2026-01-01T00:00:00.000Z');

export const aTimeline = (): Timeline => virtualTimeline(virtualClock(startOfTime));

/** A made-up catalogue: tests of the engine must not depend on the real one. */
export const aCatalogue: Catalogue = {
  'a.one': { part: '1', level: 'must', summary: 'One holds.' },
  'a.two': { part: '2.2', level: 'must', summary: 'Two holds.' },
  'a.vague': { part: '3', level: 'vague', summary: 'Something is about so.' },
  'a.unseen': { part: '9', level: 'must', summary: 'Nobody sees.', unobservable: 'it is inside' },
  'a.signed': { part: '5', level: 'must', summary: 'Keys.', needs: { signing: true } },
};

/** The made-up ids are no ids of the real catalogue. */
export const req = (id: string): RequirementId => id as RequirementId;

export const aCheck = (
  id: string,
  run: Check['run'],
  more: Partial<Omit<Check, 'requirements'>> & { readonly requirements?: readonly string[] } = {},
): Check => ({
  id,
  title: `${id} does something.`,
  needs: { parties: ['sender'] },
  run,
  ...more,
  requirements: (more.requirements ?? ['a.one']).map(req),
});

export interface FakeCall {
  readonly party: CastName;
  readonly by: string;
  readonly method: string;
  readonly path: string;
  readonly endpoint?: EndpointName;
  readonly options: CallOptions;
}

export type FakeAnswer =
  | { readonly status: number; readonly body?: unknown }
  | { readonly error: WireError };

export interface FakeTarget extends Target {
  readonly calls: readonly FakeCall[];
  /** Sends an event to the party's shared stream. */
  emit(party: CastName, event: string, data: unknown): void;
}

export interface FakeOptions {
  readonly timeline?: Timeline;
  readonly answer?: (call: FakeCall, now: number) => FakeAnswer | Promise<FakeAnswer>;
  readonly parties?: readonly CastName[];
  readonly maxWaitMs?: number;
  readonly offset?: { readonly least: number; readonly most: number };
  readonly answers?: Partial<Record<GapId, string>>;
  readonly overrides?: Partial<Target>;
}

/** A shared stream whose frames a test sends. */
function fakeStream(timeline: Timeline, opened: Exchange, keep: (frame: Frame) => void) {
  const signal = createSignal();
  const frames: Frame[] = [];
  const stream: EventStream = {
    opened,
    isOpen: true,
    frames,
    ended: undefined,
    async find(match, until) {
      for (;;) {
        const found = frames.find(match);
        if (found || timeline.now() >= until) return found;
        await timeline.wait(signal, until);
      }
    },
    close: () => Promise.resolve(),
  };
  const send = (event: string, data: unknown): void => {
    const { id, party, role } = opened;
    const frame: Frame = {
      kind: 'frame',
      id: `${id}/${frames.length + 1}`,
      stream: id,
      by: 'fake',
      party,
      role,
      received: timeline.now(),
      event,
      data,
    };
    frames.push(frame);
    keep(frame);
    signal.ring();
  };
  return { stream, send };
}

/** A target that answers as the test says, on a virtual timeline, recording like a real one. */
export function fakeTarget(options: FakeOptions = {}): FakeTarget {
  const timeline = options.timeline ?? aTimeline();
  const names = options.parties ?? ['sender', 'sender_custodian', 'outsider', 'maker_a', 'maker_b'];
  const answer = options.answer ?? (() => ({ status: 200, body: { data: {} } }));
  const records: HistoryRecord[] = [];
  const calls: FakeCall[] = [];
  const counts = new Map<string, number>();

  const exchange = (call: FakeCall, sent: number, answered: FakeAnswer): Exchange => {
    const number = (counts.get(call.by) ?? 0) + 1;
    counts.set(call.by, number);
    const { method, path, endpoint, by, party } = call;
    return {
      kind: 'exchange',
      id: `${by}#${number}`,
      by,
      party,
      role: cast[party],
      ...(endpoint && { endpoint }),
      params: call.options.params ?? {},
      query: call.options.query ?? {},
      auth: call.options.credential?.label ?? 'own',
      request: { method, path, headers: {}, body: call.options.body },
      ...('error' in answered
        ? { error: answered.error }
        : { response: { status: answered.status, headers: {}, body: answered.body } }),
      sent,
      received: timeline.now(),
    };
  };
  const make = async (call: FakeCall): Promise<Exchange> => {
    calls.push(call);
    const sent = timeline.now();
    const made = exchange(call, sent, await answer(call, sent));
    records.push(made);
    return made;
  };
  const streams = new Map(
    names.map((party) => {
      const path = pathOf(cast[party] === 'market-maker' ? 'maker.events' : 'order.events');
      const call: FakeCall = { party, by: 'fake', method: 'GET', path, options: {} };
      const opened = exchange(call, timeline.now(), { status: 200 });
      return [party, fakeStream(timeline, opened, (frame) => records.push(frame))] as const;
    }),
  );
  const streamOf = (name: CastName) => {
    const found = streams.get(name);
    if (!found) throw new Error(`no party ${name}`);
    return found;
  };
  const party = (name: CastName, by: string, policy?: CallPolicy): Party => ({
    name,
    role: cast[name],
    baseUrl: `http://target.test/${name}`,
    partyId: `${name}::0a`,
    token: `token-of-${name}`,
    call(endpoint, given = {}) {
      const path = pathOf(endpoint, given.params);
      const { method } = endpoints[endpoint];
      const send = () => make({ party: name, by, method, path, endpoint, options: given });
      return policy ? policy.call(send, kindOf(method)) : send();
    },
    send(method, path, given = {}) {
      const endpoint = matchEndpoint(method, path)?.name;
      const of = { party: name, by, method, path, ...(endpoint && { endpoint }) };
      const sendIt = () => make({ ...of, options: given });
      return policy ? policy.call(sendIt, kindOf(method)) : sendIt();
    },
    listen() {
      const open = () => Promise.resolve(streamOf(name).stream);
      return policy ? policy.listen(open) : open();
    },
    get events() {
      const { stream } = streamOf(name);
      return policy ? policy.stream(stream) : stream;
    },
  });

  return {
    name: 'fake',
    timeline,
    clock: {
      kind: 'virtual',
      maxWaitMs: options.maxWaitMs ?? 90_000,
      offset: options.offset ?? { least: 0, most: 0 },
    },
    parties: Object.fromEntries(
      names.map((name) => [name, { role: cast[name], baseUrl: `http://target.test/${name}` }]),
    ),
    party,
    history: { records },
    answers: { get: (gap) => options.answers?.[gap] },
    orderDefaults: {},
    controls: {},
    close: () => Promise.resolve(),
    ...options.overrides,
    calls,
    emit: (name, event, data) => streamOf(name).send(event, data),
  };
}

/** Runs one body as a check of the made-up catalogue. */
export async function runAsCheck(
  target: Target,
  body: (t: CheckContext) => Promise<void>,
): Promise<SourceReport> {
  const check = aCheck('tried', body, { requirements: ['a.one', 'a.two'] });
  const { checks } = await runChecks({
    target,
    checks: [check],
    rules: [],
    options: { random: random('7') },
    catalogue: aCatalogue,
  });
  const [result] = checks;
  if (!result) throw new Error('nothing was run');
  return result;
}

/** The value of one body that runs as a check; throws if it gave up. */
export async function inCheck<T>(
  target: Target,
  body: (t: CheckContext) => Promise<T>,
): Promise<T> {
  let made: { readonly value: T } | undefined;
  const { reason } = await runAsCheck(target, async (t) => {
    made = { value: await body(t) };
  });
  if (!made) throw new Error(reason);
  return made.value;
}
