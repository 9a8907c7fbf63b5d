import { groupBy } from '../../../history/group-by.ts';
import { defineRule, type Findings } from '../../findings.ts';
import { type Call, isRefusal, precedes, sentOnly, wronglyRefused } from '../../trace/calls.ts';
import { issuedTokens } from './tokens-and-their-claims.ts';

const requirements = ['token.create.no-token-needed', 'token.create.no-body-needed'] as const;

/** Headers of a request that asks for nothing in particular. */
const usualHeaders: readonly string[] = [
  'accept',
  'authorization',
  'content-length',
  'content-type',
  'host',
  'user-agent',
];

/** True for a request without a parameter or header that part 4.1 does not name: a backend may refuse unknown ones. */
const isPlain = ({ exchange: { auth, query, request } }: Call): boolean =>
  auth === 'none' && Object.keys(query).length === 0 && sentOnly(request, usualHeaders);

const isBare = (call: Call): boolean => call.exchange.request.body === undefined;

/** Asked to come later, not refused. */
const isTooEarly = ({ status }: Call): boolean => status === 408 || status === 425;

/** Refused for the form of the request; any other refusal may mean that tokens come from elsewhere. */
const isRefusedForForm = ({ status }: Call): boolean =>
  status === 400 || status === 411 || status === 415 || status === 422;

/**
 * A backend may have no tokens to give at all (gap `token.endpoint`). One that has given a token gives the next to the
 * same request: part 5.4 wants it asked for while the last is still good. It must give it without a body.
 */
const tokenIssuedAgain = defineRule({
  id: 'token.issue',
  title: 'A backend that has tokens for its party gives one whenever it asks, without a body',
  requirements,
  judge(view, findings) {
    const plain = view.endpoint('token.create').filter(isPlain);
    for (const calls of groupBy(plain, ({ party }) => party).values()) {
      const bare = calls.filter(isBare);
      const first = bare.find(({ ok }) => ok);
      if (first) judgeNext(first, bare, findings);
      else judgeBody(calls, findings);
    }
  },
});

type OwnFindings = Findings<(typeof requirements)[number]>;

function judgeNext(first: Call, bare: readonly Call[], findings: OwnFindings): void {
  const refused = bare.find(
    (call) => precedes(first, call) && isRefusal(call) && !isTooEarly(call),
  );
  if (!refused) for (const requirement of requirements) findings.pass(requirement, first.id);
  else
    findings.fail(requirements, {
      message: 'a token was refused though one was had before in the same way',
      ...wronglyRefused(refused),
      evidence: [first.id, refused.id],
    });
}

/** Judges a party that got no token without a body: it got one with a body, or was refused with a body too. */
function judgeBody(calls: readonly Call[], findings: OwnFindings): void {
  const refused = calls.find((call) => isBare(call) && isRefusedForForm(call));
  const bodied = calls.filter((call) => !isBare(call));
  const other = bodied.find(({ ok }) => ok) ?? bodied.find(isRefusedForForm);
  if (!refused || !other) return;
  findings.fail('token.create.no-body-needed', {
    message: other.ok
      ? 'a token was had with a body, and was refused without one'
      : 'a token was refused for the form of the request, without a body as with one',
    ...wronglyRefused(refused),
    evidence: [refused.id, other.id],
  });
}

/** True for a request with the party's own token and nothing else that could be refused. */
const isOwnAndPlain = ({ exchange }: Call): boolean =>
  exchange.auth === 'own' && Object.keys(exchange.query).length === 0;

/** 5.4. It is not known which of its tokens a party sent: none expires before the first one. */
const tokenLastsUntilExpiry = defineRule({
  id: 'token.lasts',
  title: 'A token that was honoured once is honoured until it expires',
  requirements: ['auth.token-lasts-until-expiry'],
  judge(view, findings) {
    const ends = new Map<string, number>();
    for (const [{ party }, { exp }] of issuedTokens(view)) {
      if (typeof exp !== 'number') continue;
      ends.set(party, Math.min(exp * 1_000, ends.get(party) ?? Number.POSITIVE_INFINITY));
    }
    const plain = view.endpoint('identity.read').filter(isOwnAndPlain);
    for (const [party, calls] of groupBy(plain, (call) => call.party)) {
      const first = calls.find(({ ok }) => ok);
      const end = ends.get(party);
      if (!first || end === undefined) continue;
      for (const call of calls) {
        const isLater = precedes(first, call) && view.clock.before(call, end);
        if (!isLater || (!call.ok && call.status !== 401)) continue;
        findings.assert('auth.token-lasts-until-expiry', call.ok, call.id, () => ({
          message: 'a token that had not expired was refused',
          ...wronglyRefused(call),
          evidence: [first.id, call.id],
        }));
      }
    }
  },
});

export const tokenIssueRules = [tokenIssuedAgain, tokenLastsUntilExpiry];
