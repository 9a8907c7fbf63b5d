import { printable } from '../../report/formats/escape.ts';
import { endedSentence } from '../../report/summary.ts';
import { type CampaignSummary, type CauseSummary, hadOrders } from '../outcome.ts';
import { rangeOf } from './merge.ts';
import { optionWords, showSuite } from './options.ts';
import { showRange } from './seed-range.ts';

/**
 * Upper bound, with 95 % confidence, of the share of worlds that show something that none of `worlds` worlds showed.
 * Rule of three, which is never too low (-ln 0.05 is 2.996).
 */
export const ruleOfThree = (worlds: number): number => Math.min(1, 3 / worlds);

/** Lines about situations that no world of a campaign reached; they need the catalogue of situations. */
export type ListUnreached = (summary: CampaignSummary) => readonly string[];

export const toCampaignJson = (summary: CampaignSummary): string =>
  `${JSON.stringify(summary, undefined, 2)}\n`;

export function toCampaignText(
  summary: CampaignSummary,
  unreached: ListUnreached = () => [],
): string {
  const lines = [
    ...headerOf(summary),
    '',
    ...(summary.causes.length === 0 ? nothingFound(summary) : causesFound(summary)),
    '',
    ...unreached(summary),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** 1234567 as 1,234,567. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');

const counted = (count: number, one: string, several = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : several}`;

export const inSeconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** A share in percent, with two significant digits. */
const percent = (share: number): string => `${Number((share * 100).toPrecision(2))} %`;

const shownRanges = 4;

function headerOf(summary: CampaignSummary): string[] {
  const { suite, options, worlds, seeds, ended_early, ...totals } = summary;
  const words = optionWords(options);
  const share =
    totals.steps === 0 ? '' : `, ${percent(totals.effective / totals.steps)} took effect`;
  const more = seeds.length - shownRanges;
  return [
    ...(ended_early ? [`incomplete: ${endedSentence(ended_early)}`] : []),
    `${counted(worlds, 'world')}, suite ${showSuite(suite)}${words === '' ? '' : `, ${words}`}`,
    ...seeds.slice(0, shownRanges).map((range) => `  ${showRange(rangeOf(range))}`),
    ...(more > 0 ? [`  and ${counted(more, 'range')} more`] : []),
    `  ${counted(totals.steps, 'step')}${share}; ${counted(totals.exchanges, 'exchange')}`,
    `  ${inSeconds(totals.host_ms)} of work for ${inSeconds(totals.target_ms)} of the worlds' own time`,
  ];
}

function nothingFound(summary: CampaignSummary): string[] {
  const { worlds } = summary;
  if (worlds === 0) return ['No world was played, so nothing is known.'];
  if (!hadOrders(summary)) return ['No order came about, so nothing is known.'];
  return [
    `Nothing found in ${counted(worlds, 'world')}: with 95 % confidence at most ${percent(ruleOfThree(worlds))} of all`,
    'such worlds show something that is judged here (3/N).',
  ];
}

function causesFound({ causes, worlds, options }: CampaignSummary): string[] {
  return [
    `${counted(causes.length, 'cause')}:`,
    ...causes.flatMap((cause) => ['', ...causeLines(cause, worlds, optionWords(options))]),
  ];
}

function causeLines(cause: CauseSummary, worlds: number, words: string): string[] {
  const whose =
    cause.blame === 'harness' ? "  a fault of Assay's own, not of the target" : undefined;
  const requirements = cause.requirements.length > 0 ? ` · ${cause.requirements.join(', ')}` : '';
  return [
    `  ${cause.cause}`,
    ...(whose === undefined ? [] : [`  ${whose}`]),
    `    ${cause.message}`,
    `    ${cause.rule}${requirements}`,
    `    first in seed ${cause.first_seed}, after ${inSeconds(cause.found_after_ms)}; in ${grouped(cause.seeds)} of ${counted(worlds, 'world')}`,
    `    next: assay simulate --seed ${cause.first_seed}${words === '' ? '' : ` ${words}`}`,
  ].map(printable);
}
