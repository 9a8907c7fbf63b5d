export { handbookEntry, type HandbookEntry } from './entry.ts';
export { entryPage } from './sections.ts';
export { entryText } from './sections.ts';
