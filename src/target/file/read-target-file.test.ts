import { describe, expect, it } from 'vitest';
import { type FileHost, renderSourceErrors } from '../../yaml/index.ts';
import { readTargetFile } from './read-target-file.ts';

const host: FileHost = {
  directory: '/work',
  env: { MM1_TOKEN: 'aaa.bbb.ccc', SECRET: 's3cret', EMPTY: '' },
  readText: (path) => (path === '/work/keys/key.pem' ? 'PEM' : undefined),
};
const read = (text: string) => readTargetFile({ file: 't.yaml', text }, host);

/** The messages for a file, without their source lines. */
const complaints = (text: string): string[] => {
  const result = read(text);
  return result.ok
    ? []
    : result.errors.map(({ line, col, message, hint }) =>
        [`${line}:${col} ${message}`, ...(hint ? [hint] : [])].join(' / '),
      );
};

const whole = `
name: acme-fx 2.3
participants:
  sender:  { role: institution,  base_url: "http://127.0.0.1:9000/bank-a/" }
  maker_a: { role: market-maker, base_url: "http://h:1/mm-1", token: { env: MM1_TOKEN } }
  maker_b: { role: market-maker, base_url: "https://h/mm-2", token: { command: [get, "-t"] } }
  sender_custodian:
    role: custodian
    base_url: "http://h/c"
    token:
      client_credentials: { token_url: "http://h/t?x=1", client_id: me, client_secret: { env: SECRET }, scope: fx }
clock:
  kind: controlled
  max_wait: 1h30m
  now:     { get: "http://h/_clock", at: /now }
  advance: { post: "http://h/_clock/advance", body: { ms: $ms } }
signing: { alg: EdDSA, private_key: { file: keys/key.pem } }
controls:
  fail_settlement: { order: { memo: "!revert" } }
  withdraw_order: { post: "http://h/withdraw/$intent_id", body: { id: $intent_id } }
  restart: { post: "http://h/restart" }
orders:
  defaults: { source_currency: USD, settle_by: 3 }
gaps:
  list.page_param: page_no
  list.first_page: 0
`;

describe('a good target file', () => {
  it('is read whole', () => {
    const result = read(whole);
    if (!result.ok) throw new Error(renderSourceErrors(result.errors, whole));
    const { target } = result;
    expect(target.name).toBe('acme-fx 2.3');
    expect(target.participants.map(({ name, baseUrl, token }) => [name, baseUrl, token])).toEqual([
      ['sender', 'http://127.0.0.1:9000/bank-a', { kind: 'own' }],
      ['maker_a', 'http://h:1/mm-1', { kind: 'env', variable: 'MM1_TOKEN', token: 'aaa.bbb.ccc' }],
      ['maker_b', 'https://h/mm-2', { kind: 'command', command: ['get', '-t'] }],
      [
        'sender_custodian',
        'http://h/c',
        {
          kind: 'client_credentials',
          at: { tokenUrl: 'http://h/t?x=1' },
          clientId: 'me',
          authentication: { method: 'client_secret_post', secret: 's3cret', variable: 'SECRET' },
          scope: 'fx',
        },
      ],
    ]);
    expect(target.clock).toMatchObject({
      kind: 'controlled',
      maxWaitMs: 5_400_000,
      now: { url: 'http://h/_clock', at: '/now' },
      advance: { url: 'http://h/_clock/advance', body: { ms: '$ms' } },
    });
    expect(target.signing).toMatchObject({ alg: 'EdDSA', key: 'PEM' });
    expect(target.controls).toEqual({
      fail_settlement: { order: { memo: '!revert' } },
      withdraw_order: { call: { url: 'http://h/withdraw/$intent_id', body: { id: '$intent_id' } } },
    });
    expect(target.restart).toEqual({ url: 'http://h/restart', body: undefined });
    expect(target.orderDefaults).toEqual({ source_currency: 'USD', settle_by: 3 });
    expect(target.gaps).toEqual({ 'list.page_param': 'page_no', 'list.first_page': '0' });
  });

  it.each([
    ['{ target_amount: "2500.00" }', '5000.00'],
    ['{ target_amount: "50" }', '2000.00'],
    ['{ target_amount: "2500.00", source_amount_max: "2600" }', '2600'],
    ['{ source_currency: USD }', undefined],
    ['{ target_amount: plenty }', undefined],
  ])('gives an amount room for quotes around rate 1: %s', (defaults, maximum) => {
    const result = read(
      `name: x\nparticipants: { sender: ${party} }\norders: { defaults: ${defaults} }`,
    );
    expect(result.ok && result.target.orderDefaults['source_amount_max']).toBe(maximum);
  });

  it('needs a name and one participant, no more', () => {
    const result = read(
      'name: x\nparticipants: { maker_c: { role: market-maker, base_url: "http://h" } }',
    );
    expect(result.ok && result.target.clock).toEqual({ kind: 'system', maxWaitMs: 90_000 });
    expect(result.ok && result.target.alone).toBeUndefined();
  });

  it('waits for a clock that is driven as long as it takes, unless it says otherwise', () => {
    const unbounded = read(whole.replace('  max_wait: 1h30m\n', ''));
    expect(unbounded.ok && unbounded.target.clock.maxWaitMs).toBe(Number.POSITIVE_INFINITY);
  });

  it.each([
    ['true', true],
    ['false', false],
  ])('says whether nobody else uses the target: %s', (written, alone) => {
    const result = read(`${base}alone: ${written}\n`);
    expect(result.ok && result.target.alone).toBe(alone);
  });
});

