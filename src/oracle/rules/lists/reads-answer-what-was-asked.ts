import { textOf } from '../../../protocol/json.ts';
import { defineRule } from '../../findings.ts';
import { type Call, isDenied, precedes } from '../../trace/calls.ts';

const byPath = {
  'order.quotes': 'order.quotes.only-that-order',
  'rfq.quotes': 'rfq.quotes.only-that-request',
  'order.read': 'order.read.returns-that-order',
  'rfq.read': 'rfq.read.returns-that-request',
  'settlement.read': 'settlement.read.returns-that-settlement',
} as const;

export const readsAnswerWhatWasAsked = defineRule({
  id: 'list.belonging',
  title: 'What is read under the id of an order is of that order',
  requirements: Object.values(byPath),
  judge(view, findings) {
    for (const { via, value, source, call } of view.snapshots) {
      const asked = call?.exchange.params.intent_id;
      const requirement = Object.entries(byPath).find(([endpoint]) => endpoint === via)?.[1];
      const id = textOf(value, 'intent_id');
      if (!requirement || asked === undefined || id === undefined) continue;
      findings.assert(requirement, id.toLowerCase() === asked.toLowerCase(), source, () => ({
        message: `${via} answered with something of another order`,
        fields: ['intent_id'],
        expected: asked,
        actual: id,
        evidence: [source],
      }));
    }
  },
});

/** Reads that nothing in the document takes away again. Requests for quote are left out: they are closed some time. */
const lasting = {
  'order.read': 'order.read.returns-that-order',
  'order.quotes': 'order.quotes.complete',
  'settlement.read': 'settlement.read.returns-that-settlement',
} as const;

/** Key of a request as it was sent, without its token: any difference may be the reason for a refusal. */
const requestOf = ({ exchange: { party, request } }: Call): string =>
  JSON.stringify([party, request.path, Object.keys(request.headers).toSorted(), request.body]);

/** The first two are judged by `list.belonging` and `list.completeness.quotes` as well, of what is answered. */
export const readsStayReadable = defineRule({
  id: 'reads.stay',
  title: 'What a party could read of an order, its quotes and its settlement, it can read later',
  requirements: Object.values(lasting),
  judge(view, findings) {
    for (const endpoint of Object.keys(lasting) as (keyof typeof lasting)[]) {
      const requirement = lasting[endpoint];
      const served = new Map<string, Call>();
      for (const call of view.endpoint(endpoint)) {
        const before = served.get(requestOf(call));
        if (call.ok && call.own) served.set(requestOf(call), before ?? call);
        if (!before || !precedes(before, call) || !(isDenied(call) || (call.ok && call.own)))
          continue;
        findings.assert(requirement, call.ok, call.id, () => ({
          message: `${endpoint} was refused for what the same party had read before`,
          deviation: 'refused',
          must: { answered: '2xx' },
          actual: call.status,
          evidence: [before.id, call.id],
        }));
      }
    }
  },
});
