import { isObject } from './json.ts';
import { recordShapes } from './records.ts';
import { misfitIn, tooDeep } from './shape.ts';

/**
 * Reason why a value is not a record that rules can read; undefined if it is one. A person may have edited the file.
 */
export function recordProblem(value: unknown): string | undefined {
  if (!isObject(value)) return 'expected an object';
  const deep = tooDeep(value);
  if (deep !== undefined) return deep;
  const { kind } = value;
  if (typeof kind !== 'string' || !Object.hasOwn(recordShapes, kind)) {
    return `unknown kind ${JSON.stringify(kind)}`;
  }
  const misfit = misfitIn(recordShapes[kind as keyof typeof recordShapes], value);
  if (misfit !== undefined || kind !== 'exchange') return misfit;
  if (Number(value['received']) < Number(value['sent'])) {
    return '"received" is earlier than "sent"';
  }
  const isAnswered = value['response'] !== undefined || value['error'] !== undefined;
  return isAnswered ? undefined : 'expected a response or an error';
}
