import { eventKind } from '../../../protocol/event-payload.ts';
import type { FormName } from '../../../spec/forms.ts';
import { heartbeat } from '../../../spec/events.ts';
import { namesOfForm } from '../../../spec/resources.ts';
import { isObject, isSet, textOf, visit } from '../../../protocol/json.ts';
import type { Call } from '../../trace/calls.ts';
import { oncePerObject } from '../../once-per-object.ts';
import { defineRule } from '../../findings.ts';
import { results } from './envelope.ts';
import { formCache } from './form-cache.ts';

const conventions = [
  ['convention.timestamps', 'timestamp', 'an ISO 8601 UTC time with milliseconds'],
  ['convention.amounts-as-strings', 'decimal', 'a decimal number in a string'],
  ['convention.ids-are-uuids', 'uuid', 'a UUID string'],
  ['convention.parties', 'party', '<Name>::<hex>'],
  ['convention.currencies', 'currency', 'a currency code in a string'],
] as const satisfies readonly (readonly [string, FormName, string])[];

/** The convention for each member name, at any depth. Only names that the document uses. */
const byName = new Map(
  conventions.flatMap((one) => namesOfForm(one[1]).map((name) => [name, one] as const)),
);

type Requirement = (typeof conventions)[number][0];

/** Parts of a message that are judged one by one: its envelope and each item of its data, or the whole message. */
function partsOf(message: unknown): readonly object[] {
  if (!isObject(message)) return typeof message === 'object' && message !== null ? [message] : [];
  const items = [message['data']].flat();
  return items.every(isObject) ? [{ ...message, data: undefined }, ...items] : [message];
}

/**
 * The object that names the order of a part: the part itself, or an object within it, as in an event that wraps one.
 */
function namedWithin(part: object): object {
  let named: object | undefined;
  visit(part, (_, value) => {
    if (!named && isObject(value) && textOf(value, 'intent_id') !== undefined) named = value;
  });
  return named ?? part;
}

export const valueFormats = defineRule({
  id: 'conventions',
  title:
    'Timestamps, amounts, ids, parties and currencies have their forms at any depth of any message',
  requirements: conventions.map(([requirement]) => requirement),
  judge(view, findings) {
    const fits = view.once(formCache);
    const parts = oncePerObject(findings);
    const look = (source: string, message: unknown, call?: Call): void => {
      for (const part of partsOf(message))
        parts.judge(part, source, () => lookInto(source, part, call));
    };
    const lookInto = (source: string, part: object, call: Call | undefined) => {
      const at = { value: namedWithin(part), call };
      const passed: Requirement[] = [];
      let failed = false;
      visit(part, (name, value) => {
        const convention = byName.get(name);
        if (!convention || !isSet(value) || Array.isArray(value)) return;
        const [requirement, form, words] = convention;
        if (fits(form, value)) passed.push(requirement);
        else if (view.answersForForm(name, at)) {
          failed = true;
          findings.fail(requirement, {
            message: `${name} did not keep the convention`,
            fields: [name],
            must: { words },
            actual: value,
            evidence: [source],
          });
        }
      });
      return { passed, failed };
    };
    for (const call of view.once(results)) look(call.id, call.body, call);
    for (const stream of view.streams) {
      for (const { frame } of stream.frames) {
        if (frame.event !== heartbeat && eventKind(frame.event)) look(frame.id, frame.data);
      }
    }
    parts.count();
  },
});