const party = '{ role: institution, base_url: "http://h" }';
const base = `name: x\nparticipants: { sender: ${party} }\n`;

describe('a bad target file', () => {
  it('says everything at once, each with its line and a caret', () => {
    const text = [
      'nam: acme',
      'participants:',
      '  sender: { roll: institution, base_url: "ftp://x" }',
      'clock: { kind: system, max_wait: 90 }',
    ].join('\n');
    const result = read(text);
    expect(result.ok ? '' : renderSourceErrors(result.errors, text)).toBe(
      `t.yaml:1:1: unknown key "nam" in a target file
  |
1 | nam: acme
  | ^^^
  expected: one of name, participants, clock, headers, tls, proxy, insecure, jwks_uri, issuer, correlation, signing, controls, orders, gaps, alone
  hint: did you mean "name"?

t.yaml:3:13: unknown key "roll" in a participant
  |
3 |   sender: { roll: institution, base_url: "ftp://x" }
  |             ^^^^
  expected: one of role, base_url, headers, tls, jwks_uri, issuer, token
  hint: did you mean "role"?

t.yaml:3:42: the scheme "ftp" is neither http nor https
  |
3 |   sender: { roll: institution, base_url: "ftp://x" }
  |                                          ^^^^^^^^^
  expected: an address such as http://127.0.0.1:9000

t.yaml:4:34: found the number 90
  |
4 | clock: { kind: system, max_wait: 90 }
  |                                  ^^
  expected: a duration such as 500ms, 90s, 5m or 1h30m
  hint: say the unit: 90s, 90ms`,
    );
  });

  it.each([
    ['nothing declared', 'name: x\nparticipants: {}', ['2:15 no participant is declared']],
    ['a name missing', `participants: { sender: ${party} }`, ['1:1 a target file lacks "name"']],
    [
      'a party twice',
      `name: x\nparticipants:\n  sender: ${party}\n  sender: ${party}\n`,
      ['4:3 this key stands here twice'],
    ],
    [
      'a role that its name denies',
      'name: x\nparticipants: { sender: { role: custodian, base_url: "http://h" } }',
      ['2:33 sender is declared as custodian'],
    ],
    [
      'a misspelled party',
      `name: x\nparticipants: { sendr: ${party} }`,
      ['2:17 unknown key "sendr" in the participants / did you mean "sender"?'],
    ],
    [
      'credentials in an address',
      'name: x\nparticipants: { sender: { role: institution, base_url: "http://a:b@h" } }',
      ['2:56 an address must not carry credentials'],
    ],
    [
      'a token in the file',
      'name: x\nparticipants: { sender: { role: institution, base_url: "http://h", token: abc } }',
      ['2:75 found "abc" / a token itself does not belong in a file'],
    ],
    [
      'a variable that is not set, or empty',
      'name: x\nparticipants: { sender: { role: institution, base_url: "http://h", token: { env: EMPTY } } }',
      [
        '2:82 the environment variable EMPTY is not set / run with EMPTY=... in front of the command',
      ],
    ],
    [
      'two sources of a token',
      'name: x\nparticipants: { sender: { role: institution, base_url: "http://h", token: { env: MM1_TOKEN, command: [x] } } }',
      ['2:75 a token source names exactly one way'],
    ],
    [
      'an empty command',
      'name: x\nparticipants: { sender: { role: institution, base_url: "http://h", token: { command: [] } } }',
      ['2:86 the command is empty'],
    ],
    [
      'a word that YAML reads as a number',
      `${base}gaps: { list.page_param: [1] }`,
      ['3:26 found a list'],
    ],
    [
      'a closed gap with another answer',
      `${base}gaps: { list.oversize: clmp }`,
      ['3:24 found "clmp" / did you mean "clamp"?'],
    ],
    [
      'an unknown gap',
      `${base}gaps: { list.page_parm: page }`,
      ['3:9 no gap is named "list.page_parm" / did you mean "list.page_param"?'],
    ],
    [
      'gaps within gaps',
      `${base}gaps: { gaps: {} }`,
      ['3:9 no gap is named "gaps" / leave out "gaps:" here'],
    ],
    [
      'a key file that is not there',
      `${base}signing: { alg: EdDSA, private_key: { file: nope.pem } }`,
      ['3:45 the key file "nope.pem" cannot be read / the path is relative to the target file'],
    ],
    [
      'a system clock that is driven',
      `${base}clock: { kind: system, now: { get: "http://h" } }`,
      ['3:29 a system clock cannot be driven / say kind: controlled'],
    ],
    [
      'a controlled clock that nobody can drive',
      `${base}clock: { kind: controlled }`,
      ['3:8 a controlled clock lacks "now"', '3:8 a controlled clock lacks "advance"'],
    ],
    [
      'an advance that never says how far',
      `${base}clock: { kind: controlled, now: { get: "http://h" }, advance: { post: "http://h", body: {} } }`,
      ['3:63 the advance never says how far'],
    ],
    [
      'an unknown placeholder',
      `${base}controls: { withdraw_order: { post: "http://h", body: { id: $order } } }`,
      ['3:61 found "$order"'],
    ],
    ['a control that is none', `${base}controls: { fail_settlement: yes }`, ['3:30 found "yes"']],
  ])('%s', (_, text, expected) => {
    expect(complaints(text)).toEqual(expected);
  });

  it('never shows a secret', () => {
    const text = `${base}signing: { alg: XX, private_key: { env: SECRET } }`;
    const result = read(text);
    expect(result.ok ? '' : renderSourceErrors(result.errors, text)).not.toContain('s3cret');
  });
});
