export { parseCsv } from './csv.ts';
export { didYouMean, oneOfThese, suggestion } from './did-you-mean.ts';
export { durationForm, durationHint, formatDuration, parseDuration } from './duration.ts';
export { withEntries, withValues, writeYaml } from './edit.ts';
export { type Parsed, parseYaml } from './parse.ts';
export * from './reader.ts';
export * from './shapes.ts';
export {
  type Advice,
  type Place,
  renderSourceError,
  renderSourceErrors,
  type SourceError,
  type SourceText,
} from './source-error.ts';
export * from './tree.ts';
