import { describe, expect, test } from 'vitest';
import { audited, fileOf } from '../support/audited-har.ts';
import { misreadOddities, oddly } from '../support/har-oddities.ts';
import { fullTrade } from '../support/oracle/findings-and-edits.ts';

const life = fullTrade();
/** All of them are in the long test. */
const some = Object.entries(misreadOddities).filter((_, index) => index % 2 === 0);

describe('a HAR of a correct target', () => {
  test.each(some)('blames nobody with %s', (_, change) => {
    expect(audited([fileOf(life, { form: 'plain', change: oddly(change) })]).failing).toEqual([]);
  });
});
