import { type Check, defineCheck } from '../src/suite/engine/check.ts';
import { assertAllowed, fieldsOf, succeeded } from '../src/suite/actions/index.ts';
import type { CastName } from '../src/spec/requirements/index.ts';
import { castNames } from '../src/spec/requirements/index.ts';
import { each } from './shared/check-table.ts';

/** The preface: one base URL for each party, below which everything is reached. */
const bases = each(castNames, (by: CastName) =>
  defineCheck({
    id: `base-url.${by}`,
    title: `Below the base URL of ${by} are the paths of the document, and what answers there is ${by}.`,
    requirements: ['base-url.paths-relative', 'body.json'],
    needs: { parties: [by] },
    async run(t) {
      const party = t.party(by);
      const who = await party.call('identity.read');
      if (!assertAllowed(t, 'base-url.paths-relative', who, 'the first path of the document'))
        return;
      const named = fieldsOf(who)['party_id'];
      t.assert('base-url.paths-relative', named === undefined || named === party.partyId, {
        message: "Below one party's base URL another answered.",
        expected: party.partyId,
        actual: named,
        seen: [who],
      });
      const stats = await party.call('stats.read');
      const list = await party.call(party.role === 'market-maker' ? 'quote.list' : 'order.list');
      for (const exchange of [who, stats, list].filter(succeeded)) {
        t.assert('body.json', exchange.response?.body !== undefined, {
          message: 'A successful answer was no JSON.',
          actual: exchange.response?.text,
          seen: [exchange],
        });
      }
    },
  }),
);

export const baseUrlChecks: readonly Check[] = [...bases];
