import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { openRemote } from '../../src/target/remote/remote.ts';
import { closeServer, originOf } from '../support/network/gateway.ts';
import { targetOf } from '../support/network/served-reference.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const startMs = Date.parse('2030-01-01T00:00:00.000Z');

interface FakeClock {
  /** Time of the clock after it is told to advance by `ms`. */
  readonly advanced?: (nowMs: number, ms: number) => number;
  /** The text of a reading. */
  readonly shown?: (nowMs: number) => string;
  /** The text of the answer to an advance; as a reading unless set. */
  readonly answered?: (nowMs: number, beforeMs: number) => string;
  readonly status?: number;
}

/** A backend with one party and a clock, and what comes of opening it. */
async function opened({ advanced, shown, answered, status = 200 }: FakeClock): Promise<string> {
  let nowMs = startMs;
  const show = shown ?? ((ms: number) => JSON.stringify({ now: ms }));
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const json = { 'content-type': 'application/json' };
      if (request.url === '/_clock') return response.writeHead(status, json).end(show(nowMs));
      if (request.url === '/_clock/advance') {
        const { ms } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly ms: number };
        const before = nowMs;
        nowMs = advanced ? advanced(nowMs, ms) : nowMs + ms;
        return response.writeHead(200, json).end(answered?.(nowMs, before) ?? show(nowMs));
      }
      const token = '"token":"a.b.c","role":"institution","party_id":"X::1"';
      return response.writeHead(200, json).end(`{"data":{${token}}}`);
    });
  });
  closing.push(() => closeServer(server));
  const origin = await originOf(server);
  const text = [
    'name: x',
    'participants:',
    `  sender: { role: institution, base_url: "${origin}" }`,
    'clock:',
    '  kind: controlled',
    `  now: { get: "${origin}/_clock", at: /now }`,
    `  advance: { post: "${origin}/_clock/advance", body: { ms: $ms } }`,
    '',
  ].join('\n');
  const opening = await openRemote(targetOf(text), { source: text, listening: false });
  if (!opening.ok) return `${opening.kind}\n${opening.problems.join('\n')}`.replaceAll(origin, 'O');
  closing.unshift(() => opening.target.close());
  return 'opened';
}

const says = (value: string) => (): string => `{"now":${value}}`;

describe('a driven clock is tried before the first check, and refused', () => {
  it('with its line, what was seen and what was expected', async () => {
    const said = await opened({ advanced: (nowMs) => nowMs });
    expect(said.split('\n').filter((line) => !/^\s*\d* \|/.test(line))).toEqual([
      'misconfigured',
      't.yaml:7:12: clock.advance: told to go on by 2000 ms, the clock stands still at 2030-01-01T00:00:00.000Z',
      '  expected: clock.now 2000 ms later',
    ]);
  });

  const wrongClocks: readonly (readonly [string, FakeClock, string])[] = [
    [
      'that goes backwards',
      { advanced: (nowMs, ms) => nowMs - ms },
      't.yaml:7:12: clock.advance: told to go on by 2000 ms, the clock went back from 2030-01-01T00:00:00.000Z to 2029-12-31T23:59:58.000Z',
    ],
    [
      'that takes seconds for milliseconds',
      { advanced: (nowMs, ms) => nowMs + ms * 1_000 },
      'the clock went on by 2000000 ms, from 2030-01-01T00:00:00.000Z to 2030-01-01T00:33:20.000Z',
    ],
    [
      'that is read in seconds',
      { shown: (nowMs) => `{"now":${Math.floor(nowMs / 1_000)}}` },
      'the clock went on by 2 ms only',
    ],
    ['that is NaN', { shown: says('NaN') }, 'answered with no moment at /now: {"now":NaN}'],
    ['that is a word', { shown: says('"noon"') }, 'no moment at /now: {"now":"noon"}'],
    ['without a zone', { shown: says('"2030-01-01T00:00:00"') }, 'no moment at /now'],
    [
      'under another name',
      { shown: (nowMs) => `{"time":${nowMs}}` },
      'no moment at /now: {"time":',
    ],
    ['that is not there', { status: 404 }, 'clock.now: GET O/_clock answered 404'],
    [
      'that breaks with its first step',
      { answered: () => '{}', shown: (nowMs) => (nowMs > startMs ? '{}' : `{"now":${nowMs}}`) },
      'no moment at /now: {}',
    ],
  ];

  it.each(wrongClocks)('%s', async (_, clock, words) => {
    const said = await opened(clock);
    expect(said).toMatch(/^misconfigured\n/);
    expect(said).toContain(words);
  });

  it('that is broken, which may be over later', async () => {
    expect(await opened({ status: 503 })).toMatch(
      /^unreachable\nt\.yaml:6:8: clock\.now: GET O\/_clock answered 503/,
    );
  });
});

describe('a driven clock is used', () => {
  it.each<readonly [string, FakeClock]>([
    ['that does what it is told', {}],
    ['that tells timestamps', { shown: (nowMs) => `{"now":"${new Date(nowMs).toISOString()}"}` }],
    [
      'that counts whole seconds',
      { shown: (nowMs) => `{"now":${Math.ceil(nowMs / 1_000) * 1_000}}` },
    ],
    ['whose advance answers with nothing', { answered: () => '' }],
    ['whose advance answers where it was before', { answered: (_, before) => `{"now":${before}}` }],
    ['that goes as far as it can at once', { advanced: (nowMs, ms) => nowMs + Math.ceil(ms / 2) }],
  ])('%s', async (_, clock) => {
    expect(await opened(clock)).toBe('opened');
  });
});
