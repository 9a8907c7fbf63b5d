/** A backend and a party of it on a virtual timeline, for tests. */
import type { Exchange } from '../../../src/history/records.ts';
import { createRecorder } from '../../../src/history/recorder.ts';
import { flushPending } from '../../../src/timeline/event-loop.ts';
import { virtualClock } from '../../../src/timeline/clock/virtual-clock.ts';
import { virtualTimeline } from '../../../src/timeline/virtual-timeline.ts';
import { createParty, type PartyOptions } from '../../../src/client/party.ts';
import type {
  StreamSink,
  Transport,
  WireAnswer,
  WireRequest,
} from '../../../src/client/http/transport.ts';

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

export const respond = (
  status: number,
  body?: unknown,
  headers: Record<string, string> = {},
): WireAnswer => ({
  kind: 'response',
  response: {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    bytes: body === undefined ? new Uint8Array() : encode(JSON.stringify(body)),
  },
});

/** A backend that issues numbered tokens and identities. The test answers everything else. */
export function fakeBackend(
  answer: (request: WireRequest) => WireAnswer = () => respond(200, { data: {} }),
) {
  const seen: WireRequest[] = [];
  const sinks: StreamSink[] = [];
  const aborted: number[] = [];
  let tokens = 0;
  let streamStatus = 200;

  const transport: Transport = {
    baseUrl: 'http://127.0.0.1/bank-a',
    async request(request) {
      seen.push(request);
      await flushPending(2);
      if (request.path === '/auth/token') {
        tokens += 1;
        const data = { token: `token-${tokens}`, expires_in: 3_600, canton_party_id: 'Bank::a' };
        return respond(200, { data });
      }
      if (request.path === '/api/v1/whoami')
        return respond(200, { data: { party_id: 'Bank::a1' } });
      return answer(request);
    },
    async open(request, sink) {
      seen.push(request);
      if (streamStatus !== 200) return respond(streamStatus);
      const index = sinks.push(sink) - 1;
      return {
        kind: 'stream',
        status: 200,
        headers: { 'content-type': 'text/event-stream' },
        abort: () => void aborted.push(index),
      };
    },
    close: async () => {},
  };
  return {
    transport,
    seen,
    sinks,
    aborted,
    refuseStreams: (status: number) => (streamStatus = status),
  };
}

export function partyFixture(
  server: ReturnType<typeof fakeBackend> = fakeBackend(),
  options: Partial<Pick<PartyOptions, 'token' | 'role'>> = {},
) {
  const clock = virtualClock(0);
  const timeline = virtualTimeline(clock, { watchdogMs: 2_000 });
  const recorder = createRecorder();
  const open = createParty({
    name: 'sender',
    role: 'institution',
    transport: server.transport,
    timeline,
    recorder,
    ...options,
  });
  return { clock, timeline, recorder, open, server, party: open.as('check.one') };
}

export const exchangesOf = ({ recorder }: ReturnType<typeof partyFixture>): Exchange[] =>
  recorder.records.filter((record) => record.kind === 'exchange');
