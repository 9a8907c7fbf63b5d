import { tryWire } from './try-wire.ts';

// Some of each kind of harm; all of them in wire.long.test.ts.
tryWire([
  'hangs after the headers',
  'has a body without end',
  'resets within the body',
  'answers with data null',
  'answers 503 to everything',
  'answers 429 and says to come back in a second',
]);
