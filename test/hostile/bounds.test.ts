import { tryBounds } from './try-bounds.ts';

// Those that are like another; they too in bounds.long.test.ts.
tryBounds([
  'forty requests a second, saying so by a date',
  'a hundred requests a second before a clock that is driven',
  'orders that live for a month, on a clock that is driven',
]);
