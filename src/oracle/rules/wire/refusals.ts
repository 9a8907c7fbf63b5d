import { failureReasons } from '../../../spec/vocabulary.ts';
import { isObject, type JsonObject } from '../../../protocol/json.ts';
import { defineRule } from '../../findings.ts';
import { type Call, isRefusal } from '../../trace/calls.ts';
import { isOrderState } from '../../trace/snapshots.ts';

const refusalStatus = defineRule({
  id: 'wire.refusals',
  title: 'A refusal is a 4xx',
  requirements: ['error.refusal-is-4xx'],
  judge(view, findings) {
    const served = new Set(view.calls.flatMap(({ ok, endpoint }) => (ok && endpoint) || []));
    for (const call of view.calls) {
      const { status, id } = call;
      if (status === undefined || call.ok) continue;
      // A proxy before a backend may redirect all of an endpoint; it does not know which callers are served.
      const isRedirect =
        status >= 300 && status < 400 && call.endpoint && served.has(call.endpoint);
      if (status < 400 && !isRedirect) continue;
      findings.assert('error.refusal-is-4xx', !isRedirect && status < 500, id, () => ({
        message: `${call.endpoint ?? 'a request'} was answered with ${status}`,
        must: { words: 'success, or a 4xx status' },
        actual: status,
      }));
    }
  },
});

/** Statuses by which a server turns away what it does not even read: too long, too slow, too early. */
const unread: readonly (number | undefined)[] = [408, 413, 414, 417, 421, 425, 426, 431];

/** True for a refusal on an endpoint of the interface, by a server that read the request. */
const isOwnRefusal = (call: Call): boolean =>
  isRefusal(call) && call.endpoint !== undefined && !unread.includes(call.status);

const refusalBodies = defineRule({
  id: 'wire.refusal-bodies',
  title: 'A refusal with a body has JSON in it',
  requirements: ['error.body-json'],
  judge(view, findings) {
    for (const call of view.calls) {
      const text = call.exchange.response?.text ?? '';
      if (!isOwnRefusal(call) || (call.body === undefined && text === '')) continue;
      findings.assert('error.body-json', call.body !== undefined, call.id, () => ({
        message: `${call.endpoint} refused a request with a body that is not JSON`,
        must: { words: 'JSON, or no body' },
        actual: text.slice(0, 80),
      }));
    }
  },
});

const reasons: ReadonlySet<unknown> = new Set(failureReasons);
/** Names of fields that hold the kind of an error. If a body has two, the first is the code; the other may explain. */
const codeNames = [
  /^(error_?)?code$/i,
  /^(error|type|title|name|key)$/i,
  /^(reason|error_?reason|status|kind)$/i,
];
const rankOf = (name: string): number => codeNames.findIndex((pattern) => pattern.test(name));

/** An order that a refusal shows says why that order failed. */
const isOrder = (value: JsonObject): boolean =>
  'intent_id' in value || Object.values(value).some(isOrderState);

/** The failure reason that a refusal has for its code, as a text of its own or under a name for one. */
function reasonAsCode(body: unknown, depth = 0): unknown {
  if (reasons.has(body)) return depth === 0 ? body : undefined;
  if (Array.isArray(body)) {
    return body
      .slice(0, 20)
      .map((item) => reasonAsCode(item, depth + 1))
      .find((found) => found !== undefined);
  }
  if (!isObject(body) || depth > 4) return undefined;
  const texts = Object.entries(body).filter(
    ([name, value]) => typeof value === 'string' && rankOf(name) >= 0,
  );
  const best = Math.min(...texts.map(([name]) => rankOf(name)));
  const code = isOrder(body)
    ? undefined
    : texts.find(([name, value]) => rankOf(name) === best && reasons.has(value));
  if (code) return code[1];
  return Object.values(body)
    .map((value) =>
      typeof value === 'object' && !(isObject(value) && isOrder(value))
        ? reasonAsCode(value, depth + 1)
        : undefined,
    )
    .find((found) => found !== undefined);
}

const refusalCodes = defineRule({
  id: 'wire.refusal-codes',
  title: 'No refusal has a failure reason of orders for its code',
  requirements: ['error.reasons-are-outcomes'],
  judge(view, findings) {
    for (const call of view.calls) {
      if (!isRefusal(call) || unread.includes(call.status)) continue;
      const spoken = reasonAsCode(call.body);
      findings.assert('error.reasons-are-outcomes', spoken === undefined, call.id, () => ({
        message: 'a refusal carried a failure reason of orders as its code',
        actual: spoken,
      }));
    }
  },
});

export const refusalRules = [refusalBodies, refusalStatus, refusalCodes];
