import type { EndpointName } from '../../../spec/endpoints.ts';
import { results } from './envelope.ts';
import { isObject, textOf } from '../../../protocol/json.ts';
import { defineRule } from '../../findings.ts';
import type { Call } from '../../trace/calls.ts';

/** Number of timestamps that cannot all have fallen on a whole second by chance. */
const minSamples = 20;
const secondMs = 1_000;
/** Around a whole second: what a clock shows, and when it was asked, need not be quite the same. */
const marginMs = 10;

/** Fields in which a target records the time of a call's effect. */
const timestampFields: Partial<Record<EndpointName, string>> = {
  'order.create': 'created_at',
  'quote.submit': 'submitted_at',
  'quote.accept': 'quote_accepted_at',
};

interface TimestampShown {
  /** Location of a timestamp, as "timestamp of order.list". */
  readonly place: string;
  readonly field: string;
  readonly text: string;
  readonly call: Call;
}

function timestampsOf(call: Call): readonly TimestampShown[] {
  const { endpoint } = call;
  if (endpoint === undefined) return [];
  const timestamps: [string, string | undefined][] = [
    ['timestamp', textOf(isObject(call.body) ? call.body['meta'] : undefined, 'timestamp')],
  ];
  const name = call.own ? timestampFields[endpoint] : undefined;
  if (name !== undefined) timestamps.push([name, textOf(call.data, name)]);
  return timestamps.flatMap(([field, text]) =>
    text === undefined ? [] : [{ place: `${field} of ${endpoint}`, field, text, call }],
  );
}

/** The form of a timestamp has milliseconds; if they are always zero, they were cut off. */
export const timestampPrecision = defineRule({
  id: 'conventions.precision',
  title: 'The moment of a call is told to the millisecond, not cut to its second',
  requirements: ['convention.timestamps'],
  judge(view, findings) {
    const { least, most } = view.context.offset;
    const isWithinSecond = ({ exchange }: Call): boolean => {
      const [from, to] = [exchange.sent + least - marginMs, exchange.received + most + marginMs];
      return Math.floor(from / secondMs) === Math.floor(to / secondMs);
    };
    const places = new Map<string, TimestampShown[]>();
    for (const call of view.once(results)) {
      if (!isWithinSecond(call)) continue;
      for (const timestamp of timestampsOf(call)) {
        const known = places.get(timestamp.place);
        if (known) known.push(timestamp);
        else places.set(timestamp.place, [timestamp]);
      }
    }
    for (const [place, timestamps] of places) {
      if (timestamps.length < minSamples) continue;
      const isCut = timestamps.every(({ text }) => text.endsWith('.000Z'));
      const [first] = timestamps;
      if (!first) continue;
      findings.assert('convention.timestamps', !isCut, first.call.id, () => ({
        message: `all of ${timestamps.length} moments fell on a whole second (${place})`,
        fields: [first.field],
        must: { words: 'milliseconds, as the calls were made between the seconds' },
        actual: first.text,
        evidence: timestamps.slice(0, 3).map(({ call }) => call.id),
      }));
    }
  },
});
