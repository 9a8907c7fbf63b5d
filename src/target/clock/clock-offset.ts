import type { Exchange } from '../../history/records.ts';
import { parseTimestamp } from '../../spec/forms.ts';
import { responseTimestamp } from '../../protocol/answers.ts';

/** The target's clock less ours, in milliseconds, lies within these, both included. */
export interface Offset {
  readonly least: number;
  readonly most: number;
}

/** For a target that tells no time at all: hosts that keep time are closer than this. */
const unknown: Offset = { least: -5_000, most: 5_000 };

/**
 * Bounds of the offset that one exchange proves. Its stamp was taken somewhere between our sending and our receiving; it was cut to a whole
 * unit, and our own readings were cut to whole milliseconds.
 */
function offsetBy(exchange: Exchange): Offset | undefined {
  const { sent, received } = exchange;
  const stamp = parseTimestamp(responseTimestamp(exchange));
  if (stamp !== undefined) return { least: stamp - received - 1, most: stamp - sent + 1 };
  const date = Date.parse(exchange.response?.headers['date'] ?? '');
  return Number.isNaN(date) ? undefined : { least: date - received - 1, most: date + 1_000 - sent };
}

/** All that several samples of one clock prove; where they contradict each other (it jumped), all that they admit. */
export function offsetOf(exchanges: readonly Exchange[]): Offset | undefined {
  const samples = exchanges.flatMap((exchange) => offsetBy(exchange) ?? []);
  if (samples.length === 0) return undefined;
  const least = Math.max(...samples.map((one) => one.least));
  const most = Math.min(...samples.map((one) => one.most));
  if (least <= most) return { least, most };
  return hull(samples);
}

const hull = (offsets: readonly Offset[]): Offset => ({
  least: Math.min(...offsets.map((one) => one.least)),
  most: Math.max(...offsets.map((one) => one.most)),
});

/** Of a target whose parties may run on different hosts: wide enough for each of them. */
export function offsetOfAll(parties: readonly (readonly Exchange[])[]): Offset {
  const offsets = parties.flatMap((exchanges) => offsetOf(exchanges) ?? []);
  return offsets.length === 0 ? unknown : hull(offsets);
}
