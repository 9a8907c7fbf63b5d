import { fieldsOf } from '../../../spec/fields.ts';
import { fieldTables, findFieldRequirement } from '../../../spec/requirements/index.ts';
import { describes, fits } from '../wire/resource-fields.ts';
import { isObject, isSet, type JsonObject, textOf } from '../../../protocol/json.ts';
import { jwtPart } from '../../../protocol/jwt.ts';
import { defineRule } from '../../findings.ts';
import type { Call } from '../../trace/calls.ts';
import type { HistoryView } from '../../trace/history-view.ts';

/** A token as it was handed out: the call, its claims, and the result around it. */
export const issuedTokens = (
  view: HistoryView,
): readonly (readonly [Call, JsonObject, JsonObject])[] =>
  view.endpoint('token.create').flatMap((call) => {
    if (!call.ok || !isObject(call.data)) return [];
    const token = textOf(call.data, 'token');
    const found = call.exchange.claims ?? (token && jwtPart(token, 'claims'));
    return found ? [[call, found, call.data] as const] : [];
  });

const claimFacets = fieldsOf(fieldTables.claim).map((field) => ({
  field,
  present: findFieldRequirement('claim', field.name, 'present'),
  form: findFieldRequirement('claim', field.name, 'form'),
}));

/** Forms that RFC 7519 admits besides the plainest one: a list of audiences, and fractions of a second. */
const alsoFits: Readonly<Record<string, (value: unknown) => boolean>> = {
  aud: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  exp: (value) => typeof value === 'number' && value >= 0,
};

/** 5.3. */
export const tokenClaims = defineRule({
  id: 'token.claims',
  title: 'Every token carries its claims in their forms',
  requirements: claimFacets.flatMap(({ present, form }) =>
    [present, form].filter((id) => id !== undefined),
  ),
  judge(view, findings) {
    for (const [call, found] of issuedTokens(view)) {
      for (const { field, present, form } of claimFacets) {
        const value = found[field.name];
        if (present) {
          findings.assert(present, isSet(value), call.id, () => ({
            message: `a token did not carry ${field.name}`,
            evidence: [call.id],
          }));
        }
        if (!form || !isSet(value)) continue;
        const holds = fits(field, value) || alsoFits[field.name]?.(value) === true;
        findings.assert(form, holds, call.id, () => ({
          message: `${field.name} of a token did not have its form`,
          must: describes(field),
          actual: value,
          evidence: [call.id],
        }));
      }
    }
  },
});
