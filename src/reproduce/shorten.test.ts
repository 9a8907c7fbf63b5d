import { expect, it } from 'vitest';
import { scenarioText } from './scenario.ts';
import { shortened } from './simplify.ts';
import { plain, type Reproduction, type ReproStep } from './steps.ts';

const wait = (ms: number): ReproStep => ({ kind: 'wait', ms });
const shown = { check: 'c', source: 'c', requirement: 'r', part: '1', summary: 's', message: 'm' };
const msOf = ({ steps }: Reproduction) => steps.map((step) => (step.kind === 'wait' ? step.ms : 0));

it('leaves only the needed steps, in few plays', async () => {
  const steps = Array.from({ length: 60 }, (_, index) => wait(index));
  let plays = 0;
  const less = await shortened({ shown, steps, claims: [] }, async (one) => {
    plays += 1;
    const left = msOf(one);
    return left.includes(7) && left.includes(41);
  });
  expect(msOf(less)).toEqual([7, 41]);
  expect(plays).toBeLessThan(60);
});

it('leaves out the answers to gaps that do not matter', async () => {
  const answers = { 'list.first_page': '0', 'stream.resume': 'none', 'quote.twice': 'replace' };
  const less = await shortened({ shown, steps: [], claims: [], answers }, async (one) => {
    return one.answers?.['list.first_page'] === '0';
  });
  expect(less.answers).toEqual({ 'list.first_page': '0' });
  expect(scenarioText(less)).toContain('gaps: { list.first_page: "0" }');
});

it('keeps the steps that a claim is about', async () => {
  const claim = {
    kind: 'compare',
    value: { kind: 'count', of: { kind: 'answer', step: 'orders', path: ['data'] } },
    test: { test: 'equals', value: plain(1) },
    what: 'the number of orders',
  } as const;
  const recorded = {} as never;
  const orders: ReproStep = {
    kind: 'call',
    name: 'orders',
    party: 'sender',
    token: 'sender',
    path: plain('/'),
    headers: {},
    recorded,
  };
  const less = await shortened(
    { shown, steps: [wait(1), orders], claims: [claim] },
    async () => true,
  );
  expect(less.steps).toEqual([orders]);
});
