import { describe, expect, it } from 'vitest';
import { orderOf, quotesOf } from '../../src/reference/core/state-queries.ts';
import type { Tamper } from '../../src/reference/http/index.ts';
import { ranOn } from '../../test/support/tampered.ts';
import { accessChecks } from './index.ts';

type Asked = Parameters<NonNullable<Tamper['command']>>;

/** Treats other callers as the sender of the order. */
const passesForSender = (endpoint: string, when: (...asked: Asked) => boolean): Tamper => ({
  command(command, context) {
    if (command.type !== 'request' || command.endpoint !== endpoint) return command;
    const order = orderOf(context.state, command.params.intent_id ?? '');
    if (!order || command.caller.partyId === order.senderPartyId) return command;
    const sender = context.parties.find(({ partyId }) => partyId === order.senderPartyId);
    return sender && when(command, context) ? { ...command, caller: sender } : command;
  },
});

const orderIn = ([command, context]: Asked) =>
  command.type === 'request' ? orderOf(context.state, command.params.intent_id ?? '') : undefined;
const roleIn = ([command]: Asked) => (command.type === 'request' ? command.caller.role : undefined);

describe('access checks', () => {
  it.each<[string, string, Tamper]>([
    [
      'access.relation.reads*',
      'order.read.foreign-institution-refused',
      passesForSender(
        'order.read',
        (...asked) => roleIn(asked) === 'institution' && orderIn(asked)?.status === 'EXPIRED',
      ),
    ],
    [
      'access.relation.reads*',
      'order.quotes.foreign-custodian-refused',
      passesForSender('order.quotes', (...asked) => {
        const order = orderIn(asked);
        const rivals = order ? quotesOf(asked[1].state, order.id).length : 0;
        return roleIn(asked) === 'custodian' && rivals > 1 && order?.status === 'SETTLED';
      }),
    ],
    [
      'access.relation.quote.accept*',
      'quote.accept.by-receiver-custodian-refused',
      passesForSender('quote.accept', (...asked) => {
        const [command] = asked;
        if (command.type !== 'request') return false;
        return command.caller.partyId === orderIn(asked)?.receiverCustodianPartyId;
      }),
    ],
    [
      'access.relation.order.cancel*',
      'order.cancel.foreign-institution-refused',
      passesForSender('order.cancel', (...asked) => {
        const [command] = asked;
        if (command.type !== 'request') return false;
        return command.caller.partyId === orderIn(asked)?.receiverPartyId;
      }),
    ],
    [
      'access.order.read*',
      'access.order.read.market-maker-refused',
      passesForSender('order.read', (...asked) => {
        const order = orderIn(asked);
        return roleIn(asked) === 'market-maker' && order?.status === 'SETTLED';
      }),
    ],
  ])('%s finds %s broken', async (only, requirement, tamper) => {
    expect((await ranOn(accessChecks, { tamper, only: [only] })).failed).toContain(requirement);
  });

  it('blame nobody whose answers change with the machine that gives them', async () => {
    const tamper: Tamper = {
      response(wire, context) {
        if (context.endpoint !== 'stats.read') return wire;
        const { data, ...rest } = wire.body as { data: object };
        const machine = context.count('stats') % 2;
        const members = Object.entries({ ...data, machine });
        const shown = machine === 0 ? members : members.toReversed();
        return { ...wire, body: { ...rest, data: Object.fromEntries(shown) } };
      },
    };
    const only = ['access.makers.senders-indistinguishable'];
    expect((await ranOn(accessChecks, { tamper, only })).failed).toEqual([]);
  });
});
