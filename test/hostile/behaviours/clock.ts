import type { Behaviour, ProxiedRequest } from '../proxy.ts';
import { answer, asJson, flood, hang, head, json, raw, reset } from './building-blocks.ts';

/** Reads of a driven clock before a run. clock-trial.test.ts tests clocks that fail in them. */
const readings = 5;

/** The address of a clock that is driven, which no party's path leads to. */
const clockBehaviour =
  (behaviour: Behaviour): Behaviour =>
  (visit) =>
    visit.path === '' && visit.before >= readings ? behaviour(visit) : 'pass';
const clockAt =
  (moment: (real: number, visit: ProxiedRequest) => unknown): Behaviour =>
  async (visit) => {
    const { body } = await visit.relay();
    const real = (JSON.parse(body) as { ms: number }).ms;
    void answer(200, asJson, JSON.stringify({ now: moment(real, visit) }))(visit);
  };
const start = Date.parse('2031-05-05T08:00:00Z');

export const clockBehaviours: Readonly<Record<string, Behaviour>> = {
  hangs: clockBehaviour(hang),
  resets: clockBehaviour(reset),
  'answers 500': clockBehaviour(answer(500, {}, 'no')),
  'answers no JSON': clockBehaviour(answer(200, asJson, 'soon')),
  'answers without end': clockBehaviour(
    raw(head('200 OK', json), flood(Buffer.alloc(65_536, ' '))),
  ),
  'redirects in circles': clockBehaviour(answer(307, { location: '/_clock' }, '')),
  'stands still': clockBehaviour(answer(200, asJson, JSON.stringify({ now: start }))),
  'goes backwards': clockBehaviour(
    clockAt((real, { before }) => start - before * 1_000 - (real % 1)),
  ),
  'is beyond all calendars': clockBehaviour(clockAt(() => 9e15)),
  'is before all calendars': clockBehaviour(clockAt(() => -1)),
  'is a word': clockBehaviour(clockAt(() => 'noon')),
  'lags by half of each step': clockBehaviour(
    clockAt((real) => start + Math.floor((real - start) / 2)),
  ),
  'leaps by a day': clockBehaviour(clockAt((real, { before }) => real + before * 86_400_000)),
};
