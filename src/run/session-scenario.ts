import type { HistoryRecord } from '../history/records.ts';
import { fieldsOf, textOf } from '../protocol/answers.ts';
import type { EndpointName } from '../spec/endpoints.ts';
import { type SessionScenario, sessionScenario } from '../reproduce/session-scenario.ts';
import { type CastName, castNames } from '../spec/requirements/index.ts';
import type { TargetFile } from '../target/file/target-file.ts';
import { controlsOf } from './failures-of-check.ts';
import { offsetSeen } from './judge-history.ts';
import { loadWritten } from './try-reproduction.ts';

const idFields = new Map<EndpointName, string>([
  ['identity.read', 'party_id'],
  ['token.create', 'canton_party_id'],
]);

/** Party identifiers, from tokens and identities. */
function partyIdsIn(records: readonly HistoryRecord[]): ReadonlyMap<string, CastName> {
  const ids = new Map<string, CastName>();
  for (const record of records) {
    if (record.kind !== 'exchange') continue;
    const name = castNames.find((one) => one === record.party);
    const field = record.endpoint && idFields.get(record.endpoint);
    const id = field && textOf(fieldsOf(record), field);
    if (name && id !== undefined) ids.set(id, name);
  }
  return ids;
}

/**
 * A recorded session as a scenario. Undefined if there is nothing to play, or if the scenario language cannot express
 * the requests.
 */
export function scenarioOfSession(
  records: readonly HistoryRecord[],
  target: Pick<TargetFile, 'name' | 'controls'>,
): SessionScenario | undefined {
  const offset = offsetSeen(records.filter((record) => record.kind === 'exchange'));
  const made = sessionScenario(
    records,
    {
      partyIds: partyIdsIn(records),
      aheadMs: Math.round((offset.least + offset.most) / 2),
      controls: controlsOf(target.controls),
    },
    `A session with ${target.name}`,
  );
  if (!made) return undefined;
  try {
    if (made.text !== undefined) loadWritten(made.text);
    return made;
  } catch (error) {
    // An error here must not lose the session and its report.
    const why = error instanceof Error ? error.message : String(error);
    return { requests: 0, leftOut: `all of it, by a fault of assay: ${why}` };
  }
}
