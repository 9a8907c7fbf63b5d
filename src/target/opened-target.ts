import type { SigningKey, Target } from '../client/contract.ts';
import type { TargetPresence } from '../client/target-presence.ts';
import type { OpenParty } from '../client/party.ts';
import type { Recorder } from '../history/recorder.ts';
import type { Secrets } from '../history/secrets/secrets.ts';
import { fixedRunId } from '../random/run-id.ts';
import type { Timeline } from '../timeline/timeline.ts';
import { type CastName, castNames } from '../spec/requirements/requirement.ts';
import type { ViewLags } from './clock/view-lags.ts';
import type { LearnedGapAnswers } from './gap-answers.ts';
import type { GapObservation } from './gap-observations.ts';
import { jwtPart } from '../protocol/jwt.ts';
import { TokenClaims } from '../spec/resources.ts';

/** Gap observations from a token, since a history holds tokens masked. `party`: owner of the token. */
function observeToken(token: string, party: string): readonly GapObservation[] {
  const claims = jwtPart(token, 'claims');
  const base = { subject: party, evidence: [] } as const;
  const observations: GapObservation[] = [];
  const alg = jwtPart(token, 'header')?.['alg'];
  if (typeof alg === 'string') observations.push({ gap: 'token.algorithm', answer: alg, ...base });
  if (!claims) return observations;
  const audience = Array.isArray(claims['aud']) ? 'list' : typeof claims['aud'];
  observations.push({ gap: 'token.audience_form', answer: audience, ...base });
  const extra = Object.keys(claims)
    .filter((name) => !Object.hasOwn(TokenClaims.properties, name))
    .sort();
  observations.push({ gap: 'token.extra_claims', answer: extra.join(' ') || 'none', ...base });
  return observations;
}

/** A target opened and reached, with the data needed to judge it. */
export interface OpenedTarget extends Target {
  readonly history: Recorder;
  /** Id of this run; it marks the orders that the run creates on the target. */
  readonly runId: string;
  readonly answers: LearnedGapAnswers;
  /** Answers to gaps that no history shows, such as the algorithm of a masked token. */
  readonly observations: readonly GapObservation[];
  /** Oddities seen while the target was reached that do not prevent a judgement; for the report. */
  readonly notes: readonly string[];
  /** The requests that were no longer sent to it so far, each with the reason. */
  readonly unasked: readonly string[];
  /** Absent if the target cannot go away. */
  readonly presence?: TargetPresence;
  /** Only for a driven clock: delay of its views in host time. */
  readonly views?: ViewLags;
  /** Secret values of the target: they must not be written. */
  readonly secrets: Secrets;
}

export type OpenResult = { readonly ok: true; readonly target: OpenedTarget } | OpenFailure;

export type OpenFailure = {
  readonly ok: false;
  /** Each a text for a person, of one or more lines. */
  readonly problems: readonly string[];
} & (
  | {
      /** The target file or the command contradicts the target. */
      readonly kind: 'misconfigured';
    }
  | {
      /** It could not be judged. */
      readonly kind: 'unreachable';
      /** For the report of the failure: no request can be sent to this target. */
      readonly target: OpenedTarget;
    }
);

/** Actor, in the history, of calls that belong to no check. */
export const controlActor = 'control';

export interface TargetParts
  extends Pick<
    Target,
    | 'name'
    | 'timeline'
    | 'clock'
    | 'alone'
    | 'orderDefaults'
    | 'controls'
    | 'restart'
    | 'restarts'
    | 'signing'
    | 'verify'
  > {
  readonly recorder: Recorder;
  readonly runId?: string | undefined;
  readonly parties: ReadonlyMap<CastName, OpenParty>;
  readonly answers: LearnedGapAnswers;
  readonly notes?: readonly string[];
  readonly unasked?: () => readonly string[];
  readonly presence?: TargetPresence;
  readonly views?: ViewLags;
  readonly usualAnswerMs?: () => number;
  readonly onClose?: () => Promise<void>;
}

/** Signing is asynchronous crypto: it takes a turn, so that its duration changes nothing. */
const signInTurns = (
  signing: SigningKey,
  timeline: Timeline,
  { add }: Pick<Secrets, 'add'>,
): SigningKey => ({
  ...signing,
  async mint(claims, header) {
    const token = await timeline.turn(() => signing.mint(claims, header));
    add(token);
    return token;
  },
  mintNow(claims, header) {
    const token = signing.mintNow(claims, header);
    add(token);
    return token;
  },
});

/** Puts a target together from parties that have been reached. */
export function assembleTarget({
  parties,
  recorder,
  runId = fixedRunId,
  signing,
  verify,
  notes = [],
  unasked = () => [],
  onClose,
  ...parts
}: TargetParts): OpenedTarget {
  const { timeline } = parts;
  // The standard cast in its order, then all other parties of a world.
  const names = new Set([...castNames, ...parties.keys()]);
  const declared = [...names].flatMap((name) => {
    const open = parties.get(name);
    return open ? [{ name, open, party: open.as(controlActor) }] : [];
  });
  return {
    ...parts,
    parties: Object.fromEntries(
      declared.map(({ name, party }) => [name, { role: party.role, baseUrl: party.baseUrl }]),
    ),
    party(name, by, policy) {
      const open = parties.get(name);
      if (!open) throw new Error(`party ${name} is not declared`);
      return open.as(by, policy);
    },
    history: recorder,
    runId,
    ...(signing && { signing: signInTurns(signing, timeline, recorder.secrets) }),
    ...(verify && {
      // Verifying fetches and computes, which takes no time of a target whose clock is moved.
      verify: (party: CastName, token: string) => timeline.turn(() => verify(party, token)),
    }),
    observations: declared.flatMap(({ name, party }) => observeToken(party.token, name)),
    notes,
    get unasked() {
      return unasked();
    },
    secrets: recorder.secrets,
    async close() {
      const closeAll = async (): Promise<void> => {
        for (const { open } of declared) await open.close();
      };
      // On a failed timeline nothing can act, but all open parties are still closed.
      await timeline.act('closing', closeAll).catch(closeAll);
      await onClose?.();
    },
  };
}
