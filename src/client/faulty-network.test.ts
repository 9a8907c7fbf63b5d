import { describe, expect, it } from 'vitest';
import type { StreamSink, Transport } from './http/transport.ts';
import { Network } from './faulty-network.ts';

const answer = {
  kind: 'response',
  response: { status: 200, headers: {}, bytes: new Uint8Array() },
} as const;

/** A backend with one stream open at a time. */
function backend() {
  const seen = { asked: 0, aborted: 0, sink: undefined as StreamSink | undefined };
  const transport: Transport = {
    baseUrl: '',
    request: async () => {
      seen.asked += 1;
      return answer;
    },
    open: async (_, sink) => {
      seen.sink = sink;
      return { kind: 'stream', status: 200, headers: {}, abort: () => (seen.aborted += 1) };
    },
    close: async () => {},
  };
  return { seen, transport };
}

const request = { method: 'GET', path: '/', headers: {} };

function send(network: Network) {
  const way = network.way();
  return { way, sent: way.carry(() => network.transport.request(request)) };
}

/** Opens a stream. Returns what arrives on it, and how it ends. */
async function listen(network: Network): Promise<readonly string[]> {
  const heard: string[] = [];
  await network.transport.open(request, {
    chunk: (bytes) => heard.push(new TextDecoder().decode(bytes)),
    end: (error) => heard.push(error?.code ?? 'ended'),
  });
  return heard;
}

describe('a network', () => {
  it('loses one request before it arrives, and one answer after it took effect', async () => {
    const { seen, transport } = backend();
    const network = new Network(transport, () => 0);
    network.begin({ fault: 'request lost', ms: 700 });
    network.begin({ fault: 'answer lost', ms: 900 });
    const lost = send(network);
    expect(await lost.sent).toMatchObject({ kind: 'error', error: { code: 'aborted' } });
    expect([seen.asked, lost.way.answerMs()]).toEqual([0, 700]);
    const unheard = send(network);
    expect(await unheard.sent).toMatchObject({ kind: 'error', error: { code: 'aborted' } });
    expect([seen.asked, unheard.way.answerMs()]).toEqual([1, 900]);
    expect(await send(network).sent).toBe(answer);
  });

  it('reports a fault that no request met', async () => {
    const network = new Network(backend().transport, () => 0);
    const never: string[] = [];
    network.begin({ fault: 'request lost', ms: 1 }, () => never.push('first'));
    network.begin({ fault: 'request lost', ms: 1 }, () => never.push('second'));
    await send(network).sent;
    network.calm();
    network.calm();
    expect(never).toEqual(['second']);
    expect(await send(network).sent).toBe(answer);
  });

  it('holds a request up, and longer where the host stands still when it arrives', () => {
    let pausedMs = 0;
    const network = new Network(backend().transport, () => pausedMs);
    network.begin({ fault: 'request delayed', ms: 40 });
    const way = network.way();
    expect(way.heldMs()).toBe(40);
    pausedMs = 25;
    expect(way.heldMs()).toBe(25);
    pausedMs = 0;
    expect(way.heldMs()).toBe(0);
  });

  it('is cut and joined again; streams that a cut breaks end by our cause', async () => {
    const { seen, transport } = backend();
    const network = new Network(transport, () => 0);
    const heard = await listen(network);
    const cut = network.begin({ fault: 'partition', ms: 1 });
    expect([heard, seen.aborted, network.openStreams]).toEqual([['aborted'], 1, 0]);
    expect(await send(network).sent).toMatchObject({ kind: 'error' });
    cut?.end();
    expect(await send(network).sent).toBe(answer);
  });

  it('loses what is under way when it is cut', async () => {
    const { seen, transport } = backend();
    const network = new Network(transport, () => 0);
    const [under, opening] = [send(network), network.way()];
    const heard: string[] = [];
    const sink = { chunk: () => {}, end: () => heard.push('ended') };
    const opened = opening.carry(() => network.transport.open(request, sink));
    network.begin({ fault: 'partition', ms: 1 });
    expect(await under.sent).toMatchObject({ kind: 'error', error: { code: 'aborted' } });
    expect(await opened).toMatchObject({ kind: 'error', error: { code: 'aborted' } });
    expect([seen.asked, under.way.isLost(), opening.isLost()]).toEqual([1, true, true]);
    expect([heard, seen.aborted > 0, network.openStreams]).toEqual([['ended'], true, 0]);
  });

  it('brings what a stalled stream carried later, in its order', async () => {
    const { seen, transport } = backend();
    const network = new Network(transport, () => 0);
    const heard = await listen(network);
    const say = (text: string): void => seen.sink?.chunk(new TextEncoder().encode(text));
    say('1');
    const stalled = network.begin({ fault: 'streams stall', ms: 1 });
    say('2');
    seen.sink?.end();
    expect(heard).toEqual(['1']);
    stalled?.end();
    expect(heard).toEqual(['1', '2', 'ended']);
  });

  it('holds streams back until the last stall is over, however often the first ends', async () => {
    const { seen, transport } = backend();
    const network = new Network(transport, () => 0);
    const heard: string[] = [];
    await network.transport.open(request, {
      chunk: (bytes) => heard.push(new TextDecoder().decode(bytes)),
      end: () => {},
    });
    const stall = { fault: 'streams stall', ms: 1 } as const;
    const [first, second] = [network.begin(stall), network.begin(stall)];
    seen.sink?.chunk(new TextEncoder().encode('1'));
    first?.end();
    first?.end();
    expect(heard).toEqual([]);
    second?.end();
    expect(heard).toEqual(['1']);
  });
});
