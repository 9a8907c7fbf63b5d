import { type Context, createContext, Script } from 'node:vm';
import { ownLimits } from '../../history/limits.ts';
import { overLimit } from './halt.ts';

const script = new Script('pattern.test(text)');
let place: Context | undefined;

/**
 * Whether a regular expression of a scenario is found in a text. `^(a+)+$` takes longer than the age of the world for
 * some: the host stops it after a while, and the scenario is not judged (decision 38).
 */
export function isFound(pattern: RegExp, text: string): boolean {
  place ??= createContext();
  place['pattern'] = pattern;
  place['text'] = text;
  try {
    return script.runInContext(place, { timeout: ownLimits['scenario.match_ms'] }) === true;
  } catch {
    // It took too long, or its stack or its memory ran out: V8 throws nothing else here.
    return overLimit('scenario.match_ms');
  } finally {
    place['text'] = '';
  }
}
