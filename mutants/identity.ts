import { ordersOf } from '../src/reference/core/index.ts';
import { answers, envelopes, items, without } from './tools.ts';
import type { Written } from './mutation.ts';

/** The token result, the identity result and the stats (2.6 to 2.8, 4.1, 9.2). */
export const identityMutations: readonly Written[] = [
  {
    id: 'token-for-the-party-asked-for',
    breaks: ['auth.identity-from-backend'],
    summary:
      'A request for a token that names a party of this service gets the party that it names.',
    tamper: items('token.create', (item, { query, parties }) => {
      const named = parties.find(({ partyId }) => partyId === query.party_id);
      return named ? { ...item, canton_party_id: named.partyId, role: named.role } : item;
    }),
  },
  {
    id: 'token-lifetime-as-text',
    breaks: ['token.expires-in.form'],
    summary: 'expires_in is a text.',
    tamper: items('token.create', (item) => ({ ...item, expires_in: String(item.expires_in) })),
  },
  {
    id: 'token-lifetime-in-milliseconds',
    breaks: ['token.exp-matches-expires-in'],
    summary: 'expires_in is in milliseconds.',
    tamper: items('token.create', (item) => ({
      ...item,
      expires_in: Number(item.expires_in) * 1000,
    })),
  },
  {
    id: 'token-lifetime-zero-for-custodians',
    breaks: ['token.expires-in.positive'],
    summary: 'Custodians are told that their tokens expire at once.',
    tamper: items('token.create', (item) =>
      item.role === 'custodian' ? { ...item, expires_in: 0 } : item,
    ),
  },
  {
    id: 'token-result-without-party',
    breaks: ['token.canton-party-id.present'],
    summary: 'The token result of market makers names no party.',
    tamper: items('token.create', (item) =>
      item.role === 'market-maker' ? without(item, 'canton_party_id') : item,
    ),
  },
  {
    id: 'token-role-in-snake-case',
    breaks: ['token.role.form', 'token.role.as-claim'],
    summary: 'The role of a market maker is written with an underscore in the token result.',
    tamper: items('token.create', (item) => ({
      ...item,
      role: String(item.role).replace('-', '_'),
    })),
  },
  {
    id: 'token-role-of-custodian-as-institution',
    breaks: ['token.role.as-claim'],
    summary: 'A custodian is an institution in its token result, not in its token.',
    tamper: items('token.create', (item) =>
      item.role === 'custodian' ? { ...item, role: 'institution' } : item,
    ),
  },
  {
    id: 'token-result-names-operator',
    breaks: ['token.canton-party-id.as-claim'],
    summary: 'The token result names the first party of the service, whoever asked.',
    tamper: items('token.create', (item, { parties }) => ({
      ...item,
      canton_party_id: parties[0]?.partyId,
    })),
  },
  {
    id: 'whoami-without-operator',
    breaks: ['identity.operator-party-id.present'],
    summary: 'whoami does not name the operator to market makers.',
    tamper: items('identity.read', (item, { party }) =>
      party?.role === 'market-maker' ? without(item, 'operator_party_id') : item,
    ),
  },
  {
    id: 'whoami-participant-null',
    breaks: ['identity.participant-id.form', 'identity.participant-id.present'],
    summary: 'Without a ledger participant_id is null and not an empty string.',
    tamper: items('identity.read', (item) => ({ ...item, participant_id: null })),
  },
  {
    id: 'whoami-without-participant',
    breaks: ['identity.participant-id.present'],
    summary: 'Without a ledger there is no participant_id.',
    tamper: items('identity.read', (item) => without(item, 'participant_id')),
  },
  {
    id: 'whoami-participant-looked-up-each-time',
    breaks: ['identity.participant-id.stable'],
    summary: 'participant_id is looked up anew for each answer.',
    tamper: items('identity.read', (item, context) => ({
      ...item,
      participant_id: `participant-${context.count('participant')}`,
    })),
  },
  {
    id: 'whoami-names-operator-as-party',
    breaks: ['identity.party-id.as-token'],
    summary: 'Custodians are told the party of the operator as their own.',
    tamper: items('identity.read', (item, { party }) =>
      party?.role === 'custodian' ? { ...item, party_id: item.operator_party_id } : item,
    ),
  },
  {
    id: 'whoami-role-of-makers-short',
    breaks: ['identity.role.form', 'identity.role.as-token'],
    summary: 'The role of a market maker is "maker" for whoami.',
    tamper: items('identity.read', (item, { party }) =>
      party?.role === 'market-maker' ? { ...item, role: 'maker' } : item,
    ),
  },
  {
    id: 'whoami-operator-without-namespace',
    breaks: ['identity.operator-party-id.form', 'convention.parties'],
    summary: 'The operator is named without its namespace.',
    tamper: items('identity.read', (item) => ({
      ...item,
      operator_party_id: String(item.operator_party_id).split('::')[0],
    })),
  },
  {
    id: 'schema-version-v1-for-custodians',
    breaks: ['version.schema-pinned'],
    summary: 'The backends of custodians still say v1.',
    tamper: items('identity.read', (item, { party }) =>
      party?.role === 'custodian' ? { ...item, schema_version: 'v1' } : item,
    ),
  },
  {
    id: 'schema-version-with-minor',
    breaks: ['version.schema-pinned'],
    summary: 'The schema version is v2.1.',
    tamper: items('identity.read', (item) => ({ ...item, schema_version: 'v2.1' })),
  },
  {
    id: 'schema-version-a-number',
    breaks: ['identity.schema-version.form'],
    summary: 'The schema version is the number 2.',
    tamper: items('identity.read', (item) => ({ ...item, schema_version: 2 })),
  },
  {
    id: 'stats-as-a-list',
    breaks: ['stats.read.returns-object'],
    summary: 'The stats of institutions are a list of figures.',
    tamper: envelopes('stats.read', ({ data, ...rest }, { party }) => ({
      ...rest,
      data: party?.role === 'institution' ? Object.entries(data as object) : data,
    })),
  },
  {
    id: 'health-fails-for-makers',
    breaks: ['health.read.succeeds'],
    summary: 'The backend of a market maker says that it is not well, though it is.',
    tamper: answers('health.read', (wire, { party }) =>
      party?.role === 'market-maker' ? { ...wire, status: 503 } : wire,
    ),
  },
  {
    id: 'whoami-names-last-client',
    breaks: ['maker.sees-no-sender-identity'],
    summary: 'A market maker that asks who it is reads beside it whose order was the last.',
    tamper: items('identity.read', (item, { party, state }) =>
      party?.role === 'market-maker'
        ? { ...item, last_client: ordersOf(state).at(-1)?.senderPartyId }
        : item,
    ),
  },
  {
    id: 'stats-of-makers-list-open-orders',
    breaks: ['stats.read.hides-sender-identity'],
    summary: 'The stats of a market maker list the clients whose orders are open.',
    tamper: items('stats.read', (item, { party, state }) =>
      party?.role === 'market-maker'
        ? {
            ...item,
            open_clients: ordersOf(state)
              .filter(({ status }) => status === 'PENDING')
              .map(({ senderPartyId }) => senderPartyId),
          }
        : item,
    ),
  },
];
