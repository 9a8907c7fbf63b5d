import { hasForm, parseTimestamp } from '../../../spec/forms.ts';
import { isObject, isSet } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import type { Must } from '../../../results/must.ts';
import { defineRule } from '../../findings.ts';
import { results } from './envelope.ts';

const fields = [
  {
    name: 'request_id',
    present: 'meta.request-id.present',
    form: 'meta.request-id.form',
    describes: 'a string',
    holds: (value: unknown) => typeof value === 'string',
  },
  {
    name: 'timestamp',
    present: 'meta.timestamp.present',
    form: 'meta.timestamp.form',
    describes: 'an ISO 8601 UTC time with milliseconds',
    holds: (value: unknown) => hasForm('timestamp', value),
  },
] as const;

export const meta = defineRule({
  id: 'meta',
  title: 'Every answer has a request id that no other has, and the time of the response',
  requirements: [
    ...fields.flatMap(({ present, form }) => [present, form]),
    'meta.request-id.not-empty',
    'meta.request-id.distinct',
    'meta.timestamp.time-of-response',
  ],
  judge(view, findings) {
    const seen = new Map<string, string>();
    const { least, most } = view.context.offset;
    for (const call of view.once(results)) {
      const found = isObject(call.body) ? call.body['meta'] : undefined;
      if (!isObject(found)) continue;
      const assert = (
        requirement: Parameters<typeof findings.assert>[0],
        holds: boolean,
        message: string,
        detail: { readonly must?: Must; readonly actual?: unknown } = {},
        before: readonly string[] = [],
      ): boolean =>
        findings.assert(requirement, holds, call.id, () => ({
          message,
          ...detail,
          evidence: [...before, call.id],
        }));
      for (const { name, present, form, describes, holds } of fields) {
        const actual = found[name];
        if (!assert(present, isSet(actual), `meta.${name} was missing`)) continue;
        const detail = { must: { words: describes }, actual };
        assert(form, holds(actual), `meta.${name} did not have its form`, detail);
      }
      const { request_id: id, timestamp } = found;
      if (typeof id === 'string') {
        assert('meta.request-id.not-empty', id.trim() !== '', 'meta.request_id was empty');
        // Each party has a backend of its own, and may count from one.
        const key = `${call.party} ${id}`;
        const before = seen.get(key);
        const message = 'two answers of one backend had the same meta.request_id';
        const evidence = before === undefined ? [] : [before];
        assert('meta.request-id.distinct', !before, message, { actual: id }, evidence);
        seen.set(key, call.id);
      }
      const at = parseTimestamp(timestamp);
      if (at === undefined) continue;
      const [from, to] = [call.exchange.sent + least, call.exchange.received + most];
      const isTimely = at >= from - tolerance.stamp && at <= to + tolerance.stamp;
      const must = {
        at_least: new Date(from).toISOString(),
        at_most: new Date(to).toISOString(),
      };
      const message = 'meta.timestamp was not the time of the response';
      const detail = { must, actual: timestamp };
      assert('meta.timestamp.time-of-response', isTimely, message, detail);
    }
  },
});
