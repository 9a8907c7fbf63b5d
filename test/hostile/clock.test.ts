import { tryClock } from './try-clock.ts';

// Some of what a clock may do; all of it in clock.long.test.ts.
tryClock([
  'answers 500',
  'redirects in circles',
  'goes backwards',
  'is a word',
  'lags by half of each step',
]);
