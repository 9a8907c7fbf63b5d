import { tryBentHistory } from './try-bent-history.ts';

tryBentHistory('all');
