import { expect, it } from 'vitest';
import type { Exchange } from '../history/records.ts';
import type { EndpointName } from '../spec/endpoints.ts';
import { exchange } from '../../test/support/records.ts';
import { simplify } from './simplify.ts';
import { scenarioText } from './scenario.ts';
import {
  type CallStep,
  type ListenStep,
  plain,
  type ReproStep,
  type Reproduction,
} from './steps.ts';

const shown = { check: 'c', source: 'c', requirement: '', part: '', summary: 's', message: 'm' };

const recorded = (endpoint: EndpointName, intentId?: string): Exchange =>
  exchange({
    id: `${endpoint} ${intentId}`,
    endpoint,
    params: intentId === undefined ? {} : { intent_id: intentId },
    data: intentId === undefined ? [] : { intent_id: intentId },
  });

const usual = { token: 'sender', party: 'sender', path: plain('/'), headers: {} } as const;
const create = (id: string, memo: string): CallStep => ({
  ...usual,
  kind: 'call',
  name: `order_${id}`,
  body: { kind: 'object', fields: [['memo', plain(memo)]] },
  recorded: recorded('order.create', id),
});
const cancel = (id: string): CallStep => ({
  ...usual,
  kind: 'call',
  name: `cancel_${id}`,
  intentId: { kind: 'answer', step: `order_${id}`, path: ['data', 'intent_id'] },
  recorded: recorded('order.cancel', id),
});
const list: CallStep = {
  ...usual,
  kind: 'call',
  name: 'orders',
  recorded: recorded('order.list'),
};
const claim = {
  kind: 'value',
  step: 'orders',
  of: 'body',
  path: ['data'],
  test: { test: 'present' },
} as const;

const stepsIn = (one: Reproduction): readonly string[] =>
  scenarioText(one)
    .split('\n')
    .flatMap((line) => /^ +- (.+)/.exec(line)?.[1] ?? []);
const said = async (steps: readonly ReproStep[], claims: Reproduction['claims'] = []) =>
  stepsIn(await simplify({ shown, steps, claims }, async () => true));

it('plays one order after another in the same way, so that a repeat can write it once', async () => {
  const mixed = [create('1', 'a'), create('2', 'b'), cancel('2'), create('3', 'c')];
  const steps = await said([...mixed, cancel('1'), cancel('3')]);
  expect(steps).toEqual(['repeat: 3', 'sender: create order', 'sender: cancel order']);
});

it('uses the stream that a party always has', async () => {
  const opened: ListenStep = {
    ...usual,
    kind: 'listen',
    name: 'stream',
    isOwn: false,
    recorded: recorded('order.events'),
  };
  const again: ListenStep = { ...opened, name: 'stream_2', resumes: 'stream' };
  const drop = { kind: 'drop', party: 'sender', stream: 'stream' } as const;
  expect(await said([opened, create('1', 'a'), drop, again])).toEqual(['sender: create order']);
});

it('replaces a wait by a repeated request, if that still proves the failure', async () => {
  const wait = { kind: 'wait', ms: 5_000 } as const;
  expect(await said([create('1', 'a'), wait, list], [claim])).toEqual([
    'sender: create order',
    'sender: request',
  ]);
  const steps = [wait, list];
  const kept = await simplify({ shown, steps, claims: [claim] }, async () => false);
  expect(kept.steps).toEqual(steps);
});
