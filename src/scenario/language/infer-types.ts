import { type CastName, castNames } from '../../spec/requirements/requirement.ts';
import type { Expr, Operator } from './expression.ts';
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
import { type Advice, oneOfThese, type SourceLocation, suggestion } from '../../yaml/index.ts';
import type { Located } from './arg.ts';

export type Complain = (at: SourceLocation, message: string, more?: Advice) => void;

/** Types by saved name. Undefined: saved by steps that run at the same time, so it may not be there yet. */
export type Names = Map<string, Type | undefined>;

/** Types of the names that a step may use, and where problems go. */
export interface Scope {
  readonly names: ReadonlyMap<string, Type | undefined>;
  readonly complain: Complain;
  readonly inTemplate?: boolean;
  /** Text of the cells of the first example, by column: it decides their types. */
  readonly cells?: ReadonlyMap<string, string>;
}

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

/** Results of operations: the kinds of both sides, with `number` for a decimal or a count. */
const results: Readonly<Record<string, Type>> = {
  'time + duration': time,
  'duration + time': time,
  'time - duration': time,
  'time - time': duration,
  'duration + duration': duration,
  'duration - duration': duration,
  'duration * number': duration,
  'number * duration': duration,
  'duration / number': duration,
  'duration / duration': decimal,
  'number + number': decimal,
  'number - number': decimal,
  'number * number': decimal,
  'number / number': decimal,
};

/** Type of `left op right`; undefined if the operation makes no sense. */
export function resultOf(op: Operator, left: Type, right: Type): Type | undefined {
  if (left.kind === 'unknown' && right.kind === 'unknown') return unknown;
  if (left.kind === 'unknown' || right.kind === 'unknown') return guess(op, left, right);
  if (left.kind === 'count' && right.kind === 'count' && op !== '/') return count;
  const [l, r] = [left, right].map(({ kind }) =>
    kind === 'decimal' || kind === 'count' ? 'number' : kind,
  );
  return results[`${l} ${op} ${r}`];
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
export function infer(located: Located, { names, complain, inTemplate = false }: Scope): Type {
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
        const type = names.get(expr.name);
        if (type) return type;
        if (castNames.includes(expr.name as CastName)) return partyType;
        if (names.has(expr.name)) {
          const name = JSON.stringify(expr.name);
          const hint = 'use it after "together", or after the list of steps with "meanwhile"';
          return say(`${name} may not be saved yet: steps beside this one save it`, { hint });
        }
        const saved = [...names.keys()].filter((name) => names.get(name)).toSorted();
        const takes = inTemplate ? 'a template uses only what it "takes"' : undefined;
        const hint = suggestion(expr.name, [...saved, ...castNames]) ?? takes;
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
        if (of.kind === 'unknown') return unknown;
        const hint = fieldType(of, 'items') && 'its items are a field: .items[0]';
        return say(`${named(of)} has no items to number`, { hint });
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
  const expected = `one of ${known.join(', ')}`;
  return say(`${named(of)} has no field ${JSON.stringify(expr.field)}`, { expected, hint });
}

function callType(expr: Extract<Expr, { kind: 'call' }>, args: readonly Type[], say: Say): Type {
  const fn = Object.hasOwn(functions, expr.name) ? byName[expr.name] : undefined;
  if (!fn) {
    const advice = oneOfThese(expr.name, Object.keys(functions));
    return say(`there is no function ${JSON.stringify(expr.name)}`, advice);
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
