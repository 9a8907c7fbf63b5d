import type { Verdict } from '../../results/verdicts.ts';
import { escapeHtml } from '../formats/escape.ts';
import { verdictLabels } from '../labels.ts';

/** Markup that is safe to put into a page as it is. Values reach it through `html` alone, which escapes them. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type Value = Html | string | number | false | undefined | readonly Value[];

function markupOf(value: Value): string {
  if (value instanceof Html) return value.markup;
  if (typeof value === 'object') return value.map(markupOf).join('\n');
  return value === undefined || value === false ? '' : escapeHtml(String(value));
}

/**
 * Tags a template of markup: escapes every value unless it is Html, puts the items of a list on lines of their own, and
 * leaves out `undefined` and `false`.
 */
export const html = (pieces: TemplateStringsArray, ...values: readonly Value[]): Html =>
  new Html(String.raw({ raw: pieces }, ...values.map(markupOf)));

export const verdictMark = (verdict: Verdict, waived?: string): Html =>
  html`<span class="verdict ${verdict}">${verdictLabels[verdict]}${waived !== undefined && ' (waived)'}</span>`;

export const soft = (words: string): Html => html`<span class="soft">${words}</span>`;

export const code = (text: string): Html => html`<code>${text}</code>`;

export const list = (items: readonly Value[]): Html =>
  html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;

/** What may be wider than the screen scrolls by itself, with the keyboard as well. */
export const scrolling = (label: string, body: Html): Html =>
  html`<div class="scroll" role="region" tabindex="0" aria-label="${label}">${body}</div>`;

export const folded = (summary: Value, body: Value, state: 'open' | 'closed'): Html =>
  html`<details${state === 'open' && new Html(' open')}><summary>${summary}</summary>\n${body}</details>`;

/** Where on the page a cause is; by number, since its name may hold what a target chose. */
export const causeAnchor = (number: number): string => `cause-${number}`;
