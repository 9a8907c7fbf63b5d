import { tryContent } from './try-content.ts';

// One of each kind of harm; all of them, on either side, in content.long.test.ts.
tryContent({
  on: 'one side',
  deeds: [
    'has ids that are no text',
    'has ids of half a surrogate pair',
    'has ids that change with every answer',
    'has null in every field',
    'has money of 100,000 digits',
    'has moments that no calendar has',
    'resets now and then',
    'has 1e300 pages',
    'counts otherwise each time',
    'never shrinks',
    'refuses every list',
    'has data null',
    'gives a token of a megabyte',
    'gives a token of broken JSON',
    'gives a number for a token',
    'calls every party the same',
    'closes at once',
    'is a JSON document',
    'tells every state at once',
    'sends payloads that are no objects',
    'has __proto__ keys',
    'has every key twice',
    'closes after each response',
    'has a hundred unknown fields',
    'gives a token that breaks the header',
    'of orders',
  ],
});
