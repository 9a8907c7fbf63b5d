/** A map that keeps the `capacity` entries used last. */
export interface Lru<Value> {
  readonly size: number;
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
}

/**
 * Two generations: what is used moves to the young one, and when that is full the old one is dropped whole. A hit
 * costs one lookup and no reordering; between `capacity` / 2 and `capacity` of the entries used last survive.
 */
export function lru<Value>(capacity: number): Lru<Value> {
  const half = Math.max(1, Math.floor(capacity / 2));
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();

  function put(key: string, value: Value): void {
    if (young.size >= half && !young.has(key)) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
  }

  return {
    get size() {
      return young.size + old.size;
    },
    get(key) {
      const fresh = young.get(key);
      if (fresh !== undefined) return fresh;
      const aged = old.get(key);
      if (aged === undefined) return undefined;
      old.delete(key);
      put(key, aged);
      return aged;
    },
    set(key, value) {
      old.delete(key);
      put(key, value);
    },
    delete(key) {
      young.delete(key);
      old.delete(key);
    },
  };
}
