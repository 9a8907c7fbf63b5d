import type { Verdict } from '../../results/verdicts.ts';
import { escapeHtml } from '../formats/escape.ts';
import { verdictLabels } from '../labels.ts';

export const text = escapeHtml;

export const verdictMark = (verdict: Verdict, waived?: string): string => {
  const words = `${verdictLabels[verdict]}${waived === undefined ? '' : ' (waived)'}`;
  return `<span class="verdict ${verdict}">${words}</span>`;
};

export const soft = (words: string): string => `<span class="soft">${text(words)}</span>`;

/** What may be wider than the screen scrolls by itself, by keys as well. */
export const scrolling = (label: string, body: string): string =>
  `<div class="scroll" role="region" tabindex="0" aria-label="${text(label)}">${body}</div>`;

export const folded = (summary: string, body: string, state: 'open' | 'closed'): string =>
  `<details${state === 'open' ? ' open' : ''}><summary>${summary}</summary>\n${body}</details>`;
