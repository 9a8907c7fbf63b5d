import { faultOf, wordsForFault } from '../faults/faults.ts';
import { type EndpointName, endpoints } from '../spec/endpoints.ts';
import { fieldsOf } from '../spec/fields.ts';
import { hasForm } from '../spec/forms.ts';
import { OrderRequest } from '../spec/resources.ts';
import { formatDuration } from '../yaml/index.ts';
import type { WrittenStep } from './collapse-repeats.ts';
import {
  literal,
  type Matcher,
  matcherAt,
  type ScenarioNames,
  valueOf,
} from './scenario-values.ts';
import { type CallStep, type Claim, type NamedStep, type Template, wasGranted } from './steps.ts';

/** Actions of the scenario language by endpoint. Other endpoints are called with `request`. */
const words: { readonly [name in EndpointName]?: string } = {
  'token.create': 'get token',
  'order.create': 'create order',
  'order.read': 'read order',
  'order.cancel': 'cancel order',
  'proposal.accept': 'accept proposal',
  'quote.accept': 'accept quote',
  'quote.submit': 'submit quote',
};

/**
 * True for a step that prepares the situation: it was granted, other steps depend on it, and no claim allows a refusal.
 */
const mustBeGranted = (step: CallStep, claims: readonly Claim[]): boolean =>
  wasGranted(step) && !step.mayBeRefused && !claims.some((one) => 'orRefused' in one);

/** True if a scenario action expresses the whole request: it has only values that the action fills in or accepts. */
export function isPlainAction(step: CallStep): boolean {
  const { recorded, headers, body } = step;
  const { endpoint, query } = recorded;
  if (!endpoint || !words[endpoint]) return false;
  if (Object.keys(headers).length > 0 || Object.keys(query).length > 0) return false;
  if (typeof step.token === 'object' && step.token.kind === 'header') return false;
  if (
    !endpoints[endpoint].roles.some((role) => role === recorded.role) &&
    endpoint !== 'token.create'
  )
    return false;
  if (endpoint === 'order.create') return body?.kind === 'object';
  if (endpoint === 'quote.submit') {
    return body?.kind === 'object' && step.intentId?.kind === 'answer';
  }
  const named = [step.intentId, step.quoteId].filter((one) => one !== undefined);
  return body === undefined && named.every(({ kind }) => kind === 'answer');
}

export interface CallWriting {
  readonly names: ScenarioNames;
  readonly used: ReadonlySet<string>;
  /** True if this call needs an assertion: a scenario must have one, and this one leaves the judgement to the rules. */
  readonly needsOne: boolean;
}

export function callSteps(
  step: CallStep,
  claims: readonly Claim[],
  { names, used, needsOne }: CallWriting,
): readonly WrittenStep[] {
  const isAction = names.actions.has(step.name);
  const action = isAction ? words[step.recorded.endpoint as EndpointName] : 'request';
  const status = claims.find((claim) => claim.kind === 'status');
  const whole = wholeAnswer(claims, names) ?? (needsOne && { status: { at_least: 200 } });
  const refused = refusalOf(step, claims, isAction);
  const call = {
    [step.party]: action,
    ...(isAction ? actionKeys(step, names) : requestKeys(step, names)),
    ...(step.token !== step.party &&
      step.recorded.endpoint !== 'token.create' && { token: credentialText(step.token) }),
    ...(status?.must === 'be refused' ? { refused: '4xx' } : refused && { refused }),
    ...(used.has(step.name) && { save: step.name }),
    ...(step.patienceMs !== undefined && { eventually: formatDuration(step.patienceMs) }),
    ...(whole && { whole_answer: whole }),
  };
  return step.control ? [{ fault: wordsForFault(faultOf[step.control]) }, call] : [call];
}

/** The refusal that an action admits beside its success. */
function refusalOf(
  step: CallStep,
  claims: readonly Claim[],
  isAction: boolean,
): 503 | 'maybe' | undefined {
  if (!isAction) return undefined;
  const status = claims.find((claim) => claim.kind === 'status');
  if (!status && step.recorded.response?.status === 503) return 503;
  return status?.must === 'succeed' || mustBeGranted(step, claims) ? undefined : 'maybe';
}

