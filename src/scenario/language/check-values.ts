import { hasForm } from '../../spec/forms.ts';
import { durationForm, parseDuration, suggestion } from '../../yaml/index.ts';
import { type Complain, infer, type Scope } from './infer-types.ts';
import type { Matcher, Test } from './matchers.ts';
import { type Arg, isBroken, type Located } from './reader.ts';
import type { SourceLocation } from './source-location.ts';
import {
  count,
  decimal,
  duration,
  fieldType,
  named,
  text,
  time,
  type Type,
  unknown,
} from './types.ts';

/** Type of a cell of an examples table, inferred from its text. */
export function cellType(arg: Arg): Type {
  if (arg.kind !== 'plain') return unknown;
  if (typeof arg.value === 'number') return Number.isInteger(arg.value) ? count : unknown;
  if (typeof arg.value === 'boolean') return { kind: 'flag' };
  if (hasForm('decimal', arg.value)) return decimal;
  return parseDuration(arg.value ?? '') === undefined ? text : duration;
}

/** Checks values and matchers against the known types. */
export class ValueChecker {
  readonly #complain: Complain;

  constructor(complain: Complain) {
    this.#complain = complain;
  }

  token(token: Arg, names: Scope): void {
    if (token.kind === 'expr') {
      const type = infer(token.expr, names, this.#complain);
      if (
        ['text', 'unknown'].includes(type.kind) ||
        (type.kind === 'object' && 'token' in type.fields)
      )
        return;
      this.#complain(token.at, `found ${named(type)}`, { expected: 'a token' });
    } else this.fits(token, text, names);
  }

  order(located: Located, names: Scope): void {
    const type = infer(located, names, this.#complain);
    if (type.kind === 'unknown' || type.kind === 'text') return;
    if (type.kind === 'object' && 'intent_id' in type.fields) return;
    this.#complain(located.at, `found ${named(type)}`, {
      expected: 'an order, a quote, a request or a settlement that was saved, or an intent_id',
    });
  }

