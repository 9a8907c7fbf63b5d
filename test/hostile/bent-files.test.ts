import { tryBentFiles } from './try-bent-files.ts';

// Another share of the ways meets each place: 14 ways and 11 have no common divisor.
tryBentFiles(11);
