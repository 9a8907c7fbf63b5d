import { ownLimits } from '../../history/limits.ts';
import { countMembers, scanJson } from './scan-json.ts';

/** An object that some text held before, all of it: read once, and shared by every record that shows it. */
export interface SharedObject {
  readonly text: string;
  readonly value: object;
  /** As `scanJson` counts them. */
  readonly values: number;
  /** The number of answers that held this text. */
  times: number;
}

/** Deeper objects are rare, and are read by `JSON.parse` alone. */
const deepestShared = 50;
/** Objects, and characters of all their texts together, before all of them are forgotten. */
const most = { objects: 50_000, characters: 16_000_000 } as const;
/** Long enough to hold the identifier that most objects begin with. */
const beginningLength = 64;

const byText = new Map<string, SharedObject>();
/** The last one seen that begins so: most objects are found here, without a look for where they end. */
const byBeginning = new Map<string, SharedObject>();
let characters = 0;

function keep(shared: SharedObject): void {
  characters += shared.text.length;
  if (characters > most.characters || byText.size >= most.objects) {
    byText.clear();
    byBeginning.clear();
    characters = shared.text.length;
  }
  byText.set(shared.text, shared);
}

/**
 * The object that begins at a place in a text. A list that is read again and again shows the same objects nearly every
 * time: equal ones are one, so that they are read once and take the memory of one. They are never changed.
 * Undefined where it is no JSON, has a key twice, or is very deep.
 */
export function sharedObjectAt(text: string, at: number): SharedObject | undefined {
  const beginning = text.slice(at, at + beginningLength);
  const likely = byBeginning.get(beginning);
  // Two slices are compared by machine words, which `startsWith` is not: it takes twenty times as long.
  if (likely !== undefined && text.slice(at, at + likely.text.length) === likely.text) {
    likely.times += 1;
    return likely;
  }
  const found = scanJson(text, at, 'one value');
  if (found.depth > deepestShared || found.longest > ownLimits['text.chars']) return undefined;
  const own = text.slice(at, found.end);
  let shared = byText.get(own);
  if (shared === undefined) {
    let value: unknown;
    try {
      value = JSON.parse(own);
    } catch {
      return undefined;
    }
    if (typeof value !== 'object' || value === null) return undefined;
    if (countMembers(value) < found.members) return undefined;
    // A copy: a slice would keep all of the text that it was cut from.
    shared = { text: Buffer.from(own).toString(), value, values: found.values, times: 0 };
    keep(shared);
  }
  shared.times += 1;
  byBeginning.set(shared.text.slice(0, beginningLength), shared);
  return shared;
}
