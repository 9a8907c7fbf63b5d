import { formatTimestamp } from '../../../spec/forms.ts';

const slots = 4096;

/** Formats moments, keeping those met lately: every view of an order repeats the moments of the one before it. */
export function timestampWriter(): (ms: number) => string {
  const moments = new Float64Array(slots).fill(Number.NaN);
  const texts = Array.from({ length: slots }, () => '');
  return (ms) => {
    const slot = ms & (slots - 1);
    if (moments[slot] !== ms) {
      texts[slot] = formatTimestamp(ms);
      moments[slot] = ms;
    }
    return texts[slot] as string;
  };
}
