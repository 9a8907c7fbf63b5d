import { expect, test } from 'vitest';
import { cast, type CastName } from '../../../spec/requirements/index.ts';
import {
  altered,
  context,
  listening,
  outcomes,
} from '../../../../test/support/oracle/findings-and-edits.ts';

const requirement = 'rfq.read.hides-sender-identity';

/** A maker reads a request that links to `link`, of backends at the addresses that `at` gives. */
function outcomesWhen(
  link: string,
  at: (name: CastName, index: number) => string,
): readonly string[] {
  const fake = listening('sender', 'maker_a');
  fake.readRequest('maker_a', fake.create());
  const history = altered(fake, (record) => {
    if (record.kind !== 'exchange' || record.endpoint !== 'rfq.read') return record;
    const body = record.response?.body as { readonly data: object };
    const linked = { ...body, data: { ...body.data, self: link } };
    return { ...record, response: { status: 200, headers: {}, body: linked } };
  });
  const names = Object.keys(cast) as CastName[];
  const parties = Object.entries(context().cast).map(([name, party]) => {
    const baseUrl = at(name as CastName, names.indexOf(name as CastName));
    return [name, { ...party, baseUrl }] as const;
  });
  return outcomes(history, requirement, { cast: Object.fromEntries(parties) });
}

const byPath = (name: CastName) => `http://127.0.0.1:9000/${name}/`;
const byPort = (_: CastName, index: number) => `http://127.0.0.1:90${index}`;

test.each([
  ['http://127.0.0.1:9000/sender/api/v1/orders/1', byPath],
  ['/sender_custodian/api/v1/orders/1', byPath],
  ['http://127.0.0.1:900/api/v1/orders/1', byPort],
])('a link to %s leads to the side of the sender', (link, at) => {
  expect(outcomesWhen(link, at)).toContain('fail');
});

test.each([
  ['http://127.0.0.1:9000/maker_a/api/v1/quote-requests/1', byPath],
  ['/api/v1/quote-requests/1', byPath],
  ['http://127.0.0.1:9005/api/v1/quote-requests/1', byPort],
  ['http://127.0.0.1:9000/api/v1/quote-requests/1', () => 'http://127.0.0.1:9000'],
])('a link to %s does not', (link, at) => {
  expect(outcomesWhen(link, at)).not.toContain('fail');
});
