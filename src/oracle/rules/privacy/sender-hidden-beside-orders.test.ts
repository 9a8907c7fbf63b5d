import { expect, test } from 'vitest';
import { isObject } from '../../../protocol/json.ts';
import {
  altered,
  listening,
  outcomes,
} from '../../../../test/support/oracle/findings-and-edits.ts';
import { partyIds } from '../../../../test/support/oracle/fake-wire.ts';

test.each([
  ['one sender', [partyIds.outsider], 'fail'],
  ['a maker', [partyIds.maker_b], 'none'],
  ['every sender there is', [partyIds.sender, partyIds.outsider, partyIds.maker_a], 'none'],
])('whoami of a market maker that names %s', (_, known, outcome) => {
  const fake = listening('sender', 'outsider', 'maker_a');
  fake.create('sender');
  fake.create('outsider');
  fake.whoami('maker_a');
  const history = altered(fake, (record) => {
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
  const fake = listening('sender', 'maker_a');
  fake.create('sender');
  fake.whoami('maker_a');
  const asked = (path: string) =>
    altered(fake, (record) => {
      if (record.kind !== 'exchange' || record.endpoint !== 'identity.read') return record;
      const body = { ...(record.response?.body as object), instance: `/x?sub=${partyIds.sender}` };
      const request = { ...record.request, path };
      return { ...record, request, response: { status: 200, headers: {}, body } };
    });
  const said = (path: string) => outcomes(asked(path), 'maker.sees-no-sender-identity');
  expect(said(`/api/v1/whoami?sub=${partyIds.sender}`)).not.toContain('fail');
  expect(said('/api/v1/whoami')).toContain('fail');
});

test.each([
  ['a comment', { comments: [`order of ${partyIds.sender}`] }],
  ['the id of a message', { eventId: `${partyIds.sender}-1` }],
])('%s of a stream names no sender, but to whom it traded with', (_, beside) => {
  const told = (winner: boolean) => {
    const fake = listening('sender', 'maker_a', 'maker_b');
    const order = fake.create();
    const quote = fake.quote('maker_a', order, '1');
    fake.advance(10);
    fake.accept(order, quote);
    fake.advance(100);
    const history = altered(fake, (record) =>
      record.kind === 'frame' &&
      (winner
        ? record.party === 'maker_a' && record.event === 'quote_accepted'
        : record.party === 'maker_b' && record.event === 'quote_request_new')
        ? { ...record, ...beside }
        : record,
    );
    return outcomes(history, 'maker.sees-no-sender-identity');
  };
  expect(told(false)).toContain('fail');
  expect(told(true)).not.toContain('fail');
});
