import { tryBounds } from './try-bounds.ts';

tryBounds('alike');
