import { ordersOf } from '../src/reference/core/index.ts';
import { byCustodian, byMaker } from './defects/callers.ts';
import { statusIs } from './defects/conditions.ts';
import { mutation, type Written } from './mutation.ts';

/** The token result, the identity result and the stats (2.6 to 2.8, 4.1, 9.2). */
export const identityMutations: readonly Written[] = [
  mutation('token-for-the-party-asked-for', 'auth.identity-from-backend')
    .summary('A request for a token that names a party of this service gets that party.')
    .set('token.create', (_, { query, parties }) => {
      const named = parties.find(({ partyId }) => partyId === query.party_id);
      return named && { canton_party_id: named.partyId, role: named.role };
    }),
  mutation('token-lifetime-as-text', 'token.expires-in.form')
    .summary('expires_in is a text.')
    .change('token.create', 'expires_in', (value) => value),
  mutation('token-lifetime-in-milliseconds', 'token.exp-matches-expires-in')
    .summary('expires_in is in milliseconds.')
    .change('token.create', 'expires_in', (value) => Number(value) * 1000),
  mutation('token-lifetime-zero-for-custodians', 'token.expires-in.positive')
    .summary('Custodians are told that their tokens expire at once.')
    .set('token.create', (item) => item.role === 'custodian' && { expires_in: 0 }),
  mutation('token-result-without-party', 'token.canton-party-id.present')
    .summary('The token result of market makers names no party.')
    .dropWhen('token.create', (item) => item.role === 'market-maker', 'canton_party_id'),
  mutation('token-role-in-snake-case', 'token.role.form', 'token.role.as-claim')
    .summary('The role of a market maker is written with an underscore in the token result.')
    .change('token.create', 'role', (value) => value.replace('-', '_')),
  mutation('token-role-of-custodian-as-institution', 'token.role.as-claim')
    .summary('A custodian is an institution in its token result, not in its token.')
    .set('token.create', (item) => item.role === 'custodian' && { role: 'institution' }),
  mutation('token-result-names-operator', 'token.canton-party-id.as-claim')
    .summary('The token result names the first party of the service, whoever asked.')
    .set('token.create', (_, { parties }) => ({ canton_party_id: parties[0]?.partyId })),
  mutation('whoami-without-operator', 'identity.operator-party-id.present')
    .summary('whoami does not name the operator to market makers.')
    .dropWhen('identity.read', byMaker, 'operator_party_id'),
  mutation('whoami-participant-null', 'identity.participant-id.form')
    .also('identity.participant-id.present')
    .summary('Without a ledger participant_id is null and not an empty string.')
    .set('identity.read', { participant_id: null }),
  mutation('whoami-without-participant', 'identity.participant-id.present')
    .summary('Without a ledger there is no participant_id.')
    .drop('identity.read', 'participant_id'),
  mutation('whoami-participant-looked-up-each-time', 'identity.participant-id.stable')
    .summary('participant_id is looked up anew for each answer.')
    .set('identity.read', (_, context) => ({
      participant_id: `participant-${context.count('participant')}`,
    })),
  mutation('whoami-names-operator-as-party', 'identity.party-id.as-token')
    .summary('Custodians are told the party of the operator as their own.')
    .setWhen('identity.read', byCustodian, (item) => ({ party_id: item.operator_party_id })),
  mutation('whoami-role-of-makers-short', 'identity.role.form', 'identity.role.as-token')
    .summary('The role of a market maker is "maker" for whoami.')
    .setWhen('identity.read', byMaker, { role: 'maker' }),
  mutation('whoami-operator-without-namespace', 'identity.operator-party-id.form')
    .also('convention.parties')
    .summary('The operator is named without its namespace.')
    .change('identity.read', 'operator_party_id', (value) => value.split('::')[0]),
  mutation('schema-version-v1-for-custodians', 'version.schema-pinned')
    .summary('The backends of custodians still say v1.')
    .setWhen('identity.read', byCustodian, { schema_version: 'v1' }),
  mutation('schema-version-with-minor', 'version.schema-pinned')
    .summary('The schema version is v2.1.')
    .set('identity.read', { schema_version: 'v2.1' }),
  mutation('schema-version-a-number', 'identity.schema-version.form')
    .summary('The schema version is the number 2.')
    .set('identity.read', { schema_version: 2 }),
  mutation('stats-as-a-list', 'stats.read.returns-object')
    .summary('The stats of institutions are a list of figures.')
    .setData('stats.read', (data, { party }) => {
      return party?.role === 'institution' ? Object.entries(data as object) : data;
    }),
  mutation('health-fails-for-makers', 'health.read.succeeds')
    .summary('The backend of a market maker says that it is not well, though it is.')
    .setAnswer('health.read', (_, { party }) => party?.role === 'market-maker' && { status: 503 }),
  mutation('whoami-names-last-client', 'maker.sees-no-sender-identity')
    .summary('A market maker that asks who it is reads beside it whose order was the last.')
    .setWhen('identity.read', byMaker, (_, { state }) => ({
      last_client: ordersOf(state).at(-1)?.senderPartyId,
    })),
  mutation('stats-of-makers-list-open-orders', 'stats.read.hides-sender-identity')
    .summary('The stats of a market maker list the clients whose orders are open.')
    .setWhen('stats.read', byMaker, (_, { state }) => {
      const open = ordersOf(state).filter(statusIs('PENDING'));
      return { open_clients: open.map(({ senderPartyId }) => senderPartyId) };
    }),
];
