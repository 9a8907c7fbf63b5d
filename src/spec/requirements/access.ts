import { type EndpointName, endpoints } from '../endpoints.ts';
import { type Role, roles } from '../vocabulary.ts';
import { needsOf } from './needs.ts';
import type { CastName, Needs, Requirement } from './requirement.ts';

/** Endpoints that want a token. */
export type GuardedEndpoint = Exclude<EndpointName, 'token.create' | 'health.read'>;
export const guardedEndpoints = (Object.keys(endpoints) as EndpointName[]).filter(
  (name): name is GuardedEndpoint => endpoints[name].roles.length > 0,
);

type RolesOf<E extends GuardedEndpoint> = (typeof endpoints)[E]['roles'][number];
/** The ids that give endpoints to the roles that they are for. */
export type AllowedId<E extends GuardedEndpoint> = {
  [One in E]: `access.${One}.${RolesOf<One>}-allowed`;
}[E];
/** The ids that keep endpoints from all other roles. */
export type RefusedId<E extends GuardedEndpoint> = {
  [One in E]: `access.${One}.${Exclude<Role, RolesOf<One>>}-refused`;
}[E];
type TokenWanted = `auth.${GuardedEndpoint}.token-required`;

const player: Readonly<Record<Role, CastName>> = {
  institution: 'sender',
  custodian: 'sender_custodian',
  'market-maker': 'maker_a',
};

const operations: Readonly<Record<GuardedEndpoint, string>> = {
  'identity.read': 'ask who its backend is',
  'stats.read': 'read the dashboard stats',
  'order.create': 'create an order',
  'order.list': 'list orders',
  'order.events': 'open the order event stream',
  'order.read': 'read an order',
  'order.cancel': 'cancel an order',
  'order.quotes': 'list the quotes of an order',
  'proposal.accept': 'accept an order proposal',
  'quote.accept': 'accept a quote',
  'rfq.list': 'list requests for quote',
  'rfq.read': 'read a request for quote',
  'quote.submit': 'submit a quote',
  'rfq.quotes': 'list quotes under a request for quote',
  'quote.list': 'list its own quotes over all requests',
  'settlement.list': 'list settlements',
  'settlement.read': 'read a settlement',
  'maker.events': 'open the market maker event stream',
};

/** Needs of an endpoint, with the parties for the order, quote or settlement that it is about. */
const neededFor = (endpoint: GuardedEndpoint, actor: CastName): Needs => {
  const { path } = endpoints[endpoint];
  const cast = new Set<CastName>([actor]);
  if (path.includes('{intent_id}')) cast.add('sender');
  if (path.includes('{quote_id}') || endpoint.startsWith('settlement.')) cast.add('maker_a');
  return needsOf([...cast]);
};

/** Endpoints that part 1.4 does not give to a custodian and part 4 does: gap `access.custodian_extras`. */
const disputed = (endpoint: GuardedEndpoint, role: Role): boolean =>
  role === 'custodian' && (endpoint === 'stats.read' || endpoint === 'order.events');

const byRole = (endpoint: GuardedEndpoint, role: Role): [string, Requirement] => {
  const { part, roles: admitted } = endpoints[endpoint];
  const allowed = (admitted as readonly Role[]).includes(role);
  const owner = part === '4.2' && role === 'custodian' ? '4.3' : part;
  return [
    `access.${endpoint}.${role}-${allowed ? 'allowed' : 'refused'}`,
    {
      part: allowed ? owner : '1.4',
      ...(disputed(endpoint, role)
        ? { level: 'vague', excuse: { gap: 'access.custodian_extras', closes: 'never' } }
        : { level: 'must' }),
      summary: `${role === 'institution' ? 'An' : 'A'} ${role.replace('-', ' ')} ${allowed ? 'may' : 'may not'} ${operations[endpoint]}${
        allowed ? '' : ': a token of that role is refused'
      }.`,
      needs: neededFor(endpoint, player[role]),
      about: { endpoint },
    },
  ];
};

/** Parts 1.4 and 4: every role against every endpoint that wants a token. */
export const accessRequirements = Object.fromEntries(
  guardedEndpoints.flatMap((endpoint) => roles.map((role) => byRole(endpoint, role))),
) as Readonly<Record<AllowedId<GuardedEndpoint> | RefusedId<GuardedEndpoint>, Requirement>>;

/** Part 5.1: every endpoint but two wants a token. */
export const tokenRequirements = Object.fromEntries(
  guardedEndpoints.map((endpoint) => [
    `auth.${endpoint}.token-required`,
    {
      part: '5.1',
      level: 'must',
      summary: `Without a token nobody may ${operations[endpoint]}.`,
      needs: needsOf([player[endpoints[endpoint].roles[0]]]),
      about: { endpoint, token: true },
    },
  ]),
) as unknown as Readonly<Record<TokenWanted, Requirement>>;
