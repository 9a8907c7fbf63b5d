export { handbookEntry, type HandbookEntry } from './entry.ts';
export { entryPage } from './markdown.ts';
export { entryText } from './text.ts';
