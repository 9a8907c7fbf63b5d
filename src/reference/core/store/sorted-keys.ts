const chunkSize = 1024;

/** First position whose key is not below `key`. */
function lowerBound(keys: readonly number[], key: number): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] as number) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * A set of whole numbers in ascending order that knows its size and its n-th member. Chunks of about a thousand
 * keep an insertion in the middle of a million as cheap as one among a thousand, and a small set small.
 */
export class SortedKeys {
  readonly #chunks: number[][] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(key: number): void {
    const last = this.#chunks.at(-1);
    const tail = last?.at(-1);
    this.#size += 1;
    if (last === undefined || tail === undefined || key > tail) {
      if (last !== undefined && last.length < chunkSize) last.push(key);
      else this.#chunks.push([key]);
      return;
    }
    const place = this.#chunkFor(key);
    const chunk = this.#chunks[place] as number[];
    chunk.splice(lowerBound(chunk, key), 0, key);
    if (chunk.length > 2 * chunkSize) this.#chunks.splice(place + 1, 0, chunk.splice(chunkSize));
  }

  /** The key must be in the set. */
  remove(key: number): void {
    const place = this.#chunkFor(key);
    const chunk = this.#chunks[place];
    const index = chunk === undefined ? 0 : lowerBound(chunk, key);
    if (chunk?.[index] !== key) throw new Error(`key ${key} is not in the list`);
    if (index === chunk.length - 1) chunk.pop();
    else chunk.splice(index, 1);
    if (chunk.length === 0) this.#chunks.splice(place, 1);
    this.#size -= 1;
  }

  /** Up to `count` keys, after leaving out the first `skip`, smallest first. */
  ascending(skip: number, count: number): number[] {
    const found: number[] = [];
    let left = skip;
    for (let place = 0; place < this.#chunks.length && found.length < count; place += 1) {
      const chunk = this.#chunks[place] as number[];
      for (let index = left; index < chunk.length && found.length < count; index += 1) {
        found.push(chunk[index] as number);
      }
      left = Math.max(0, left - chunk.length);
    }
    return found;
  }

  /** As `ascending`, largest first. */
  descending(skip: number, count: number): number[] {
    const found: number[] = [];
    let left = skip;
    for (let place = this.#chunks.length - 1; place >= 0 && found.length < count; place -= 1) {
      const chunk = this.#chunks[place] as number[];
      for (let index = chunk.length - 1 - left; index >= 0 && found.length < count; index -= 1) {
        found.push(chunk[index] as number);
      }
      left = Math.max(0, left - chunk.length);
    }
    return found;
  }

  /** The last chunk that starts no later than the key. */
  #chunkFor(key: number): number {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#chunks[middle]?.[0] as number) <= key) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
