import { type EndpointName, endpoints } from '../spec/endpoints.ts';
import { fieldsOf } from '../spec/fields.ts';
import { hasForm } from '../spec/forms.ts';
import type { ControlName } from '../spec/requirements/requirement.ts';
import { OrderRequest } from '../spec/resources.ts';
import { formatDuration } from '../yaml/index.ts';
import {
  matcherText,
  nested,
  plainText,
  type ScenarioNames,
  valueText,
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

/** The faults that stand for the controls of a target. */
const faults: { readonly [name in ControlName]: string } = {
  fail_settlement: 'revert leg 4',
  stall_settlement: 'stall settlement',
  withdraw_order: 'withdraw order',
  fail_validation: 'fail validation',
};

export interface CallWriting {
  readonly names: ScenarioNames;
  readonly used: ReadonlySet<string>;
  /** True if this call needs an assertion: a scenario must have one, and this one leaves the judgement to the rules. */
  readonly needsOne: boolean;
}

export function callLines(
  step: CallStep,
  claims: readonly Claim[],
  writing: CallWriting,
): string[] {
  const { names, used, needsOne } = writing;
  const isAction = names.actions.has(step.name);
  const rest = isAction ? actionKeys(step, names) : requestKeys(step, names);
  if (step.token !== step.party && step.recorded.endpoint !== 'token.create') {
    rest.push(`token: ${credentialText(step.token)}`);
  }
  const status = claims.find((claim) => claim.kind === 'status');
  if (status?.must === 'be refused') rest.push('refused: 4xx');
  else if (isAction && status === undefined && step.recorded.response?.status === 503) {
    rest.push('refused: 503');
  } else if (isAction && status?.must !== 'succeed' && !mustBeGranted(step, claims)) {
    rest.push('refused: maybe');
  }
  if (used.has(step.name)) rest.push(`save: ${step.name}`);
  if (step.patienceMs !== undefined) rest.push(`eventually: ${formatDuration(step.patienceMs)}`);
  const whole = wholeAnswer(claims, names);
  if (whole.length > 0) rest.push(...whole);
  else if (needsOne) rest.push('whole_answer: { status: { at_least: 200 } }');
  const action = isAction ? words[step.recorded.endpoint as EndpointName] : 'request';
  const fault = step.control ? [`- fault: ${faults[step.control]}`] : [];
  return [...fault, `- ${step.party}: ${action}`, ...rest.map((line) => `  ${line}`)];
}

export function credentialText(token: CallStep['token']): string {
  if (token === 'none' || (typeof token === 'object' && token.kind === 'header')) return 'none';
  if (typeof token === 'string') return `$${token}.token`;
  if (token.kind === 'issued') return `$${token.step}`;
  if (token.kind === 'unsigned') return JSON.stringify(`\${unsigned(${token.party}.token)}`);
  if (token.kind === 'signed') {
    return JSON.stringify(`\${signed(${token.party}.token, ${claimsName(token.claims)})}`);
  }
  if (token.kind === 'first' || token.kind === 'expired') return `$${firstToken(token.party)}`;
  const before = token.after === undefined ? '' : `\${${token.after}.token}`;
  return JSON.stringify(`${before}${token.text}`);
}

const firstToken = (party: string): string => `first_token_of_${party}`;

/** Name of a set of changed token claims, made of the claims: `other_aud_svc_api2`. */
const claimsName = (claims: Readonly<Record<string, unknown>>): string =>
  ['other', ...Object.entries(claims).flat().map(String)].join('_').replaceAll(/\W+/g, '_');

/** Lines that save the tokens that must expire, and the claims of signed tokens. */
export const tokenLines = (calls: readonly NamedStep[]): string[] => {
  const lines = calls.flatMap(({ token }) => {
    if (typeof token !== 'object') return [];
    if (token.kind === 'first' || token.kind === 'expired') {
      return [`${firstToken(token.party)}: $${token.party}.token`];
    }
    if (token.kind !== 'signed') return [];
    return [`${claimsName(token.claims)}: ${plainText(token.claims)}`];
  });
  return [...new Set(lines)].map((line) => `- let: { ${line} }`);
};

const refusal = '{ status: { at_least: 400, below: 500 } }';

function wholeAnswer(claims: readonly Claim[], names: ScenarioNames): string[] {
  const matchers = claims.flatMap((claim): string[] => {
    if (claim.kind === 'status') {
      if (claim.must === 'be refused') return [];
      if (claim.must === 'succeed') return ['{ status: { at_least: 200, below: 300 } }'];
      if (claim.must === 'be answered') {
        return ['{ status: { below: 500, not: { at_least: 300, below: 400 } } }'];
      }
      return [`{ status: ${claim.must} }`];
    }
    if (claim.kind !== 'value') return [];
    const holds = nested([claim.of, ...claim.path], matcherText(claim.test, names), names);
    return [claim.orRefused ? `{ any_of: [${refusal}, ${holds}] }` : holds];
  });
  return matchers.slice(0, 1).map((matcher) => `whole_answer: ${matcher}`);
}

function actionKeys(step: CallStep, names: ScenarioNames): string[] {
  const { endpoint } = step.recorded;
  if (endpoint === 'order.create') return orderKeys(step, names);
  if (endpoint === 'quote.submit') return quoteKeys(step, names);
  return [
    ...(step.quoteId ? [`quote: ${valueText(step.quoteId, names)}`] : []),
    ...(step.intentId ? [`of: ${valueText(step.intentId, names)}`] : []),
  ];
}

/** Values that the party did not choose are filled in, as for every order of a scenario. */
function orderKeys({ body }: CallStep, names: ScenarioNames): string[] {
  if (body?.kind !== 'object') return [];
  const sent = new Set(body.fields.map(([name]) => name));
  const said = body.fields.filter(([, value]) => value.kind !== 'fresh');
  const known = new Set(fieldsOf(OrderRequest).map(({ name }) => name));
  const isUsual = ([name, value]: readonly [string, Template]): boolean =>
    known.has(name) &&
    (value.kind !== 'plain' || typeof value.value === 'string') &&
    !(name.includes('amount') && value.kind === 'plain' && !hasForm('decimal', value.value));
  const left = [...known].filter((name) => !sent.has(name));
  const text = (fields: typeof said): string => valueText({ kind: 'object', fields }, names);
  const odd = said.filter((field) => !isUsual(field));
  return [
    `with: ${text(said.filter(isUsual))}`,
    ...(odd.length > 0 ? [`as_is: ${text(odd)}`] : []),
    ...(left.length > 0 ? [`without: [${left.join(', ')}]`] : []),
  ];
}

function quoteKeys({ body, intentId }: CallStep, names: ScenarioNames): string[] {
  if (body?.kind !== 'object' || !intentId) return [];
  const order = intentId.kind === 'answer' ? `$${intentId.step}` : valueText(intentId, names);
  return [`for: ${order}`, `as_is: ${valueText(body, names)}`];
}

function requestKeys(step: CallStep, names: ScenarioNames): string[] {
  const { recorded, path, headers, body, token } = step;
  const { method } = recorded.request;
  const sent = Object.entries(headers).map(
    ([name, value]) => `${JSON.stringify(name)}: ${valueText({ kind: 'plain', value }, names)}`,
  );
  if (typeof token === 'object' && token.kind === 'header') {
    const text = token.parts.join(`\${${token.party}.token}`);
    sent.push(`${JSON.stringify(token.header)}: ${JSON.stringify(text)}`);
  }
  const isRaw = typeof recorded.request.body === 'string';
  return [
    `method: ${method}`,
    `path: ${valueText(path, names)}`,
    ...(sent.length > 0 ? [`headers: { ${sent.join(', ')} }`] : []),
    ...(body ? [`${isRaw ? 'raw_body' : 'body'}: ${valueText(body, names)}`] : []),
  ];
}
