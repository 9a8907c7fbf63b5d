import { tryClock } from './try-clock.ts';

tryClock();