export function credentialText(token: CallStep['token']): string {
  if (token === 'none' || (typeof token === 'object' && token.kind === 'header')) return 'none';
  if (typeof token === 'string') return `$${token}.token`;
  if (token.kind === 'issued') return `$${token.step}`;
  if (token.kind === 'unsigned') return `\${unsigned(${token.party}.token)}`;
  if (token.kind === 'signed') {
    return `\${signed(${token.party}.token, ${claimsName(token.claims)})}`;
  }
  if (token.kind === 'first' || token.kind === 'expired') return `$${firstToken(token.party)}`;
  const before = token.after === undefined ? '' : `\${${token.after}.token}`;
  return `${before}${token.text}`;
}

const firstToken = (party: string): string => `first_token_of_${party}`;

/** Name of a set of changed token claims, made of the claims: `other_aud_svc_api2`. */
const claimsName = (claims: Readonly<Record<string, unknown>>): string =>
  ['other', ...Object.entries(claims).flat().map(String)].join('_').replaceAll(/\W+/g, '_');

/** Steps that save the tokens that must expire, and the claims of signed tokens. */
export function tokenSteps(calls: readonly NamedStep[]): readonly WrittenStep[] {
  const values = new Map<string, unknown>();
  for (const { token } of calls) {
    if (typeof token !== 'object') continue;
    if (token.kind === 'first' || token.kind === 'expired')
      values.set(firstToken(token.party), `$${token.party}.token`);
    else if (token.kind === 'signed') values.set(claimsName(token.claims), literal(token.claims));
  }
  return [...values].map(([name, value]) => ({ let: { [name]: value } }));
}

const refusal = { status: { at_least: 400, below: 500 } };

function wholeAnswer(claims: readonly Claim[], names: ScenarioNames): Matcher {
  for (const claim of claims) {
    if (claim.kind === 'status') {
      if (claim.must === 'be refused') continue;
      if (claim.must === 'succeed') return { status: { at_least: 200, below: 300 } };
      if (claim.must === 'be answered')
        return { status: { below: 500, not: { at_least: 300, below: 400 } } };
      return { status: claim.must };
    }
    if (claim.kind !== 'value') continue;
    const holds = matcherAt([claim.of, ...claim.path], claim.test, names);
    return claim.orRefused ? { any_of: [refusal, holds] } : holds;
  }
  return undefined;
}

function actionKeys(step: CallStep, names: ScenarioNames): WrittenStep {
  const { endpoint } = step.recorded;
  if (endpoint === 'order.create') return orderKeys(step, names);
  if (endpoint === 'quote.submit') return quoteKeys(step, names);
  return {
    ...(step.quoteId && { quote: valueOf(step.quoteId, names) }),
    ...(step.intentId && { of: valueOf(step.intentId, names) }),
  };
}

/** Values that the party did not choose are filled in, as for every order of a scenario. */
function orderKeys({ body }: CallStep, names: ScenarioNames): WrittenStep {
  if (body?.kind !== 'object') return {};
  const sent = new Set(body.fields.map(([name]) => name));
  const said = body.fields.filter(([, value]) => value.kind !== 'fresh');
  const known = new Set(fieldsOf(OrderRequest).map(({ name }) => name));
  const isUsual = ([name, value]: readonly [string, Template]): boolean =>
    known.has(name) &&
    (value.kind !== 'plain' || typeof value.value === 'string') &&
    !(name.includes('amount') && value.kind === 'plain' && !hasForm('decimal', value.value));
  const left = [...known].filter((name) => !sent.has(name));
  const object = (fields: typeof said) => valueOf({ kind: 'object', fields }, names);
  const odd = said.filter((field) => !isUsual(field));
  return {
    with: object(said.filter(isUsual)),
    ...(odd.length > 0 && { as_is: object(odd) }),
    ...(left.length > 0 && { without: left }),
  };
}

function quoteKeys({ body, intentId }: CallStep, names: ScenarioNames): WrittenStep {
  if (body?.kind !== 'object' || !intentId) return {};
  const order = intentId.kind === 'answer' ? `$${intentId.step}` : valueOf(intentId, names);
  return { for: order, as_is: valueOf(body, names) };
}

function requestKeys(step: CallStep, names: ScenarioNames): WrittenStep {
  const { recorded, path, headers, body, token } = step;
  const { method, body: sent } = recorded.request;
  const said: Record<string, unknown> = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, literal(value)]),
  );
  if (typeof token === 'object' && token.kind === 'header')
    said[token.header] = token.parts.join(`\${${token.party}.token}`);
  return {
    method,
    path: valueOf(path, names),
    ...(Object.keys(said).length > 0 && { headers: said }),
    ...(body && { [typeof sent === 'string' ? 'raw_body' : 'body']: valueOf(body, names) }),
  };
}
