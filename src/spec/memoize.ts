/**
 * Caches the results of `read` for recent texts: one moment or amount shows in dozens of views of an order.
 * @param most maximum number of cached texts; beyond it all of them are forgotten
 */
export function remembered<T>(read: (text: string) => T, most = 10_000): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined || known.has(text)) return before as T;
    if (known.size >= most) known.clear();
    const now = read(text);
    known.set(text, now);
    return now;
  };
}