  quote(located: Located, orderGiven: boolean, names: Scope): void {
    const type = infer(located, names, this.#complain);
    if (type.kind === 'unknown') return;
    // An order has a quote_id too, once a quote is accepted; but naming one here is most likely a slip.
    const isQuote =
      type.kind === 'object' && 'quote_id' in type.fields && 'intent_id' in type.fields;
    if (isQuote && type.name !== 'order') return;
    if (type.kind === 'text' && orderGiven) return;
    this.#complain(located.at, `found ${named(type)}`, {
      expected: 'a quote that was saved, or a quote_id with "of" beside it',
    });
  }

  located(located: Located, expected: Type, names: Scope): void {
    const type = infer(located, names, this.#complain);
    if (type.kind === 'unknown' || type.kind === expected.kind) return;
    this.#complain(located.at, `found ${named(type)}`, { expected: named(expected) });
  }

  /** Type of a value; checks all expressions in it. */
  arg(arg: Arg, names: Scope): Type {
    switch (arg.kind) {
      case 'plain':
        return cellType(arg);
      case 'expr':
        return infer(arg.expr, names, this.#complain);
      case 'text':
        for (const part of arg.parts) {
          if (typeof part === 'object') infer(part, names, this.#complain);
        }
        return text;
      case 'list':
        for (const item of arg.items) this.arg(item, names);
        return unknown;
      case 'map':
        for (const { value } of arg.entries) this.arg(value, names);
        return unknown;
    }
  }

  /** Checks that a value can be of a type. An unquoted amount is refused, since it has already lost its zeros. */
  fits(arg: Arg, expected: Type, names: Scope): void {
    if (arg.kind === 'plain') return this.#plainFits(arg, expected);
    const found = this.arg(arg, names);
    if (expected.kind === 'unknown' || found.kind === 'unknown') {
      if (arg.kind === 'list' && expected.kind !== 'list' && expected.kind !== 'unknown')
        this.#wrong(arg, 'a list', expected);
      if (arg.kind === 'map' && expected.kind !== 'object' && expected.kind !== 'unknown')
        this.#wrong(arg, 'a mapping', expected);
      return;
    }
    const writable = ['text', 'decimal', 'time', 'count'];
    if (expected.kind === 'text' ? writable.includes(found.kind) : found.kind === expected.kind)
      return;
    const kinds = [expected.kind, found.kind];
    if (kinds.every((kind) => kind === 'decimal' || kind === 'count')) return;
    this.#wrong(arg, named(found), expected);
  }

  #wrong(arg: Arg, found: string, expected: Type, hint?: string): void {
    const inWords = expected.kind === 'duration' ? durationForm : named(expected);
    this.#complain(arg.at, `found ${found}`, { expected: inWords, hint });
  }

  #plainFits(arg: Extract<Arg, { kind: 'plain' }>, expected: Type): void {
    if (isBroken(arg)) return;
    const { value, written } = arg;
    const shown = typeof value === 'string' ? JSON.stringify(value) : written || 'nothing';
    const inQuotes = `write it in quotes: ${JSON.stringify(written)}`;
    switch (expected.kind) {
      case 'decimal':
        if (typeof value === 'number')
          this.#wrong(arg, `the bare number ${written}`, expected, inQuotes);
        else if (!hasForm('decimal', value)) this.#wrong(arg, shown, expected);
        return;
      case 'text': {
        if (typeof value !== 'string') {
          return this.#wrong(arg, shown, expected, value === null ? undefined : inQuotes);
        }
        if (!expected.values || expected.values.includes(value)) return;
        const hint = suggestion(value, expected.values);
        return this.#complain(arg.at, `found ${shown}`, {
          expected: `one of ${expected.values.join(', ')}`,
          hint,
        });
      }
      case 'time':
        if (!hasForm('timestamp', value)) this.#wrong(arg, shown, expected);
        return;
      case 'duration':
        if (typeof value !== 'string' || parseDuration(value) === undefined) {
          const unit = `say the unit: ${written}s, ${written}ms`;
          this.#wrong(arg, shown, expected, typeof value === 'number' ? unit : undefined);
        }
        return;
      case 'count':
        if (!Number.isSafeInteger(value)) this.#wrong(arg, shown, expected);
        return;
      case 'flag':
        if (typeof value !== 'boolean') this.#wrong(arg, shown, expected);
        return;
      case 'unknown':
        return;
      case 'object':
      case 'list':
      case 'stream':
        this.#wrong(arg, shown, expected);
    }
  }

  /** Checks that a matcher can match a value of a type. */
  matcher(matcher: Matcher, type: Type, names: Scope): void {
    switch (matcher.kind) {
      case 'equals':
        return this.fits(matcher.value, type, names);
      case 'items':
        if (type.kind !== 'list' && type.kind !== 'unknown') {
          return this.#complain(matcher.at, 'found a list', { expected: named(type) });
        }
        for (const item of matcher.items)
          this.matcher(item, type.kind === 'list' ? type.item : unknown, names);
        return;
      case 'object':
        if (type.kind !== 'object' && type.kind !== 'unknown') {
          return this.#complain(matcher.at, 'found a mapping of fields', { expected: named(type) });
        }
        for (const field of matcher.fields) {
          const inner = type.kind === 'unknown' ? unknown : fieldType(type, field.key);
          if (inner) this.matcher(field.matcher, inner, names);
          else this.#noField(type, field);
        }
        return;
      case 'tests':
        for (const test of matcher.tests) this.#test(test, type, names);
    }
  }

  #noField(type: Type, field: { readonly key: string; readonly at: SourceLocation }): void {
    const known = type.kind === 'object' ? Object.keys(type.fields) : [];
    const hint = suggestion(field.key, known);
    this.#complain(field.at, `${named(type)} has no field ${JSON.stringify(field.key)}`, {
      expected: `one of ${known.join(', ')}`,
      hint,
    });
  }

  #test(test: Test, type: Type, names: Scope): void {
    const needs = (...kinds: readonly Type['kind'][]): boolean => {
      if (type.kind === 'unknown' || kinds.includes(type.kind)) return true;
      this.#complain(test.at, `"${test.test}" says nothing of ${named(type)}`);
      return false;
    };
    switch (test.test) {
      case 'decimal':
        if (!needs('decimal', 'count')) return;
        this.fits(test.value, decimal, names);
        if (test.within) this.fits(test.within, decimal, names);
        return;
      case 'moment':
        if (!needs('time')) return;
        this.fits(test.value, time, names);
        if (test.within) this.fits(test.within, duration, names);
        return;
      case 'above':
      case 'below':
      case 'at_least':
      case 'at_most':
        if (needs('decimal', 'count', 'time', 'duration')) this.fits(test.value, type, names);
        return;
      case 'one_of':
        for (const value of test.values) this.fits(value, type, names);
        return;
      case 'any_of':
        for (const one of test.matchers) this.matcher(one, type, names);
        return;
      case 'unique': {
        const item = needs('list') && type.kind === 'list' ? type.item : unknown;
        if (item.kind === 'object' && !Object.hasOwn(item.fields, test.field)) {
          this.#noField(item, { key: test.field, at: test.at });
        }
        return;
      }
      case 'exactly':
        this.arg(test.value, names);
        return;
      case 'matches':
      case 'format':
        needs('text', 'decimal', 'time');
        return;
      case 'length':
        if (needs('text', 'list')) this.matcher(test.matcher, count, names);
        return;
      case 'contains':
        if (needs('text', 'list'))
          this.matcher(test.matcher, type.kind === 'list' ? type.item : unknown, names);
        return;
      case 'each':
        if (needs('list'))
          this.matcher(test.matcher, type.kind === 'list' ? type.item : unknown, names);
        return;
      case 'not':
        this.matcher(test.matcher, type, names);
        return;
      case 'absent':
      case 'present':
    }
  }
}
