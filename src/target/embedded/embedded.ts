import { inProcessTransport } from './in-process-transport.ts';
import type { Control, SigningKey, Target } from '../../client/contract.ts';
import { keyElsewhere, signedToken } from '../../client/token-signing.ts';
import { createParty, type OpenParty, type PartyOptions } from '../../client/party.ts';
import { createRecorder } from '../../history/recorder.ts';
import { createSecrets } from '../../history/secrets/secrets.ts';
import { offsetTimeline } from '../../timeline/offset-timeline.ts';
import { type VirtualClock, virtualClock } from '../../timeline/clock/virtual-clock.ts';
import { virtualTimeline } from '../../timeline/virtual-timeline.ts';
import type { Clock } from '../../timeline/clock/clock.ts';
import type { Random } from '../../random/random.ts';
import {
  type App,
  buildServer,
  type CastMember,
  createApp,
  type Server,
  type Site,
  type Tamper,
  type World,
} from '../../reference/http/index.ts';
import type { OpenJournal } from '../../reference/journal/index.ts';
import type { Assignment } from '../../spec/gaps/index.ts';
import {
  type CastName,
  cast,
  castNames,
  type ControlName,
} from '../../spec/requirements/requirement.ts';
import { createGapAnswers } from '../gap-answers.ts';
import { hooksOf, type ReferenceHooks } from './reference-hooks.ts';
import type { FaultyNetworks } from '../../client/faulty-network.ts';
import { assembleTarget, type OpenedTarget } from '../opened-target.ts';
import { checkStartMs, createReference, referenceMemos } from './create-reference.ts';

export interface EmbeddedOptions {
  readonly seed: bigint;
  readonly world?: string | undefined;
  readonly assignment?: Assignment;
  readonly tamper?: Tamper | undefined;
  /** Milliseconds since the epoch; by default always the same. */
  readonly startMs?: number;
  /** Lead of the backends' clock over the suite's; negative: behind. By default 0. */
  readonly aheadMs?: number;
  readonly maxWaitMs?: number | undefined;
  /** Id of this run, from which the identifiers in its orders are drawn; fixed by default. */
  readonly runId?: string | undefined;
  /** The parties that have a backend, get a token and are asked who they are; by default all. The others cannot act. */
  readonly reaches?: readonly CastName[];
  /** True if every party listens from the start on the stream that all share; by default true. */
  readonly listening?: boolean;
  /** Replaces the standard cast. A name beyond the standard ones is taken for a `CastName`. */
  readonly cast?: readonly CastMember[];
  /** Draws the next turn if several parties act at once; by default first come, first served. */
  readonly turns?: Random;
  /** Makes the clock of the backends from that of the suite: a clock that a host's pauses hold up. */
  readonly backendClock?: (clock: VirtualClock) => Clock;
  /** Network between a party and its backend. */
  readonly networks?: FaultyNetworks;
  /** Application that answers in place of an own one, such as one that listens on a port; it stays open. */
  readonly app?: App;
  /** Journal that its world continues from and writes to. */
  readonly journal?: OpenJournal;
  /** Journal that its world continues from, with the draws of the journal's commands in place of its own. */
  readonly retold?: { readonly journal: OpenJournal; readonly entropy: () => string };
  /** Runs in the world before any party of the suite is there; it may move the clock. */
  readonly before?: (world: World, clock: VirtualClock) => void;
}

/** The embedded reference, with access to its inside. */
export interface EmbeddedTarget extends OpenedTarget {
  readonly hooks: ReferenceHooks;
  /** World of the present life. */
  readonly world: World;
  /** Stops the reference as a process that is killed: answers and events in progress are never sent. */
  kill(): void;
  /** Starts the reference again from a journal. */
  startAgain(journal: OpenJournal): void;
}

/** Waiting costs nothing here, so a check may cross the life of several tokens. */
const longestWaitMs = 48 * 3_600_000;

/** Applications of worlds that have ended, for the next ones: making one costs some milliseconds (decision 11). */
const idleApps: App[] = [];

