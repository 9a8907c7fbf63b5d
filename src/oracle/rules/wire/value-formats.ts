import { eventKind } from '../../../protocol/event-payload.ts';
import { type FormName, hasForm } from '../../../spec/forms.ts';
import { heartbeat } from '../../../spec/events.ts';
import { namesOfForm } from '../../../spec/resources.ts';
import { isObject, isSet, visit } from '../../../protocol/json.ts';
import { oncePerObject } from '../../once-per-object.ts';
import { defineRule } from '../../findings.ts';
import { results } from './envelope.ts';

const timestamps = {
  requirement: 'convention.timestamps',
  form: 'timestamp',
  says: 'an ISO 8601 UTC time with milliseconds',
} as const;
const amounts = {
  requirement: 'convention.amounts-as-strings',
  form: 'decimal',
  says: 'a decimal number in a string',
} as const;
const ids = {
  requirement: 'convention.ids-are-uuids',
  form: 'uuid',
  says: 'a UUID string',
} as const;
const parties = {
  requirement: 'convention.parties',
  form: 'party',
  says: '<Name>::<hex>',
} as const;
const currencies = {
  requirement: 'convention.currencies',
  form: 'currency',
  says: 'a currency code in a string',
} as const;

const all = [timestamps, amounts, ids, parties, currencies] as const;

/** The convention that binds a member of a name, at whatever depth. Only names that the document uses. */
const byName = new Map(
  all.flatMap((one) => namesOfForm(one.form).map((name) => [name, one] as const)),
);

type Requirement = (typeof all)[number]['requirement'];

/** A message whole, or what it has as its data apart from what is around that. */
function partsOf(message: unknown): readonly object[] {
  if (!isObject(message)) return typeof message === 'object' && message !== null ? [message] : [];
  const items = [message['data']].flat();
  return items.every(isObject) ? [{ ...message, data: undefined }, ...items] : [message];
}

export const valueFormats = defineRule({
  id: 'conventions',
  title:
    'Moments, amounts, ids, parties and currencies have their forms at any depth of any message',
  requirements: all.map(({ requirement }) => requirement),
  judge(view, findings) {
    // The same moments and parties turn up over and over, and a calendar is dear to ask.
    const known = new Map<FormName, Map<unknown, boolean>>(
      all.map(({ form }) => [form, new Map()]),
    );
    const fits = (form: FormName, value: unknown): boolean => {
      const before = known.get(form)?.get(value);
      if (before !== undefined) return before;
      const now = hasForm(form, value);
      known.get(form)?.set(value, now);
      return now;
    };
    const parts = oncePerObject(findings);
    const look = (source: string, message: unknown): void => {
      for (const part of partsOf(message)) parts.judge(part, source, () => lookInto(source, part));
    };
    const lookInto = (source: string, part: object) => {
      const passed: Requirement[] = [];
      let failed = false;
      visit(part, (name, value) => {
        const convention = byName.get(name);
        if (!convention || !isSet(value) || Array.isArray(value)) return;
        const { requirement } = convention;
        if (fits(convention.form, value)) passed.push(requirement);
        else if (!view.wasSent(value)) {
          failed = true;
          findings.fail(requirement, {
            message: `${name} did not keep the convention`,
            expected: convention.says,
            actual: value,
            evidence: [source],
          });
        }
      });
      return { passed, failed };
    };
    for (const call of view.once(results)) look(call.id, call.body);
    for (const stream of view.streams) {
      for (const { frame } of stream.frames) {
        if (frame.event !== heartbeat && eventKind(frame.event)) look(frame.id, frame.data);
      }
    }
    parts.count();
  },
});
