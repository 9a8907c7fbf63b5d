import { tryBentFiles } from './try-bent-files.ts';

tryBentFiles(1);