/** The reference in this process, under a virtual clock of its own: the whole cast, reached and listening. */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedTarget> {
  const clock = virtualClock(options.startMs ?? checkStartMs);
  const backendClock = options.backendClock?.(clock) ?? clock;
  const worldFrom = (journal: OpenJournal | undefined): World =>
    createReference({
      ...options,
      clock: backendClock,
      ...(journal && { journal }),
      ...options.retold,
    });
  const first = worldFrom(options.journal);
  options.before?.(first, clock);
  const app = options.app ?? idleApps.pop() ?? createApp('prefix');
  let isLent = options.app === undefined;
  const serve = (world: World): Server =>
    buildServer(world, { app, ...(options.reaches && { serves: options.reaches }) });
  let server = serve(first);
  await app.fastify.ready();
  const aheadMs = options.aheadMs ?? 0;
  const timeline = offsetTimeline(
    virtualTimeline(clock, options.turns ? { random: options.turns } : {}),
    aheadMs,
  );
  // Two worlds of one run are shown together.
  const recorder = createRecorder(createSecrets(options.world === undefined ? '' : 'w'));
  const delays = new Map<CastName, number>();
  const parties = new Map(
    server.sites.map((site) => {
      const name = site.party.name as CastName;
      const answerDelayMs = (): number => delays.get(name) ?? 0;
      return [name, partyAt(site, { timeline, recorder, answerDelayMs }, options.networks)];
    }),
  );
  await timeline.act('opening', async () => {
    for (const party of parties.values()) {
      await party.reach();
      if (options.listening !== false) await party.openEvents();
    }
  });
  const target = assembleTarget({
    name: 'the reference, embedded',
    timeline,
    clock: {
      kind: 'virtual',
      maxWaitMs: options.maxWaitMs ?? longestWaitMs,
      offset: { least: aheadMs, most: aheadMs },
    },
    recorder,
    ...(options.networks && { networks: options.networks }),
    runId: options.runId,
    parties,
    answers: createGapAnswers({}),
    orderDefaults: {},
    controls: referenceControls,
    signing: keyOf(server),
    onClose: async () => {
      await server.close();
      if (isLent) idleApps.push(app);
      isLent = false;
    },
  });
  return {
    ...target,
    hooks: hooksOf(() => server, timeline, delays),
    get world() {
      return server.world;
    },
    kill: () => server.kill(),
    startAgain(journal) {
      server = serve(worldFrom(journal));
    },
  };
}

const partyAt = (
  site: Site,
  line: Pick<PartyOptions, 'timeline' | 'recorder' | 'answerDelayMs'>,
  networks: EmbeddedOptions['networks'],
): OpenParty => {
  const direct = inProcessTransport(site.app, site.basePath);
  return createParty({
    name: site.party.name as CastName,
    role: site.party.role,
    ...(networks?.between(site.party.name, direct) ?? { transport: direct }),
    ...line,
  });
};

const keyOf = ({ tokens }: Server): SigningKey => ({
  alg: tokens.keys.alg,
  ...(tokens.keys.verifying.type === 'public' && {
    publicKey: tokens.keys.verifying.export({ format: 'pem', type: 'spki' }).toString(),
  }),
  mint: (claims, header) => tokens.mint(claims, header),
  mintNow(claims, header) {
    const { alg, kid, signing } = tokens.keys;
    return signedToken({ alg, typ: 'JWT', kid, ...header }, claims, signing);
  },
});

const memo = (name: ControlName): Control => ({ order: { memo: referenceMemos[name] } });

const referenceControls = {
  fail_settlement: memo('fail_settlement'),
  stall_settlement: memo('stall_settlement'),
  withdraw_order: memo('withdraw_order'),
  fail_validation: memo('fail_validation'),
} satisfies Readonly<Record<ControlName, Control>>;

/** Parties, clock, controls and signing of an embedded reference, known without opening one. */
export const embeddedScope = (
  maxWaitMs: number = longestWaitMs,
): Pick<Target, 'parties' | 'clock' | 'controls' | 'signing'> => ({
  parties: Object.fromEntries(castNames.map((name) => [name, { role: cast[name], baseUrl: '' }])),
  clock: { kind: 'virtual', maxWaitMs, offset: { least: 0, most: 0 } },
  controls: referenceControls,
  signing: keyElsewhere('', 'nothing is open'),
});
