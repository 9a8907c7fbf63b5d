import { systemClock } from '../timeline/clock/system-clock.ts';
import { virtualClock } from '../timeline/clock/virtual-clock.ts';
import { type Address, buildServer, type Server } from '../reference/http/index.ts';
import { type GapId, gapIds, gaps as register } from '../spec/gaps/index.ts';
import { type CastName, castNames } from '../spec/requirements/requirement.ts';
import type { Role } from '../spec/vocabulary.ts';
import { assign } from '../target/embedded/assignment.ts';
import { answerInProcess } from '../target/embedded/in-process-transport.ts';
import { createReference, referenceStartMs } from '../target/embedded/create-reference.ts';
import { suggestion } from '../yaml/index.ts';
import { type Seed, seedOf } from './seed.ts';
import { refuseUnknownOptions } from './options.ts';
import { UsageError } from './usage-error.ts';

export type { GapId } from '../spec/gaps/index.ts';
export type { CastName } from '../spec/requirements/requirement.ts';
export type { Role } from '../spec/vocabulary.ts';
export type { Seed } from './seed.ts';
export { UsageError, type UsageErrorCode } from './usage-error.ts';

export interface ReferenceOptions {
  /** `virtual`: time stands still until `advance` moves it. `system`: the clock of the host. */
  readonly clock: 'virtual' | 'system';
  /** Seed of ids, keys and party identifiers; 1 by default. */
  readonly seed?: Seed;
  /** GapAnswers to gaps of the document (docs/gaps.md) other than the usual ones. */
  readonly gaps?: { readonly [id in GapId]?: string };
  /** A free port by default. */
  readonly port?: number;
}

export interface ReferenceParty {
  readonly role: Role;
  /** Prefix of the paths of part 4. */
  readonly baseUrl: string;
  /** Same value as in its tokens and in `GET /api/v1/identity/whoami`. */
  readonly partyId: string;
}

/** A running reference backend. */
export interface Reference {
  /** Base URL of each party of the standard cast. */
  readonly baseUrls: Readonly<Record<CastName, string>>;
  readonly parties: Readonly<Record<CastName, ReferenceParty>>;
  /**
   * Origin of the endpoints that make settlements fail and streams end: `GET` and `POST /_sim/faults`
   * (docs/serving.md).
   */
  readonly origin: string;
  /** Time of the reference, in milliseconds since the epoch. */
  readonly now: () => number;
  /**
   * Moves a virtual clock forward by whole milliseconds. Resolves after everything that was due has happened.
   * @throws UsageError `clock`: the clock is the host's, or the number is not an integer from 0 to ten years
   */
  readonly advance: (ms: number) => Promise<void>;
  /** Ends streams and connections, and frees the port. Safe to call twice. */
  readonly close: () => Promise<void>;
}

/**
 * Serves the reference backend on loopback: all eight parties of the standard cast, over one state.
 * @throws UsageError `clock`, `seed`, `gaps` or `port`: an option cannot be used; a port may be taken
 */
export async function startReference(options: ReferenceOptions): Promise<Reference> {
  refuseUnknownOptions(options, { clock: true, seed: true, gaps: true, port: true });
  const { clock: kind, port = 0 } = options;
  if (kind !== 'virtual' && kind !== 'system') {
    throw new UsageError('clock', [`clock is ${JSON.stringify(kind)}, not "virtual" or "system"`]);
  }
  const clock = kind === 'system' ? systemClock() : virtualClock(referenceStartMs);
  const world = createReference({
    clock,
    seed: seedOf(options.seed),
    assignment: assign(answersOf(options.gaps)),
  });
  const server = buildServer(world);
  const addresses = await listen(server, port);
  const parties = Object.fromEntries(
    addresses.map(({ party, baseUrl }) => {
      const { role, partyId } = party;
      return [party.name, { role, baseUrl, partyId }];
    }),
  ) as Record<CastName, ReferenceParty>;
  const baseUrls = Object.fromEntries(
    castNames.map((name) => [name, parties[name].baseUrl]),
  ) as Record<CastName, string>;
  return {
    baseUrls,
    parties,
    origin: new URL(baseUrls.sender).origin,
    now: () => clock.now(),
    advance: (ms) => advance(server, kind, ms),
    close: () => server.close(),
  };
}

function answersOf(given: ReferenceOptions['gaps'] = {}): { readonly [id in GapId]?: string } {
  const problems = Object.entries(given).flatMap(([id, answer]) => {
    const gap = gapIds.find((one) => one === id);
    if (gap === undefined) {
      return [`gaps: there is no gap ${id}; ${suggestion(id, gapIds) ?? 'ids: assay spec gaps'}`];
    }
    const answers: readonly string[] = register[gap].values;
    if (answers.includes(answer)) return [];
    return [`gaps: ${id} is ${JSON.stringify(answer)}, not one of ${answers.join(', ')}`];
  });
  if (problems.length > 0) throw new UsageError('gaps', problems);
  return given;
}

async function listen(server: Server, port: number): Promise<readonly Address[]> {
  try {
    return await server.serve({ port });
  } catch (error) {
    await server.close();
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const reason = error instanceof Error ? error.message : String(error);
    const known = code === 'EADDRINUSE' ? 'the port is taken' : reason;
    const next = 'leave port out for a free one';
    throw new UsageError('port', [`cannot listen on 127.0.0.1:${port}: ${known}; ${next}`]);
  }
}

async function advance(server: Server, kind: 'virtual' | 'system', ms: number): Promise<void> {
  if (kind === 'system') {
    const next = 'start the reference with { clock: "virtual" }';
    throw new UsageError('clock', [`the host's clock cannot be moved: ${next}`]);
  }
  if (!Number.isSafeInteger(ms) || ms < 0) {
    throw new UsageError('clock', [`advance(${ms}): expected whole milliseconds from 0`]);
  }
  // Uses the HTTP endpoint that external testers use, so that both ways behave the same.
  const { statusCode, rawPayload } = await answerInProcess(server.app, {
    method: 'POST',
    url: '/_sim/clock/advance',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ ms }),
  });
  if (statusCode === 200) return;
  throw new UsageError('clock', [`advance(${ms}): ${new TextDecoder().decode(rawPayload)}`]);
}
