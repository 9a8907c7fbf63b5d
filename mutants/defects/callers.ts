import type { TamperContext } from '../../src/reference/http/index.ts';
import type { Subject } from './context.ts';
import type { Telling } from './events.ts';

/** Conditions on the caller of a request or the recipient of an event. */

type Asked = Pick<TamperContext, 'party'>;

export const byInstitution = (_: unknown, { party }: Asked): boolean =>
  party?.role === 'institution';

export const byCustodian = (_: unknown, { party }: Asked): boolean => party?.role === 'custodian';

export const byMaker = (_: unknown, { party }: Asked): boolean => party?.role === 'market-maker';

/** The custodian of the receiver, and not of the sender as well. */
export const byReceiverCustodian = (
  _: unknown,
  { order, party }: Asked & Pick<Subject, 'order'>,
): boolean =>
  party?.partyId === order?.receiverCustodianPartyId &&
  party?.partyId !== order?.senderCustodianPartyId;

/** Condition on the recipient of an event. */
export const toCustodian = ({ to, parties }: Telling): boolean =>
  parties.find(({ partyId }) => partyId === to)?.role === 'custodian';
