import { createCircuitBreaker } from '../../client/circuit-breaker.ts';
import { createTargetPresence } from '../../client/target-presence.ts';
import type { Recorder } from '../../history/recorder.ts';
import { systemClock } from '../../timeline/clock/system-clock.ts';
import { systemTimeline } from '../../timeline/system-timeline.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import { createAnswerTimes } from '../clock/answer-times.ts';
import type { TargetFile } from '../file/target-file.ts';
import { createGapAnswers } from '../gap-answers.ts';
import { assembleTarget, type OpenFailure } from '../opened-target.ts';
import { controlsOf } from './control-calls.ts';
import { helperWay, type OpenedParty, openParties } from './open-parties.ts';
import type { RemoteOptions } from './remote-options.ts';

export const clockOf = ({ clock }: TargetFile, { maxWaitMs }: RemoteOptions) => ({
  kind: clock.kind,
  maxWaitMs: maxWaitMs ?? clock.maxWaitMs,
});

/** Parts of a target that its file and its parties give, whether these let anybody in or not. */
export const partsOf = (
  file: TargetFile,
  options: RemoteOptions,
  timeline: Timeline,
  recorder: Recorder,
  parties: readonly OpenedParty[],
) => ({
  name: file.name,
  timeline,
  recorder,
  runId: options.runId,
  parties: new Map(parties.map(({ open, participant }) => [participant.name, open])),
  orderDefaults: file.orderDefaults,
  controls: controlsOf(file, timeline, helperWay(file, options)),
});

/** Failure of a target that let no party in. Its `target` has the data of the file and the recorded history. */
export async function unreached(
  file: TargetFile,
  recorder: Recorder,
  options: RemoteOptions,
  problems: readonly string[],
): Promise<OpenFailure> {
  const host = systemClock();
  const timeline = systemTimeline(host);
  const shared = {
    timeline,
    recorder,
    answerTimes: createAnswerTimes(() => host.now()),
    circuitBreaker: createCircuitBreaker(host),
    presence: createTargetPresence(host),
  };
  const parties = openParties(file, shared, options, () => undefined);
  const signing =
    file.signing && (await (await import('./signing-key.ts')).signingKey(file.signing));
  const target = assembleTarget({
    ...partsOf(file, options, timeline, recorder, parties),
    clock: { ...clockOf(file, options), offset: { least: 0, most: 0 } },
    answers: createGapAnswers(file.gaps),
    ...(signing?.ok && { signing: signing.key }),
    unasked: () => problems,
  });
  return { ok: false, kind: 'unreachable', problems, target };
}
