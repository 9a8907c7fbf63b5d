import { hasForm } from '../../spec/forms.ts';
import { castNames } from '../../spec/requirements/requirement.ts';
import { infer, type Scope } from './infer-types.ts';
import { type Matcher, type Test, testNames, testShapes } from './matchers.ts';
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
import { durationForm, durationHint, oneOfThese, parseDuration } from '../../yaml/index.ts';
import { type Arg, isBroken, type Located } from './arg.ts';

/** Type of `1.10` without quotes, which has lost its zeros: only a field that is sent unchecked may have it. */
const bareNumber: Type = { kind: 'object', name: 'number without quotes', fields: {} };

/** Type of a cell of an examples table, inferred from its text. */
export function cellType(arg: Arg): Type {
  if (arg.kind !== 'plain') return unknown;
  if (typeof arg.value === 'number') return /^-?\d+$/.test(arg.written) ? count : bareNumber;
  if (typeof arg.value === 'boolean') return { kind: 'flag' };
  if (hasForm('decimal', arg.value)) return decimal;
  return parseDuration(arg.value ?? '') === undefined ? text : duration;
}

const hasField = (type: Type, name: string): boolean =>
  type.kind === 'object' && name in type.fields;

/** Checks that an expression has a type for which `isFine` holds. */
function checkKind(
  located: Located,
  isFine: (type: Type) => boolean,
  expected: string,
  scope: Scope,
  hint?: string,
): void {
  const type = infer(located, scope);
  if (type.kind === 'unknown' || isFine(type)) return;
  scope.complain(located.at, `found ${named(type)}`, { expected, hint });
}

export const checkLocated = (located: Located, expected: Type, scope: Scope, hint?: string): void =>
  checkKind(located, ({ kind }) => kind === expected.kind, named(expected), scope, hint);

export const checkOrder = (located: Located, scope: Scope): void =>
  checkKind(
    located,
    (type) => type.kind === 'text' || hasField(type, 'intent_id'),
    'an order, a quote, a request or a settlement that was saved, or an intent_id',
    scope,
  );

/** An order has a quote_id too, once a quote is accepted; but naming one here is most likely a slip. */
export const checkQuote = (located: Located, orderGiven: boolean, scope: Scope): void =>
  checkKind(
    located,
    (type) =>
      type.kind === 'object'
        ? type.name !== 'order' && hasField(type, 'quote_id') && hasField(type, 'intent_id')
        : type.kind === 'text' && orderGiven,
    'a quote that was saved, or a quote_id with "of" beside it',
    scope,
  );

export function checkToken(token: Arg, scope: Scope): void {
  if (token.kind === 'plain' && castNames.some((name) => name === token.value)) {
    const hint = `the token of a party: $${token.written}`;
    return scope.complain(token.at, `found ${JSON.stringify(token.value)}`, { hint });
  }
  if (token.kind !== 'expr') return fits(token, text, scope);
  const isToken = (type: Type): boolean => type.kind === 'text' || hasField(type, 'token');
  checkKind({ ...token.expr, at: token.at }, isToken, 'a token', scope);
}

/** Type of a value; checks all expressions in it. */
export function argType(arg: Arg, scope: Scope): Type {
  switch (arg.kind) {
    case 'plain':
      return cellType(arg);
    case 'expr':
      return infer(arg.expr, scope);
    case 'text':
      for (const part of arg.parts) if (typeof part === 'object') infer(part, scope);
      return text;
    case 'list':
      for (const item of arg.items) argType(item, scope);
      return unknown;
    case 'map':
      for (const { value } of arg.entries) argType(value, scope);
      return unknown;
  }
}

/** Checks that a value can be of a type. An unquoted amount is refused, since it has already lost its zeros. */
export function fits(arg: Arg, expected: Type, scope: Scope): void {
  if (arg.kind === 'plain') return plainFits(arg, expected, scope);
  const found = argType(arg, scope);
  if (expected.kind === 'unknown') return;
  if (arg.kind === 'list' && expected.kind !== 'list') wrong(arg, 'a list', expected, scope);
  if (arg.kind === 'map' && expected.kind !== 'object') wrong(arg, 'a mapping', expected, scope);
  if (found.kind === 'unknown') return;
  const writable = ['text', 'decimal', 'time', 'count'];
  if (expected.kind === 'text' ? writable.includes(found.kind) : found.kind === expected.kind)
    return;
  const kinds = [expected.kind, found.kind];
  if (kinds.every((kind) => kind === 'decimal' || kind === 'count')) return;
  wrong(arg, named(found), expected, scope, hintFor(arg, found, scope));
}

function hintFor(arg: Arg, found: Type, { cells }: Scope): string | undefined {
  const name = arg.kind === 'expr' ? arg.expr.source : '';
  const cell = cells?.get(name);
  if (cell !== undefined)
    return `${JSON.stringify(name)} is ${JSON.stringify(cell)} in the first example`;
  const [field] = found.kind === 'object' ? Object.keys(found.fields) : [];
  return field && /^[\w.[\]]+$/.test(name) ? `a field of it, such as $${name}.${field}` : undefined;
}

function wrong(arg: Arg, found: string, type: Type, { complain }: Scope, hint?: string): void {
  const expected = type.kind === 'duration' ? durationForm : named(type);
  complain(arg.at, `found ${found}`, { expected, hint });
}

