const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const longestMs = 400 * units.d;

export const durationForm = 'a duration such as 500ms, 90s, 5m or 1h30m';

/** Hint for a text that is no duration. `value`: the same as YAML reads it. */
export function durationHint(written: string, value: unknown): string | undefined {
  if (typeof value === 'number') return `say the unit: ${written}s, ${written}ms`;
  return /^\d+(?:ms|[dhms])$/.test(written) ? 'at most 400d' : undefined;
}

/** Milliseconds of `500ms`, `90s`, `1.5s`, `5m`, `1h30m`, units from large to small, each once; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const parts =
    /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d{1,3})?)s)?(?:(\d+)ms)?$/.exec(text);
  if (text === '' || text.length > 40 || !parts) return undefined;
  const [, days, hours, minutes, seconds, millis] = parts;
  const ms =
    Number(days ?? 0) * units.d +
    Number(hours ?? 0) * units.h +
    Number(minutes ?? 0) * units.m +
    Math.round(Number(seconds ?? 0) * units.s) +
    Number(millis ?? 0);
  return ms <= longestMs ? ms : undefined;
}

/** Duration in the usual notation: `1h30m`, `90s` as `1m30s`, `4.5s`, `250ms`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${ms}ms`;
  const hours = Math.floor(ms / units.h);
  const minutes = Math.floor((ms % units.h) / units.m);
  const seconds = (ms % units.m) / units.s;
  const shown = [
    hours > 0 ? `${hours}h` : '',
    minutes > 0 ? `${minutes}m` : '',
    seconds > 0 ? `${Number(seconds.toFixed(3))}s` : '',
  ].join('');
  return shown;
}
