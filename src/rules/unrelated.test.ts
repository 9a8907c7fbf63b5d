import { expect, test } from 'vitest';
import { isObject } from './json.ts';
import { altered, listening, outcomes } from './testing.ts';
import { partyIds } from './testing/wire.ts';

test.each([
  ['one sender', [partyIds.outsider], 'fail'],
  ['a maker', [partyIds.maker_b], 'none'],
  ['every sender there is', [partyIds.sender, partyIds.outsider, partyIds.maker_a], 'none'],
])('whoami of a market maker that names %s', (_, known, outcome) => {
  const world = listening('sender', 'outsider', 'maker_a');
  world.create('sender');
  world.create('outsider');
  world.whoami('maker_a');
  const history = altered(world, (record) => {
    if (record.kind !== 'exchange' || record.endpoint !== 'identity.read') return record;
    const body = record.response?.body;
    if (!record.response || !isObject(body) || !isObject(body['data'])) return record;
    const told = { ...body, data: { ...body['data'], known } };
    return { ...record, response: { ...record.response, body: told } };
  });
  const failed = outcomes(history, 'maker.sees-no-sender-identity').includes('fail');
  expect(failed ? 'fail' : 'none').toBe(outcome);
});

test('an answer may repeat whom it was asked for', () => {
  const world = listening('sender', 'maker_a');
  world.create('sender');
  world.whoami('maker_a');
  const asked = (path: string) =>
    altered(world, (record) => {
      if (record.kind !== 'exchange' || record.endpoint !== 'identity.read') return record;
      const body = { ...(record.response?.body as object), instance: `/x?sub=${partyIds.sender}` };
      const request = { ...record.request, path };
      return { ...record, request, response: { status: 200, headers: {}, body } };
    });
  const said = (path: string) => outcomes(asked(path), 'maker.sees-no-sender-identity');
  expect(said(`/api/v1/whoami?sub=${partyIds.sender}`)).not.toContain('fail');
  expect(said('/api/v1/whoami')).toContain('fail');
});
