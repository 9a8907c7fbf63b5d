import { tryContent } from './try-content.ts';

tryContent({ on: 'both sides' });
