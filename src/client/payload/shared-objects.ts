import { ownLimits } from '../../history/limits.ts';
import { countMembers, scanJson } from './scan-json.ts';

/** An object that was read once from its whole text, and is shared by every record that shows it. */
export interface SharedObject {
  readonly text: string;
  readonly value: object;
  /** Number of values, as `scanJson` counts them. */
  readonly values: number;
  /** The number of answers that held this text. */
  times: number;
}

/** Deeper objects are rare, and are read by `JSON.parse` alone. */
const deepestShared = 50;
/**
 * Bounds on the number of objects, and on the characters of all their texts. At either bound all objects are forgotten.
 */
const most = { objects: 50_000, characters: 16_000_000 } as const;
/** Long enough to hold the identifier that most objects begin with. */
const beginningLength = 64;

const byText = new Map<string, SharedObject>();
/** The last object that begins so: most objects are found here, without a search for their end. */
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
 * The object that begins at an index of a text. A list that is read again and again shows nearly the same objects each
 * time. Equal objects are one: read once, and kept once in memory. They must never be changed. Undefined if the text
 * there is no JSON, has a key twice, or is very deep.
 */
export function sharedObjectAt(text: string, at: number): SharedObject | undefined {
  const beginning = text.slice(at, at + beginningLength);
  const likely = byBeginning.get(beginning);
  // Comparing two slices works by machine words; `startsWith` does not, and takes twenty times as long.
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
