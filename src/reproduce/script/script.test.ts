import { expect, it } from 'vitest';
import { clockText, scriptText } from './script.ts';
import { exchange } from '../../../test/support/records.ts';
import type { ListenStep } from '../steps.ts';
import { addressLines, routeLines, tokenLines } from './tokens.ts';
import { jqCondition, jqValue, shellWord } from './values.ts';

const baseUrl = 'http://127.0.0.1:9000/bank-a';
const party = { name: 'maker_a', baseUrl } as const;

it('quotes every text of a target', () => {
  expect(shellWord(`it's $(date) \`x\``)).toBe(String.raw`'it'\''s $(date) ${'`x`'}'`);
  const [line] = addressLines([
    { ...party, baseUrl: 'http://h/$(id)`x`"', token: { kind: 'own' } },
  ]);
  expect(line).toBe(String.raw`MAKER_A_URL="${'$'}{MAKER_A_URL:-http://h/\$(id)${'\\`x\\`'}\"}"`);
});

it('takes tokens from where the target file says', () => {
  const linesWith = (token: Parameters<typeof tokenLines>[0][number]['token']) =>
    tokenLines([{ ...party, token }]).join('\n');
  expect(linesWith({ kind: 'own' })).toContain('own_token "$MAKER_A_URL"');
  expect(linesWith({ kind: 'env', variable: 'MM_TOKEN', token: 'secret' })).toContain(
    '${MM_TOKEN:?',
  );
  const provider = linesWith({
    kind: 'client_credentials',
    at: { tokenUrl: 'http://idp/token' },
    clientId: 'me',
    authentication: { method: 'client_secret_post', secret: 'secret', variable: 'MM_SECRET' },
  });
  expect(provider).toContain('client_secret=${MM_SECRET:?');
  expect(linesWith({ kind: 'command', command: ['get-token', "o'k"] })).toContain(`'get-token'`);
  expect(provider + linesWith({ kind: 'env', variable: 'X', token: 'secret' })).not.toContain(
    'secret"',
  );
});

it('names the headers and certificates that a route needs, without their values', () => {
  const route = {
    headers: { 'x-api-key': 'a secret' },
    tls: { ca: 'PEM', cert: 'PEM', key: 'PEM' },
  };
  const both = (['maker_a', 'sender'] as const).map((name) => ({ ...party, name, route }));
  const lines = routeLines(both.map((one) => ({ ...one, token: { kind: 'own' } }))).join('\n');
  expect(lines).toContain('#   header = "x-api-key: ..."\n#   cacert = "..."\n#   cert = "..."');
  expect(lines).toContain('curl --config "$CURL_OPTIONS"');
  expect(lines).not.toMatch(/secret|PEM/);
  expect(routeLines([{ ...party, token: { kind: 'own' } }])).toEqual([]);
});

it('moves a clock as the target file says', () => {
  const text = clockText({
    kind: 'controlled',
    now: { url: 'http://c/now', at: '/time/now' },
    advance: { url: 'http://c/advance?by=$ms', body: { to: '$to_iso', from: '$now' } },
  });
  expect(text).toContain('getpath([\\"time\\",\\"now\\"])');
  expect(text).toContain('{"to": iso($to), "from": $now}');
  expect(text).toContain(String.raw`advance?by=\$ms`);
});

it('writes values and conditions for jq', () => {
  const id = { kind: 'answer', step: 'order', path: ['data', 'intent_id'] } as const;
  expect(jqValue({ kind: 'text', parts: [{ kind: 'plain', value: '/a/"' }, id] })).toBe(
    '("/a/\\"" + .order.body["data"]["intent_id"])',
  );
  expect(jqCondition({ kind: 'status', step: 'order', must: 'be refused' })).toBe(
    '.order.status | . >= 400 and . < 500',
  );
});

const opened: ListenStep = {
  kind: 'listen',
  name: 'stream',
  party: 'sender',
  token: 'sender',
  path: { kind: 'plain', value: '/events' },
  isOwn: false,
  recorded: exchange({ id: 's' }),
};
const shown = { check: 'c', source: 'c', requirement: '', part: '6', summary: 's', message: 'm' };
const target = {
  participants: [{ name: 'sender', baseUrl, token: { kind: 'own' } }],
  clock: { kind: 'system' },
} as const;

it('resumes a stream after its last event', () => {
  const text = scriptText(
    { shown, steps: [opened, { ...opened, name: 'again', resumes: 'stream' }], claims: [] },
    target,
  );
  const flow = text.slice(text.indexOf('# ---- the flow'));
  expect(flow).toMatch(/^listen stream "\$SENDER_URL"/m);
  expect(flow).toMatch(/^resume again stream "\$SENDER_URL"/m);
});

it('keeps the token that a stream is to be opened with once it has expired', () => {
  const token = { kind: 'expired', party: 'sender' } as const;
  const steps = [{ ...opened, token }];
  expect(scriptText({ shown, steps, claims: [] }, target)).toContain(
    'FIRST_SENDER_TOKEN="$SENDER_TOKEN"',
  );
});
