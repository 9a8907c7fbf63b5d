import type { OpenParty } from '../../client/party.ts';
import type { Exchange } from '../../history/records.ts';
import { limits } from '../../spec/limits.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import type { OpenedParty } from './open-parties.ts';

/** Within so much target time every open stream brings at least one heartbeat (6). */
export const heartbeatWithinMs = limits.heartbeatIntervalMs + 1_000;

/** Opens the stream of every party; answers notes for the report. */
export async function openAllStreams(
  parties: readonly OpenedParty[],
  timeline: Timeline,
): Promise<readonly string[]> {
  const late = await timeline.act('listening', () =>
    timeline.together(
      parties.map(({ open, participant }) => [
        `listen as ${participant.name}`,
        async () => (openedLate(await open.openEvents()) ? [participant.name] : []),
      ]),
    ),
  );
  const names = late.flat();
  return names.length === 0 ? [] : [`${names.join(', ')}: ${lateHeaders}`];
}

/** An opening that had to wait for the target's time to go on. */
const openedLate = ({ sent, received, opensStream }: Exchange): boolean =>
  opensStream === true && received - sent >= lateMs;

/** Far more than the silence after which target time goes on, so that a slow host is not taken for one. */
const lateMs = 5_000;
const lateHeaders =
  'the headers of an event stream come with its first event only, so that opening one takes up to 30 s';

/** Opens one stream for as long as a heartbeat may take, for a run that opens none itself. */
export async function awaitHeartbeat(
  open: OpenParty | undefined,
  timeline: Timeline,
): Promise<void> {
  const stream = await open?.as('preflight').listen();
  await timeline.sleep(heartbeatWithinMs);
  await stream?.close();
}
