import type { Deed, Visit } from '../front.ts';
import { answer, asJson, flood, hang, head, json, raw, reset } from './making.ts';

/** A driven clock is read so many times before it is moved: a run that cannot read it does not begin. */
const readings = 3;

/** The address of a clock that is driven, which no party's path leads to. */
const clockDeed =
  (deed: Deed): Deed =>
  (visit) =>
    visit.path === '' && visit.before >= readings ? deed(visit) : 'pass';
const clockAt =
  (moment: (real: number, visit: Visit) => unknown): Deed =>
  async (visit) => {
    const { body } = await visit.relay();
    const real = (JSON.parse(body) as { ms: number }).ms;
    void answer(200, asJson, JSON.stringify({ now: moment(real, visit) }))(visit);
  };
const start = Date.parse('2031-05-05T08:00:00Z');

export const clockDeeds: Readonly<Record<string, Deed>> = {
  hangs: clockDeed(hang),
  resets: clockDeed(reset),
  'answers 500': clockDeed(answer(500, {}, 'no')),
  'answers no JSON': clockDeed(answer(200, asJson, 'soon')),
  'answers without end': clockDeed(raw(head('200 OK', json), flood(Buffer.alloc(65_536, ' ')))),
  'redirects in circles': clockDeed(answer(307, { location: '/_clock' }, '')),
  'stands still': clockDeed(answer(200, asJson, JSON.stringify({ now: start }))),
  'goes backwards': clockDeed(clockAt((real, { before }) => start - before * 1_000 - (real % 1))),
  'is beyond all calendars': clockDeed(clockAt(() => 9e15)),
  'is before all calendars': clockDeed(clockAt(() => -1)),
  'is a word': clockDeed(clockAt(() => 'noon')),
  'lags by half of each step': clockDeed(clockAt((real) => start + Math.floor((real - start) / 2))),
  'leaps by a day': clockDeed(clockAt((real, { before }) => real + before * 86_400_000)),
};
