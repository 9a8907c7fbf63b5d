import { tryWire } from './try-wire.ts';

// One of each kind of harm; all of them in wire.long.test.ts.
tryWire([
  'hangs after the headers',
  'has a body without end',
  'declares two lengths',
  'resets within the body',
  'hangs up without an answer',
  'speaks another protocol',
  'floods with headers',
  'sends half a gzip',
  'sends a gzip bomb',
  'sends no JSON as JSON',
  'sends JSON 10,000 deep',
  'answers with data null',
  'answers 503 to everything',
  'redirects in circles',
  'answers 429 and says to come back in a second',
  'answers 429 and says nonsense',
]);
