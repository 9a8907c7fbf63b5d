import type { RunReport } from '../../results/run-report.ts';
import type { RunOutcome } from '../../results/verdicts.ts';
import { isWhole } from '../coverage-text.ts';
import { escapeXml } from './escape.ts';

/** Colours with a contrast to white of at least 4.5 to 1. */
const colours: Readonly<Record<RunOutcome, string>> = {
  conformant: '#1a7f37',
  nonconformant: '#b42318',
  incomplete: '#7a5b00',
  error: '#57606a',
};

/** Text on the right: the outcome, and the number of judged checks if not all were judged. */
function wordsOf({ outcome, coverage, run }: RunReport): string {
  if (run.ended_early) return `${outcome}, ended early`;
  if (!coverage || isWhole(coverage)) return outcome;
  const { judged, all } = coverage.checks;
  return `${outcome}, ${judged} of ${all} checks`;
}

/** Approximate width of text in the badge's font. `textLength` then stretches the text to it. */
const widthOf = (text: string): number => Math.round(text.length * 6.4);
const padding = 7;

/** SVG badge for a page. It loads nothing, and has its text for screen readers. */
export function toBadge(report: RunReport): string {
  const label = 'assay';
  const words = wordsOf(report);
  const [left, right] = [label, words].map((text) => widthOf(text) + 2 * padding) as [
    number,
    number,
  ];
  const told = escapeXml(`assay: ${report.target.name} is ${words}`.replace(/\s+/g, ' '));
  const text = (said: string, x: number): string =>
    `<text x="${x}" y="14" textLength="${widthOf(said)}">${escapeXml(said)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${told}">`,
    `  <title>${told}</title>`,
    `  <rect width="${left + right}" height="20" rx="3" fill="#24292f"/>`,
    `  <path d="M${left} 0h${right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H${left}z" fill="${colours[report.outcome]}"/>`,
    '  <g fill="#fff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11">',
    `    ${text(label, padding)}`,
    `    ${text(words, left + padding)}`,
    '  </g>',
    '</svg>\n',
  ].join('\n');
}
