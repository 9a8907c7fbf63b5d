import { tryBounds } from './try-bounds.ts';

// Those that are like another in bounds.long.test.ts.
tryBounds('each another');
