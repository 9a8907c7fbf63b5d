import { describe, expect, test } from 'vitest';
import { audited, fileOf } from '../support/audited-har.ts';
import { misreadOddities, oddly, otherOddities } from '../support/har-oddities.ts';
import { fullTrade } from '../support/oracle/findings-and-edits.ts';

const life = fullTrade();
const oddities = Object.entries({ ...misreadOddities, ...otherOddities });

describe.each(['plain', 'firefox', 'mitmproxy'] as const)('a HAR in the form %s', (form) => {
  test.each(oddities)('blames nobody with %s', (_, change) => {
    const { failing, passing } = audited([fileOf(life, { form, change: oddly(change) })]);
    expect(failing).toEqual([]);
    expect(passing).toBeGreaterThan(0);
  });
});
