import { fieldsOf } from '../protocol/answers.ts';
import type { Command } from '../reference/core/contract.ts';
import { deadlinesOf, standingFaultsOf, type WorldConfig } from '../reference/core/index.ts';
import type { App, PartySpec, Tamper } from '../reference/http/index.ts';
import { endpoints } from '../spec/endpoints.ts';
import { type Assignment, type GapId, referenceAnswers } from '../spec/gaps/index.ts';
import { type CastName, castNames } from '../spec/requirements/requirement.ts';
import { referenceStartMs } from '../target/embedded/create-reference.ts';
import { type EmbeddedTarget, openEmbedded } from '../target/embedded/embedded.ts';
import type { LineEntry, What } from './line-entry.ts';
import { orderFaultOf, referenceFault } from '../faults/faults.ts';
import { referenceFaults } from './faults.ts';
import { acting, callOn, passUntil, type Stage } from './stage.ts';
import { Decimal as Decimals } from 'decimal.js';

/** Enough digits for any amount. */
const Decimal = Decimals.clone({ precision: 80 });

type Holdings = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Changes of holdings since the start, by owner and currency: the differences. */
function changedHoldings(
  { openingBalances }: Pick<WorldConfig, 'openingBalances'>,
  holdings: Holdings,
  names: ReadonlyMap<string, string>,
): Holdings {
  const opening = new Map(
    openingBalances.map(({ partyId, currency, amount }) => [`${partyId} ${currency}`, amount]),
  );
  const changed = Object.entries(holdings).flatMap(([owner, amounts]) => {
    const differ = Object.entries(amounts).flatMap(([currency, amount]) => {
      const before = opening.get(`${owner} ${currency}`) ?? '0';
      if (amount === before) return [];
      const by = new Decimal(amount).minus(before);
      return by.isZero() ? [] : [[currency, `${by.isPositive() ? '+' : ''}${by.toFixed()}`]];
    });
    return differ.length === 0 ? [] : [[names.get(owner) ?? owner, Object.fromEntries(differ)]];
  });
  return Object.fromEntries(changed);
}

export interface EmbeddedStageOptions {
  readonly seed: bigint;
  readonly answers: Readonly<Record<string, string>>;
  /** Defect of the reference; created anew for each world. */
  readonly tamper?: (() => Tamper) | undefined;
  /** HTTP application for external clients. */
  readonly app?: App | undefined;
  /** Called at once for each action of external clients. */
  readonly onOutside?: (entry: LineEntry) => void;
}

export interface EmbeddedStage extends Stage {
  readonly target: EmbeddedTarget;
  readonly assignment: Assignment;
}

/** Opens a fresh reference in this process, with a clock that stands still. */
export async function openEmbeddedStage(options: EmbeddedStageOptions): Promise<EmbeddedStage> {
  const { seed, app, onOutside } = options;
  const assignment = { ...referenceAnswers, ...options.answers } as Assignment;
  let parties: readonly PartySpec[] = [];
  let records = (): number => 0;
  /** Current action of the cockpit, until the core receives it. */
  let mine: Extract<What, { readonly what: 'call' }> | 'fault' | undefined;
  const see = (command: Command, at: number): void => {
    const what = whatOf(command, parties);
    if (!what) return;
    const isMine =
      what.what === 'fault'
        ? mine === 'fault'
        : typeof mine === 'object' && mine.party === what.party && mine.endpoint === what.endpoint;
    if (isMine) mine = undefined;
    else onOutside?.({ ...what, at, from: records(), driver: 'outside' });
  };
  const opened = await openEmbedded({
    seed,
    assignment,
    startMs: referenceStartMs,
    tamper: seenBy(options.tamper?.(), see),
    ...(app && { app }),
    before: (world) => (parties = world.options.parties),
  });
  records = () => opened.history.records.length;
  // The gap answers of a reference are known, so they need not be discovered.
  const target = {
    ...opened,
    answers: { ...opened.answers, get: (gap: GapId) => assignment[gap] },
  };
  const { hooks, world } = target;
  const disturbed = new Set<string>();
  let disturbsNext = false;
  const names = new Map(parties.map(({ partyId, name }) => [partyId, name]));
  const delayed = new Map<CastName, number>();

  async function strike({ fault, order }: Extract<What, { readonly what: 'fault' }>) {
    if (fault?.fault === 'streams drop') return hooks.dropStreams(fault.party);
    if (fault?.fault === 'all answers delayed') {
      delayed.set(fault.party, fault.ms);
      return hooks.delayAnswers(fault.party, fault.ms);
    }
    if (order === undefined) return;
    if (order === 'next') disturbsNext = fault !== null;
    else disturbed.add(order);
    mine = 'fault';
    await hooks.fault(order, fault && referenceFault(fault));
    mine = undefined;
  }

  return {
    target,
    assignment,
    isDriven: true,
    faults: referenceFaults,
    carryOut: (what, driver) =>
      acting(target, async () => {
        if (what.what === 'fault') {
          await strike(what);
          return undefined;
        }
        mine = what;
        const exchange = await callOn(target, what, driver);
        mine = undefined;
        if (what.endpoint === 'order.create' && disturbsNext) {
          const made = fieldsOf(exchange)['intent_id'];
          if (typeof made === 'string') disturbed.add(made);
          disturbsNext = false;
        }
        return exchange;
      }),
    passUntil: (instant) => passUntil(target, instant),
    upcoming: () =>
      deadlinesOf(world.state()).map(({ at, kind, intentId }) => ({ at, what: kind, intentId })),
    holdings: () => changedHoldings(world.config, hooks.holdings(), names),
    standing() {
      const { next, all } = standingFaultsOf(world.state());
      return [
        ...(next ? [`the next order: ${next.kind}`] : []),
        ...(all ? [`all orders: ${all.kind}`] : []),
        ...[...delayed]
          .filter(([, ms]) => ms > 0)
          .map(([name, ms]) => `${name} answers ${ms} ms late`),
      ];
    },
    disturbed: () => [...disturbed],
    close: () => target.close(),
  };
}

/** A tamper that observes all commands to the core, and applies the defect, if any. */
function seenBy(tamper: Tamper | undefined, see: (command: Command, at: number) => void): Tamper {
  return {
    ...tamper,
    command(command, context) {
      see(command, context.now);
      return tamper?.command ? tamper.command(command, context) : command;
    },
  };
}

/** Action of a client; undefined if it changes nothing. */
function whatOf(command: Command, parties: readonly PartySpec[]): What | undefined {
  if (command.type === 'fault') {
    return {
      what: 'fault',
      fault: command.fault && orderFaultOf(command.fault),
      order: command.target,
    };
  }
  if (command.type !== 'request' || endpoints[command.endpoint].method === 'GET') return undefined;
  const { caller, endpoint, params, query, body } = command;
  const name = parties.find(({ partyId }) => partyId === caller.partyId)?.name;
  const party = castNames.find((one) => one === name);
  return party && { what: 'call', party, endpoint, params, query, body };
}
