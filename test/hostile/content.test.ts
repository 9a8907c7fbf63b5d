import { tryContent } from './try-content.ts';

// Some of each table; all of them, on either side, in content.long.test.ts.
tryContent({
  on: 'one side',
  deeds: [
    'has ids that are no text',
    'has ids that change with every answer',
    'has null in every field',
    'never shrinks',
    'refuses every list',
    'gives a token of broken JSON',
    'tells every state at once',
    'sends payloads that are no objects',
    'has __proto__ keys',
    'gives a token that breaks the header',
    'of orders',
  ],
});
