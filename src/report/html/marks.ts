import type { Verdict } from '../../conformance/verdicts.ts';
import { escapeHtml } from '../escape.ts';
import { verdictWords } from '../words.ts';

export const text = escapeHtml;

export const verdictMark = (verdict: Verdict, waived?: string): string => {
  const words = `${verdictWords[verdict]}${waived === undefined ? '' : ' (waived)'}`;
  return `<span class="verdict ${verdict}">${words}</span>`;
};

export const soft = (words: string): string => `<span class="soft">${text(words)}</span>`;

/** What may be wider than the screen scrolls by itself, by keys as well. */
export const scrolling = (label: string, body: string): string =>
  `<div class="scroll" role="region" tabindex="0" aria-label="${text(label)}">${body}</div>`;

export const folded = (summary: string, body: string, state: 'open' | 'closed'): string =>
  `<details${state === 'open' ? ' open' : ''}><summary>${summary}</summary>\n${body}</details>`;
