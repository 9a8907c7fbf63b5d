import type { Order, PartyRecord } from '../../src/reference/core/index.ts';
import type { Role } from '../../src/spec/vocabulary.ts';
import type { Asking, Make, Nothing, Request, Where } from './context.ts';
import { asking, covers } from './context.ts';
import { senderCustodianOf, senderOf } from './reading.ts';
import type { Json } from './values.ts';

/** Defects in what becomes of a request before the core sees it. */

/** A request becomes another; nothing leaves it as it is. */
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

/** Fields of a body are taken for something else; nothing leaves the body as it is. */
export const setBody = (
  where: Where,
  fields: (body: Json, context: Asking) => Json | Nothing,
): Make =>
  requests(where, (request, context) => {
    const body = (request.body ?? {}) as Json;
    const changed = fields(body, context);
    return changed && { ...request, body: { ...body, ...changed } };
  });

/** Requests whose path is lost, so that nothing is found. */
export const lost = (where: Where, isLost: (context: Asking) => unknown): Make =>
  requests(where, (request, context) => (isLost(context) ? { ...request, params: {} } : undefined));

/** Requests that are never answered but with 404, whatever they ask for. */
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

/** Lets a request pass as if somebody else had sent it. */
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

/** The same, as if it were the custodian of the sender. */
export const asSenderCustodian = actingFor(senderCustodianOf);
