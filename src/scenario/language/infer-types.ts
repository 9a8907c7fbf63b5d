import { type CastName, castNames } from '../../spec/requirements/requirement.ts';
import { type Advice, suggestion } from '../../yaml/index.ts';
import type { Expr, Operator } from './expression.ts';
import type { Located } from './reader.ts';
import type { SourceLocation } from './source-location.ts';
import {
  count,
  decimal,
  duration,
  fieldType,
  named,
  partyType,
  text,
  time,
  type Type,
  unknown,
} from './types.ts';

/** Names that a step may use, with their types. */
export type Scope = ReadonlyMap<string, Type>;

export type Complain = (at: SourceLocation, message: string, more?: Advice) => void;

interface Fn {
  readonly takes: readonly (readonly Type['kind'][])[];
  readonly gives: (args: readonly Type[]) => Type;
}

const comparable = ['decimal', 'count', 'time', 'duration'] as const;

/** The functions of expressions; `scripts/docs-tables.ts` describes each. */
export const functions = {
  now: { takes: [], gives: () => time },
  round: { takes: [['decimal', 'count'], ['count']], gives: () => decimal },
  round_up: { takes: [['decimal', 'count'], ['count']], gives: () => decimal },
  round_down: { takes: [['decimal', 'count'], ['count']], gives: () => decimal },
  min: { takes: [comparable, comparable], gives: ([first]) => first ?? unknown },
  max: { takes: [comparable, comparable], gives: ([first]) => first ?? unknown },
  count: { takes: [['list']], gives: () => count },
  joined: { takes: [['list'], ['list']], gives: ([first]) => first ?? unknown },
  drawn: { takes: [['decimal', 'count'], ['decimal', 'count'], ['count']], gives: () => decimal },
  next: { takes: [['text']], gives: () => time },
  epoch: { takes: [['time']], gives: () => count },
  claims: { takes: [['text']], gives: () => unknown },
  unsigned: { takes: [['text']], gives: () => text },
  signed: { takes: [['text'], ['object']], gives: () => text },
  holdings: { takes: [], gives: () => unknown },
} as const satisfies Readonly<Record<string, Fn>>;
const byName: Readonly<Record<string, Fn>> = functions;

/** Type of `left op right`; undefined if the operation makes no sense. */
export function resultOf(op: Operator, left: Type, right: Type): Type | undefined {
  const l = left.kind;
  const r = right.kind;
  if (l === 'unknown' || r === 'unknown')
    return l === 'unknown' && r === 'unknown' ? unknown : guess(op, left, right);
  const isNumber = (kind: Type['kind']): boolean => kind === 'decimal' || kind === 'count';
  if (op === '+' || op === '-') {
    if (l === 'time' && r === 'duration') return time;
    if (l === 'duration' && r === 'time' && op === '+') return time;
    if (l === 'time' && r === 'time' && op === '-') return duration;
    if (l === 'duration' && r === 'duration') return duration;
  }
  if (op === '*' && l === 'duration' && isNumber(r)) return duration;
  if (op === '*' && isNumber(l) && r === 'duration') return duration;
  if (op === '/' && l === 'duration' && isNumber(r)) return duration;
  if (op === '/' && l === 'duration' && r === 'duration') return decimal;
  if (isNumber(l) && isNumber(r))
    return l === 'count' && r === 'count' && op !== '/' ? count : decimal;
  return undefined;
}

/** If one side is unknown, the type of the other side decides if the operation is possible. */
function guess(op: Operator, left: Type, right: Type): Type | undefined {
  const known = left.kind === 'unknown' ? right : left;
  const candidates: readonly Type[] = [decimal, time, duration, count];
  const fits = candidates.some((one) =>
    left.kind === 'unknown' ? resultOf(op, one, known) : resultOf(op, known, one),
  );
  return fits ? unknown : undefined;
}

const operatorWords: Readonly<Record<Operator, string>> = {
  '+': 'added',
  '-': 'subtracted',
  '*': 'multiplied',
  '/': 'divided',
};

/** Type of an expression. An error in it is reported once, and the result is then `unknown`. */
export function infer(located: Located, scope: Scope, complain: Complain): Type {
  const visit = (expr: Expr): Type => {
    const say = (message: string, more?: Advice): Type => {
      complain(located.location(expr), message, more);
      return unknown;
    };
    switch (expr.kind) {
      case 'number':
        return expr.written.includes('.') ? decimal : count;
      case 'duration':
        return duration;
      case 'string':
        return text;
      case 'name': {
        const type = scope.get(expr.name);
        if (type) return type;
        if (castNames.includes(expr.name as CastName)) return partyType;
        const saved = [...scope.keys()].toSorted();
        const hint = suggestion(expr.name, [...saved, ...castNames]);
        return say(`nothing is saved as ${JSON.stringify(expr.name)} by an earlier step`, {
          expected: saved.length > 0 ? `one of ${saved.join(', ')}` : 'nothing is saved yet',
          hint,
        });
      }
      case 'field':
        return fieldTypeOf(visit(expr.of), expr, say);
      case 'item': {
        const of = visit(expr.of);
        if (of.kind === 'list') return of.item;
        return of.kind === 'unknown' ? unknown : say(`${named(of)} has no items to number`);
      }
      case 'call':
        return callType(expr, expr.args.map(visit), say);
      case 'binary': {
        const left = visit(expr.left);
        const right = visit(expr.right);
        const result = resultOf(expr.op, left, right);
        return (
          result ?? say(`${named(left)} and ${named(right)} cannot be ${operatorWords[expr.op]}`)
        );
      }
    }
  };
  return visit(located.expr);
}

type Say = (message: string, more?: Advice) => Type;

function fieldTypeOf(of: Type, expr: Extract<Expr, { kind: 'field' }>, say: Say): Type {
  if (of.kind === 'unknown' || (of.kind === 'object' && !expr.checked)) return unknown;
  if (of.kind !== 'object') {
    const hint = of.kind === 'list' ? 'say which: [0], or "items" of what was listed' : undefined;
    return say(`${named(of)} has no field ${JSON.stringify(expr.field)}`, { hint });
  }
  const type = fieldType(of, expr.field);
  if (type) return type;
  const known = Object.keys(of.fields);
  const hint =
    suggestion(expr.field, known) ?? `a field that the document does not list: ["${expr.field}"]`;
  return say(`${named(of)} has no field ${JSON.stringify(expr.field)}`, {
    expected: `one of ${known.join(', ')}`,
    hint,
  });
}

function callType(expr: Extract<Expr, { kind: 'call' }>, args: readonly Type[], say: Say): Type {
  const fn = Object.hasOwn(functions, expr.name) ? byName[expr.name] : undefined;
  if (!fn) {
    const known = Object.keys(functions);
    const hint = suggestion(expr.name, known);
    return say(`there is no function ${JSON.stringify(expr.name)}`, {
      expected: `one of ${known.join(', ')}`,
      hint,
    });
  }
  if (args.length !== fn.takes.length) {
    return say(`${expr.name}() takes ${fn.takes.length} values, not ${args.length}`);
  }
  const wrong = args.findIndex(
    (arg, index) => arg.kind !== 'unknown' && !fn.takes[index]?.includes(arg.kind),
  );
  if (wrong !== -1) {
    return say(`${expr.name}() cannot take ${named(args[wrong] ?? unknown)}`);
  }
  return fn.gives(args);
}
