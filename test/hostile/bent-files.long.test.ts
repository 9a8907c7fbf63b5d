import { tryBentReport } from './try-bent-files.ts';

tryBentReport(1);
