import type { Order, Policy, Quote } from '../../src/reference/core/index.ts';
import type { EndpointName } from '../../src/spec/endpoints.ts';
import type { Pagination } from '../../src/spec/resources.ts';
import type { Role } from '../../src/spec/vocabulary.ts';
import type { Make, Nothing } from './context.ts';

/** Defects in the policy of a world: stored values, and the views of them. */

type Sections = { readonly [K in keyof Policy]?: Partial<Policy[K]> };
type Stored = Policy['stored'];
type OrderAction = keyof Policy['access']['may'];
type Relation = Policy['access']['lists'][number];
type Heard = keyof Policy['events']['recipients'];

/** Other rules: members of the policy's sections are replaced. */
export const rules =
  (change: (policy: Policy) => Sections): Make =>
  () => ({
    policy: (policy) => {
      const merged: Record<string, unknown> = { ...policy };
      for (const [name, section] of Object.entries(change(policy))) {
        merged[name] = { ...policy[name as keyof Policy], ...section };
      }
      return merged as unknown as Policy;
    },
  });

/** Other members of one section of the policy. */
export const rule = <K extends keyof Policy>(
  name: K,
  change: (own: Policy[K]) => Partial<Policy[K]>,
): Make => rules((policy) => ({ [name]: change(policy[name]) }));

const changed = <T extends object>(one: T, members: Partial<T> | Nothing): T =>
  members ? { ...one, ...members } : one;

/** Changes members of a stored order; an empty result stores it unchanged. */
export const storeOrder = (
  members: (...of: Parameters<Stored['order']>) => Partial<Order> | Nothing,
): Make =>
  rules(() => ({
    stored: { order: (after, ...about) => changed(after, members(after, ...about)) },
  }));

/** Changes members of a stored quote; an empty result stores it unchanged. */
export const storeQuote = (
  members: (...of: Parameters<Stored['quote']>) => Partial<Quote> | Nothing,
): Make =>
  rules(() => ({
    stored: { quote: (after, ...about) => changed(after, members(after, ...about)) },
  }));

/** Allows an action to other relations to an order than those of the document. */
export const allow = (action: OrderAction, ...relations: Relation[]): Make =>
  rules(({ access }) => ({ access: { may: { ...access.may, [action]: relations } } }));

const rolesOf = (
  endpoint: EndpointName,
  change: (roles: readonly Role[]) => readonly Role[],
): Make =>
  rules(({ access: { roles } }) => ({
    access: { roles: { ...roles, [endpoint]: change(roles[endpoint]) } },
  }));

/** An endpoint that lets one more role in; its relation to the order is then asked for, as everybody's. */
export const openTo = (endpoint: EndpointName, role: Role): Make =>
  rolesOf(endpoint, (roles) => [...roles, role]);

/** An endpoint that refuses a role that it is for. */
export const shutTo = (endpoint: EndpointName, role: Role): Make =>
  rolesOf(endpoint, (roles) => roles.filter((one) => one !== role));

/** Sends an event to other relations to an order than those of the document. */
export const recipients = (event: Heard, ...relations: Relation[]): Make =>
  rules(({ events }) => ({ events: { recipients: { ...events.recipients, [event]: relations } } }));

/** Changes members of an order in every view of it. */
export const showOrders = (members: (order: Order) => Partial<Order> | Nothing): Make =>
  rules(({ views }) => {
    const seen = (order: Order): Order => changed(order, members(order));
    return {
      views: {
        order: (order) => views.order(seen(order)),
        acceptance: (order) => views.acceptance(seen(order)),
        rfqItem: (order) => views.rfqItem(seen(order)),
        rfqDetail: (order, ...quotes) => views.rfqDetail(seen(order), ...quotes),
      },
    };
  });

type Lists = Policy['lists'];
type Page = Parameters<Lists['pagination']>[0];

/** Pages that begin elsewhere, or hold more or fewer items. */
export const readingPages = (
  { read }: Lists,
  members: (page: Page, query: Parameters<Lists['read']>[0]) => Partial<Page> | Nothing,
): Pick<Lists, 'read'> => ({
  read: (query) => {
    const page = read(query);
    return 'code' in page ? page : changed(page, members(page, query));
  },
});

export const pagesRead = (members: Parameters<typeof readingPages>[1]): Make =>
  rules(({ lists }) => ({ lists: readingPages(lists, members) }));

/** Other totals of lists. */
export const counted = (
  members: (page: Page, total: number) => Partial<Pagination> | Nothing,
): Make =>
  rules(({ lists }) => ({
    lists: {
      pagination: (page, total) => changed(lists.pagination(page, total), members(page, total)),
    },
  }));
