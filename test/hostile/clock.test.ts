import { tryClock } from './try-clock.ts';

// An answer of each kind; all of them in clock.long.test.ts.
tryClock([
  'answers 500',
  'redirects in circles',
  'goes backwards',
  'is a word',
  'lags by half of each step',
]);