function plainFits(arg: Extract<Arg, { kind: 'plain' }>, expected: Type, scope: Scope): void {
  if (isBroken(arg)) return;
  const { value, written } = arg;
  const shown = typeof value === 'string' ? JSON.stringify(value) : written || 'nothing';
  const inQuotes = `write it in quotes: ${JSON.stringify(written)}`;
  const refuse = (hint?: string, found = shown): void => wrong(arg, found, expected, scope, hint);
  switch (expected.kind) {
    case 'decimal':
      if (typeof value === 'number') refuse(inQuotes, `the bare number ${written}`);
      else if (!hasForm('decimal', value)) refuse();
      return;
    case 'text':
      if (expected.values) return checkWord(arg, shown, expected.values, scope);
      if (typeof value !== 'string') refuse(value === null ? undefined : inQuotes);
      return;
    case 'time':
      if (!hasForm('timestamp', value)) refuse();
      return;
    case 'duration':
      if (typeof value !== 'string' || parseDuration(value) === undefined)
        refuse(durationHint(written, value));
      return;
    case 'count':
      if (!Number.isSafeInteger(value))
        refuse(/^\d+$/.test(written) ? `write it without quotes: ${written}` : undefined);
      return;
    case 'flag':
      if (typeof value !== 'boolean') refuse();
      return;
    case 'unknown':
      return;
    case 'object':
    case 'list':
    case 'stream':
      refuse();
  }
}

/** Checks a word of a closed list. A number there is most likely the status code of the answer. */
function checkWord(
  { at, written, value }: Extract<Arg, { kind: 'plain' }>,
  shown: string,
  words: readonly string[],
  { complain }: Scope,
): void {
  if (typeof value === 'string' && words.includes(value)) return;
  const advice = oneOfThese(written, words);
  const key = /^2\d\d$/.test(written) ? 'answered' : 'refused';
  const code = `the status code of the answer is another key: "${key}: ${written}"`;
  const hint = /^[2-5]\d\d$/.test(written) ? code : advice.hint;
  complain(at, `found ${shown}`, { ...advice, hint });
}

/** Checks that a matcher can match a value of a type. */
export function checkMatcher(matcher: Matcher, type: Type, scope: Scope): void {
  const { complain } = scope;
  switch (matcher.kind) {
    case 'equals':
      return fits(matcher.value, type, scope);
    case 'items':
      if (type.kind !== 'list' && type.kind !== 'unknown')
        return complain(matcher.at, 'found a list', { expected: named(type) });
      for (const item of matcher.items) checkMatcher(item, itemType(type), scope);
      return;
    case 'object':
      if (type.kind !== 'object' && type.kind !== 'unknown') {
        const [field] = matcher.fields;
        const { hint } = oneOfThese(field?.key ?? '', testNames);
        const expected = `${named(type)}, or a mapping of ${testNames.join(', ')}`;
        const message = `${JSON.stringify(field?.key)} is no field or matcher of ${named(type)}`;
        return complain(field?.at ?? matcher.at, message, { expected, hint });
      }
      for (const { key, at, value } of matcher.fields) {
        const inner = type.kind === 'unknown' ? unknown : fieldType(type, key);
        if (inner) checkMatcher(value, inner, scope);
        else noField(type, key, at, scope);
      }
      return;
    case 'tests':
      for (const test of matcher.tests) checkTest(test, type, scope);
  }
}

const itemType = (type: Type): Type => (type.kind === 'list' ? type.item : unknown);

function noField(type: Type, name: string, at: Matcher['at'], { complain }: Scope): void {
  const known = type.kind === 'object' ? Object.keys(type.fields) : [];
  complain(at, `${named(type)} has no field ${JSON.stringify(name)}`, oneOfThese(name, known));
}

function checkTest(test: Test, type: Type, scope: Scope): void {
  const { of } = testShapes[test.test];
  if (of && type.kind !== 'unknown' && !of.includes(type.kind))
    return scope.complain(test.at, `"${test.test}" says nothing of ${named(type)}`);
  switch (test.test) {
    case 'decimal':
    case 'moment': {
      const isDecimal = test.test === 'decimal';
      fits(test.value, isDecimal ? decimal : time, scope);
      if (test.within) fits(test.within, isDecimal ? decimal : duration, scope);
      return;
    }
    case 'above':
    case 'below':
    case 'at_least':
    case 'at_most':
      return fits(test.value, type, scope);
    case 'one_of':
      for (const value of test.values) fits(value, type, scope);
      return;
    case 'any_of':
      for (const one of test.matchers) checkMatcher(one, type, scope);
      return;
    case 'unique': {
      const item = itemType(type);
      if (item.kind === 'object' && !Object.hasOwn(item.fields, test.field))
        noField(item, test.field, test.at, scope);
      return;
    }
    case 'exactly':
      argType(test.value, scope);
      return;
    case 'length':
      return checkMatcher(test.matcher, count, scope);
    case 'contains':
    case 'each':
      return checkMatcher(test.matcher, itemType(type), scope);
    case 'not':
      return checkMatcher(test.matcher, type, scope);
    case 'matches':
    case 'format':
    case 'absent':
    case 'present':
  }
}
