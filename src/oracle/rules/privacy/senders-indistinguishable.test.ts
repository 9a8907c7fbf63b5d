import { expect, test } from 'vitest';
import type { History } from '../../../history/records.ts';
import { edited, issued, outcomes } from '../../../../test/support/oracle/findings-and-edits.ts';

const requirement = 'rfq.senders-not-told-apart';
type Json = Record<string, unknown>;

/** Requests of two institutions in turns. `add` changes the answers that a maker reads. */
function requests(add: (request: Json, by: string, index: number) => void, count = 12): History {
  const fake = issued('sender', 'outsider', 'maker_a');
  const creators = new Map<unknown, readonly [string, number]>();
  for (let index = 0; index < count; index += 1) {
    const by = index % 3 === 0 ? 'outsider' : 'sender';
    const order = fake.create(by);
    creators.set(order.intent_id, [by, index]);
    fake.advance(3_000);
    fake.readRequest('maker_a', order);
  }
  return edited(fake, { at: 'rfq.read' }, (request) => {
    const [by = '', index = 0] = creators.get(request['intent_id']) ?? [];
    add(request, by, index);
  });
}

test.each<[string, (request: Json, by: string, index: number) => void, string]>([
  ['a number for each', (one, by) => (one['desk'] = by === 'sender' ? 7 : 9), 'fail'],
  ['a flag for one of them', (one, by) => by === 'sender' && (one['prime'] = true), 'fail'],
  [
    'a part of a reference',
    (one, by, index) => (one['ref'] = { no: `${by === 'sender' ? 'A' : 'B'}-${index}` }),
    'fail',
  ],
  ['nothing', () => undefined, 'pass'],
  ['the same for both', (one) => (one['venue'] = 'x1'), 'pass'],
  ['another for each request', (one, _, index) => (one['ref'] = `r${index}`), 'pass'],
  [
    'what differs among those of one',
    (one, by, index) => (one['lot'] = by === 'sender' && index % 2 ? 'a' : 'b'),
    'pass',
  ],
  ['the time of day', (one, _, index) => (one['session'] = index < 6 ? 'am' : 'pm'), 'pass'],
])('requests that carry %s', (_, add, found) => {
  // The envelope of each answer is judged by itself, and always passes: nothing is added to it.
  expect(new Set(outcomes(requests(add), requirement))).toEqual(new Set(['pass', found]));
});

test('few requests may be alike by chance', () => {
  const flagged = requests((one, by) => (one['flag'] = by === 'sender'), 6);
  expect(outcomes(flagged, requirement)).toEqual([]);
});
