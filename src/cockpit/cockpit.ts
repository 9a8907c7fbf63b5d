import type { App, Tamper } from '../reference/http/index.ts';
import { type Assignment, gapIds, gaps, referenceAnswers } from '../spec/gaps/index.ts';
import { castNames } from '../spec/requirements/requirement.ts';
import type { OpenedTarget } from '../target/opened-target.ts';
import { openEmbeddedStage } from './embedded-stage.ts';
import type { Openers } from './opened.ts';
import { remoteStage } from './remote-stage.ts';
import { Session } from './session.ts';
import type { Stage } from './stage.ts';
import type { Hello, PartyShown } from './view/messages.ts';

/** Longest advance of time, in milliseconds: streams send two heartbeats a minute, and all of them are kept. */
const longestMs = 24 * 3_600_000;

export interface ReferenceCockpitOptions {
  readonly seed: bigint;
  readonly assignment: Assignment;
  readonly tamper?: (() => Tamper) | undefined;
  /** HTTP server through which external clients reach the parties. */
  readonly served?: { readonly app: App; readonly origin: () => string };
  readonly openers: Openers;
}

/** Opens a cockpit on its own embedded reference, with a clock that stands still. */
export function referenceCockpit(options: ReferenceCockpitOptions): Promise<Session> {
  const { seed, assignment, tamper, served, openers } = options;
  const answers = Object.fromEntries(
    gapIds
      .filter((id) => assignment[id] !== referenceAnswers[id])
      .map((id) => [id, assignment[id]]),
  );
  return Session.start(
    {
      seed,
      openers,
      again: (changed, onOutside) =>
        openEmbeddedStage({ seed, answers: changed, tamper, app: served?.app, onOutside }),
      hello: (stage) => ({
        ...helloOf(stage, openers),
        kind: 'reference',
        gaps: gapIds.map((id) => {
          const { part, question, values } = gaps[id];
          return { id, part, question, values };
        }),
        ...(served && { parties: servedParties(stage, served.origin()) }),
      }),
    },
    answers,
  );
}

/** Runs the cockpit on an open target. Closes the target when it stops. */
export const remoteCockpit = (
  target: OpenedTarget,
  { seed, openers }: Pick<ReferenceCockpitOptions, 'seed' | 'openers'>,
): Promise<Session> =>
  Session.start(
    { seed, openers, hello: (stage) => ({ ...helloOf(stage, openers), kind: 'remote' }) },
    {},
    remoteStage(target),
  );

function helloOf(stage: Stage, { library }: Openers): Omit<Hello, 'kind'> {
  const { target, faults, isDriven } = stage;
  return {
    target: target.name,
    clock: isDriven ? 'driven' : 'system',
    parties: partiesOf(stage),
    gaps: [],
    faults,
    library: library.names,
    longestMs: Math.min(longestMs, target.clock.maxWaitMs),
  };
}

const partiesOf = ({ target }: Stage): readonly PartyShown[] =>
  castNames.flatMap((name) => {
    const declared = target.parties[name];
    if (!declared) return [];
    const { partyId } = target.party(name, 'cockpit');
    return [{ name, role: declared.role, partyId, baseUrl: declared.baseUrl }];
  });

/** Addresses of the embedded parties are paths; external clients reach them below the origin. */
const servedParties = (stage: Stage, origin: string): readonly PartyShown[] =>
  partiesOf(stage).map((party) => ({ ...party, baseUrl: origin + pathIn(party.baseUrl) }));

const pathIn = (baseUrl: string): string => baseUrl.slice(baseUrl.indexOf('/'));
