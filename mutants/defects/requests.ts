import type { Order, PartyRecord } from '../../src/reference/core/index.ts';
import type {
  AdmissionContext,
  TamperContext,
  TokenCheck,
  TokenRefusal,
} from '../../src/reference/http/index.ts';
import type { EndpointName } from '../../src/spec/endpoints.ts';
import type { Role } from '../../src/spec/vocabulary.ts';
import {
  type Asking,
  type Make,
  type Nothing,
  type Request,
  type Where,
  asking,
  covers,
} from './context.ts';
import { senderCustodianOf, senderOf } from './reading.ts';
import type { Json } from './values.ts';

/** Defects that change a request before the core sees it. */

/** Replaces a request; an empty result leaves it unchanged. */
export const requests =
  (where: Where, change: (request: Request, context: Asking) => Request | Nothing): Make =>
  () => ({
    command: (command, context) =>
      command.type === 'request' && covers(where, command.endpoint)
        ? change(command, asking(command, context)) || command
        : command,
  });

/** Another path. */
export const setParams = (
  where: Where,
  params: (context: Asking) => Partial<Request['params']> | Nothing,
): Make =>
  requests(where, (request, context) => {
    const changed = params(context);
    return changed && { ...request, params: { ...request.params, ...changed } };
  });

/** Changes fields of a request body; an empty result leaves it unchanged. */
export const setBody = (
  where: Where,
  fields: (body: Json, context: Asking) => Json | Nothing,
): Make =>
  requests(where, (request, context) => {
    const body = (request.body ?? {}) as Json;
    const changed = fields(body, context);
    return changed && { ...request, body: { ...body, ...changed } };
  });

/** Loses the path parameters of a request, so that nothing is found. */
export const lost = (where: Where, isLost: (context: Asking) => unknown): Make =>
  requests(where, (request, context) => (isLost(context) ? { ...request, params: {} } : undefined));

/** Hides a request from the core: it is answered with 404, whatever it asks for. */
export const ignored =
  (where: Where, isIgnored: (context: Asking) => unknown): Make =>
  () => ({
    command: (command, context) =>
      command.type === 'request' &&
      covers(where, command.endpoint) &&
      isIgnored(asking(command, context))
        ? undefined
        : command,
  });

/** Treats a request as if another party had sent it. */
export const actingAs = (
  where: Where,
  whom: (context: Asking, order: Order | undefined) => PartyRecord | Nothing,
): Make =>
  requests(where, (request, context) => {
    const caller = whom(context, context.order);
    return caller && { ...request, caller };
  });

type Admits = (order: Order, context: Asking) => unknown;

const actingFor =
  (owner: (order: Order) => PartyRecord) =>
  (where: Where, role: Role, admits: Admits = () => true): Make =>
    actingAs(where, (context, order) => {
      const isLetIn = order && context.caller.role === role && admits(order, context);
      return isLetIn ? owner(order) : undefined;
    });

/** Lets any party of a role act on an order as if it were its sender. */
export const asSender = actingFor(senderOf);

/** Lets any party of a role act on an order as if it were the custodian of the sender. */
export const asSenderCustodian = actingFor(senderCustodianOf);

/** Defects in tokens: whether they are required, which claims are verified, and which they contain. */

type Decided = 'admitted' | TokenRefusal;

/** Another decision over a token than the gate's; undefined leaves it. */
export const gate =
  (admits: (decided: Decided, context: AdmissionContext) => boolean | undefined): Make =>
  () => ({ admits });

/** Lets some of the tokens pass that are refused for one reason. */
export const pass = (refusal: TokenRefusal, when: (context: AdmissionContext) => boolean): Make =>
  gate((decided, context) => (decided === refusal && when(context) ? true : undefined));

/** Lets them pass at some endpoints. */
export const lenient = (refusal: TokenRefusal, ...where: readonly EndpointName[]): Make =>
  pass(refusal, ({ endpoint }) => endpoint !== undefined && where.includes(endpoint));

/** Refuses some of the tokens that are good. */
export const bar = (when: (context: AdmissionContext) => boolean): Make =>
  gate((decided, context) => (decided === 'admitted' && when(context) ? false : undefined));

/** Endpoints that want no token. */
export const unguarded =
  (...where: EndpointName[]): Make =>
  () => ({ authRequired: (endpoint) => (where.includes(endpoint) ? false : undefined) });

/** Checks of a token that are left out. */
export const unchecked =
  (...skip: TokenCheck[]): Make =>
  () => ({ verify: { skip } });

/** Other claims of tokens, without the checks that would stumble over them; undefined leaves a claim out. */
export const claims =
  (change: (own: Json, context: TamperContext) => Json | Nothing, ...skip: TokenCheck[]): Make =>
  () => ({
    claims: (own, context) => {
      const all = Object.entries({ ...own, ...change(own, context) });
      return Object.fromEntries(all.filter(([, value]) => value !== undefined));
    },
    verify: { skip },
  });
