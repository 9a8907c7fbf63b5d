import { tryContent } from './try-content.ts';

// Some of each table; all of them, on either side, in content.long.test.ts.
tryContent({
  on: 'one side',
  deeds: [
    'has ids that are no text',
    'has ids that change with every answer',
    'has null in every field',
    'has money of 100,000 digits',
    'has 1e300 pages',
    'never shrinks',
    'refuses every list',
    'has data null',
    'gives a token of broken JSON',
    'calls every party the same',
    'closes at once',
    'tells every state at once',
    'sends payloads that are no objects',
    'has __proto__ keys',
    'has a hundred unknown fields',
    'gives a token that breaks the header',
    'of orders',
  ],
});
