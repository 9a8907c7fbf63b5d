import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endpointNames } from '../../spec/endpoints.ts';
import { castNames } from '../../spec/requirements/requirement.ts';
import { CoreDriver, orderBody } from '../../../test/support/core/core-driver.ts';
import { anyCharacter } from '../../../test/support/any-character.ts';

const names = [...Object.keys(orderBody), 'fx_rate', 'valid_until', '__proto__', 'constructor'];
const word = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.constantFrom(
    '1',
    '-1',
    '0',
    '1e9',
    '__proto__',
    'PENDING',
    'page',
    '2026-02-30T00:00:00.000Z',
  ),
);
const value = fc.oneof(word, fc.jsonValue({ maxDepth: 2 }));
const body = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.dictionary(fc.constantFrom(...names), value).map((some) => ({ ...orderBody, ...some })),
);
const query = fc.dictionary(
  fc.constantFrom('page', 'page_size', 'status', 'intent_id', 'currency', '__proto__'),
  word,
);

describe('any input', () => {
  it('is answered, and a refusal changes nothing and sends no event', () => {
    const core = new CoreDriver({
      'list.other_filters': 'currency',
      'stream.unknown_filter': 'refuse',
    });
    const { intent_id, quote_id } = core.orderIn('PENDING');
    const ids = fc.oneof(word, fc.constantFrom(intent_id, quote_id));
    fc.assert(
      fc.property(
        fc.constantFrom(...endpointNames.filter((name) => !/^(token|health)/.test(name))),
        fc.constantFrom(...castNames),
        fc.record({ intent_id: ids, quote_id: ids }),
        body,
        query,
        (endpoint, who, params, sent, asked) => {
          const before = core.state;
          const told = core.events.length;
          const reply = core.ask(who, endpoint, params, { body: sent, query: asked });
          expect(reply.ok || (core.state === before && core.events.length === told)).toBe(true);
          expect(JSON.stringify(reply)).not.toContain('undefined');
        },
      ),
      { numRuns: 600 },
    );
  });
});
