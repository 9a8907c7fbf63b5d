import { describe, expect, test } from 'vitest';
import { audited, fileOf } from '../support/audited-har.ts';
import { misreadOddities, oddly, otherOddities } from '../support/har-oddities.ts';
import { fullTrade } from '../support/oracle/findings-and-edits.ts';

const life = fullTrade();

describe('a HAR of a correct target', () => {
  test.each(Object.entries({ ...misreadOddities, ...otherOddities }))(
    'blames nobody with %s',
    (_, change) => {
      const file = fileOf(life, { form: 'plain', change: oddly(change) });
      const { failing, passing } = audited([file]);
      expect(failing).toEqual([]);
      expect(passing).toBeGreaterThan(0);
    },
  );
});
