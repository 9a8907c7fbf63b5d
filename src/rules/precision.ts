import type { EndpointName } from '../spec/endpoints.ts';
import { results } from './envelope.ts';
import { isObject, textAt } from './json.ts';
import { defineRule } from './tally.ts';
import type { Call } from './view/calls.ts';

/** So many moments that cannot all have fallen on a whole second by chance. */
const enough = 20;
const secondMs = 1_000;
/** Around a whole second: what a clock shows, and when it was asked, need not be quite the same. */
const marginMs = 10;

/** What a target writes down as the moment of what a call does. */
const moments: Partial<Record<EndpointName, string>> = {
  'order.create': 'created_at',
  'quote.submit': 'submitted_at',
  'quote.accept': 'quote_accepted_at',
};

interface Stamp {
  /** One place that moments stand in, as "timestamp of order.list". */
  readonly place: string;
  readonly text: string;
  readonly call: Call;
}

function stampsOf(call: Call): readonly Stamp[] {
  const { endpoint } = call;
  if (endpoint === undefined) return [];
  const stamps: [string, string | undefined][] = [
    ['timestamp', textAt(isObject(call.body) ? call.body['meta'] : undefined, 'timestamp')],
  ];
  const name = call.own ? moments[endpoint] : undefined;
  if (name !== undefined) stamps.push([name, textAt(call.data, name)]);
  return stamps.flatMap(([field, text]) =>
    text === undefined ? [] : [{ place: `${field} of ${endpoint}`, text, call }],
  );
}

/** A moment has milliseconds by its form alone; where they are always none, they were cut off. */
export const precision = defineRule({
  id: 'conventions.precision',
  title: 'The moment of a call is told to the millisecond, not cut to its second',
  requirements: ['convention.timestamps'],
  judge(view, tally) {
    const { least, most } = view.context.offset;
    const isWithinSecond = ({ exchange }: Call): boolean => {
      const [from, to] = [exchange.sent + least - marginMs, exchange.received + most + marginMs];
      return Math.floor(from / secondMs) === Math.floor(to / secondMs);
    };
    const places = new Map<string, Stamp[]>();
    for (const call of view.once(results)) {
      if (!isWithinSecond(call)) continue;
      for (const stamp of stampsOf(call)) {
        const known = places.get(stamp.place);
        if (known) known.push(stamp);
        else places.set(stamp.place, [stamp]);
      }
    }
    for (const [place, stamps] of places) {
      if (stamps.length < enough) continue;
      const isCut = stamps.every(({ text }) => text.endsWith('.000Z'));
      const [first] = stamps;
      if (!first) continue;
      tally.judge('convention.timestamps', !isCut, first.call.id, () => ({
        message: `all of ${stamps.length} moments fell on a whole second (${place})`,
        expected: 'milliseconds, as the calls were made between the seconds',
        actual: first.text,
        evidence: stamps.slice(0, 3).map(({ call }) => call.id),
      }));
    }
  },
});
