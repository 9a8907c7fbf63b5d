import type { Check } from '../src/suite/engine/check.ts';
import { assertAllowed, fieldsOf } from '../src/suite/actions/index.ts';
import { castNames } from '../src/spec/requirements/index.ts';

/** Preface: each party is reached at a base URL of its own, with paths relative to it and bodies of JSON. */
export const baseUrlChecks = castNames.map<Check>((by) => ({
  id: `base-url.${by}`,
  title: `Below the base URL of ${by} are the paths of the document, and what answers there is ${by}.`,
  requirements: ['base-url.paths-relative', 'body.json'],
  needs: { parties: [by] },
  async run(t) {
    const party = t.party(by);
    const who = await party.call('identity.read');
    const what = 'the first path of the document';
    if (!assertAllowed(t, 'base-url.paths-relative', who, what)) return;
    const named = fieldsOf(who)['party_id'];
    t.assert('base-url.paths-relative', named === undefined || named === party.partyId, {
      message: "Below one party's base URL another answered.",
      fields: ['party_id'],
      expected: party.partyId,
      actual: named,
      seen: [who],
    });
    await party.call('stats.read');
    await party.call(party.role === 'market-maker' ? 'quote.list' : 'order.list');
  },
}));
