/** Text formats of a run: pure functions of a report and, for the evidence, of its history. */
export {
  assembleReport,
  gapReports,
  type ReportContext,
} from './assemble.ts';
export { exitCodeOfReport } from '../results/run-outcome.ts';
export { applyBaseline, compareWithBaseline, type NamedReport } from './baseline.ts';
export { leftOutLines, requiredText } from './coverage-text.ts';
export { toCtrf } from './formats/ctrf.ts';
export { diffText } from './changes.ts';
export { evidenceFor, evidenceIndex } from './evidence.ts';
export { withEvidenceIds } from './evidence.ts';
export { loggable, loggableJson, printable } from './formats/escape.ts';
export { toBadge } from './formats/badge.ts';
export { toAnnotations } from './formats/annotations.ts';
export {
  type HistoryFiles,
  historyFiles,
  type HistoryStream,
  historyStream,
} from './history-files.ts';
export { joinBlocks } from './html/history-block.ts';
export { toHtml } from './html/page.ts';
export { readReport, toJson } from './formats/json.ts';
export { toJunit } from './formats/junit.ts';
export { toMarkdown } from './formats/markdown.ts';
export { playReportOf } from './summary.ts';
export { mergeReports, mergeRuleReports } from './merge.ts';
export type { CheckReport, RunReport } from '../results/run-report.ts';
export { shellWord } from './replay-words.ts';
export { limitsReached } from './assemble.ts';
export { endedSentence } from './summary.ts';
export { toText, toWaiversText } from './formats/text.ts';
export { applyWaivers, toWaivers, type Waiver, type WaiverScope } from './waivers.ts';
export { partHeading, partName, partTitle, valuesOf } from './labels.ts';
