import { expect, it } from 'vitest';
import type { Exchange } from '../../history/records.ts';
import { type CallStep, plain } from '../steps.ts';
import { claimsFor } from './index.ts';

it('says that no header of an answer names a party', () => {
  const sender = 'BankA::122098da7195';
  const recorded: Exchange = {
    kind: 'exchange',
    id: 'quote',
    by: 'c',
    endpoint: 'quote.submit',
    party: 'maker_a',
    role: 'market-maker',
    params: {},
    query: {},
    auth: 'own',
    sent: 0,
    received: 0,
    request: { method: 'POST', path: '/quotes', headers: {} },
    response: { status: 201, headers: { 'x-traced': `for ${sender}` }, body: { data: {} } },
  };
  const step: CallStep = {
    kind: 'call',
    name: 'quote',
    party: 'maker_a',
    token: 'maker_a',
    path: plain('/quotes'),
    headers: {},
    recorded,
  };
  const [claims] = claimsFor({
    message: "quote.submit gave the sender's side away to a market maker",
    expected: undefined,
    actual: sender,
    evidence: [recorded],
    steps: [step],
    partyIds: new Map([[sender, 'sender']]),
  });
  const test = { test: 'lacks', value: { kind: 'party', party: 'sender' } };
  expect(claims).toEqual([
    { kind: 'value', step: 'quote', of: 'headers', path: ['x-traced'], test },
  ]);
});
