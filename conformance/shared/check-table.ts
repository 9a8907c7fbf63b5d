import type { Check } from '../../src/suite/engine/check.ts';

/** A table of checks from a table of situations. */
export const each = <T>(table: readonly T[], check: (row: T) => Check): readonly Check[] =>
  table.map(check);
