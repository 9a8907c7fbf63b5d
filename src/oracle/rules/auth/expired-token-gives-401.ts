import { guardedEndpoints } from '../../../spec/requirements/index.ts';
import { defineRule } from '../../findings.ts';
import { type Call, isRefusal, resultKindOf } from '../../trace/calls.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import { isFor } from './wrong-role-refused.ts';

/** A backend may have no more endpoints than those of its role (gap `access.wrong_role`): others want no token. */
const missingStatuses: readonly (number | undefined)[] = [404, 405, 501];

/** True if the endpoint served the party at some time with its own token, which shows that the endpoint exists. */
const servesOwnToken = (view: HistoryView, { endpoint, party }: Call): boolean =>
  endpoint !== undefined &&
  view
    .endpoint(endpoint)
    .some((call) => call.ok && call.exchange.auth === 'own' && call.party === party);

/** Part 5.4 and 7.1. */
export const expiredTokenGives401 = defineRule({
  id: 'access.expired-tokens',
  title: 'An expired token gives 401',
  requirements: ['auth.expired-token-401'],
  judge(view, findings) {
    // Stream authentication is open (gap `stream.auth`): unless it is by the header, only a refusal is certain.
    const byHeader = view.context.answers('stream.auth') !== undefined;
    for (const endpoint of guardedEndpoints) {
      for (const call of view.endpoint(endpoint)) {
        const { auth, role } = call.exchange;
        if (!auth.startsWith('expired')) continue;
        // Neither a 429 nor a 5xx has looked at the token.
        if (!call.ok && !isRefusal(call)) continue;
        const isOpen = resultKindOf(call) === 'stream' && !byHeader;
        const holds = call.status === 401 || (isOpen && !call.ok);
        if (!holds && !call.ok) {
          const isAbsent = isFor(endpoint, role)
            ? !servesOwnToken(view, call)
            : missingStatuses.includes(call.status);
          if (isAbsent) continue;
        }
        findings.assert('auth.expired-token-401', holds, call.id, () => ({
          message: `${endpoint} answered ${call.status} to an expired token`,
          deviation: call.ok ? 'let through' : 'other status',
          expected: 401,
          actual: call.status,
          evidence: [call.id],
        }));
      }
    }
  },
});
