import { isSet, textOf } from '../../../protocol/json.ts';
import { schemaVersion } from '../../../spec/vocabulary.ts';
import { defineRule } from '../../findings.ts';
import type { Snapshot } from '../../trace/snapshots.ts';

/** A field of whoami, and the field of the token result that it repeats. */
const repeated = [
  ['identity.party-id.as-token', 'party_id', 'canton_party_id'],
  ['identity.role.as-token', 'role', 'role'],
] as const;

/** 2.7, 5.6, 9. */
export const whoamiNamesTokenParty = defineRule({
  id: 'identity',
  title:
    'whoami names the party and the role of the token, the pinned version, and always the same ledger',
  requirements: [
    'version.schema-pinned',
    ...repeated.map(([requirement]) => requirement),
    'identity.participant-id.stable',
  ],
  judge(view, findings) {
    const tokens = new Map(view.snapshotsOf('token').map((token) => [token.party, token]));
    const firsts = new Map<string, Snapshot>();
    for (const identity of view.snapshotsOf('identity')) {
      const { party, value, source } = identity;
      const version = value['schema_version'];
      findings.assert('version.schema-pinned', version === schemaVersion, source, () => ({
        message: 'schema_version was not the pinned one',
        expected: schemaVersion,
        actual: version ?? null,
        evidence: [source],
      }));
      const token = tokens.get(party);
      for (const [requirement, field, ofToken] of repeated) {
        const [actual, expected] = [value[field], token?.value[ofToken]];
        if (!token || !isSet(actual) || !isSet(expected)) continue;
        findings.assert(requirement, actual === expected, source, () => ({
          message: 'whoami named another than the token',
          expected,
          actual,
          evidence: [token.source, source],
        }));
      }
      const id = textOf(value, 'participant_id');
      if (id === undefined) continue;
      const first = firsts.get(party);
      if (!first) {
        firsts.set(party, identity);
        continue;
      }
      const before = textOf(first.value, 'participant_id');
      findings.assert('identity.participant-id.stable', before === id, source, () => ({
        message: 'participant_id changed',
        expected: before,
        actual: id,
        evidence: [first.source, source],
      }));
    }
  },
});
