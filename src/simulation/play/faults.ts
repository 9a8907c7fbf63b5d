import { isTerminal } from '../../spec/states.ts';
import { orderOf } from '../../reference/core/index.ts';
import type { CastName } from '../../spec/requirements/requirement.ts';
import type { EmbeddedTarget } from '../../target/embedded/embedded.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import type { Control, Target } from '../../client/contract.ts';
import { succeeded } from '../../protocol/answers.ts';
import { controlOf, faultOf, isNetworkFault, referenceFault } from '../../faults/faults.ts';
import {
  type Fault,
  type FaultOf,
  isFault,
  type Label,
  plainFault,
  type PlannedStep,
  type SettlementFault,
} from '../plan.ts';
import { type CommandContext, type Effect, noOrder, nothing, took } from './commands.ts';
import type { TargetLives } from './target-lives.ts';
import type { Network } from '../../client/faulty-network.ts';
import type { Outages, PausedClock } from './outages.ts';

/** The embedded reference, seen from the inside. */
export interface InsideParts {
  readonly target: EmbeddedTarget;
  readonly host: PausedClock;
  readonly outages: Outages;
  /** Present if the reference has a disk that outlasts it. */
  readonly lives?: TargetLives | undefined;
}

export interface FaultContext extends Pick<CommandContext, 'book' | 'insistent'> {
  readonly timeline: Timeline;
  /** Present only for the embedded reference. */
  readonly inside?: InsideParts;
  /** Controls that make orders of another target fail. */
  readonly controls: Target['controls'];
  readonly networks: ReadonlyMap<string, Network>;
  /** Intent ids of orders that were pushed off their path. */
  readonly disturbed: Set<string>;
  /** Called at the moment at which a fault strikes the target, or the order with this intent id. */
  readonly onStruck: (fault: Fault, intentId?: string) => void;
}

/**
 * Brings one fault about. Resolves when the fault is over, which may take time.
 * @param onNever called later if the fault waited for a request that never came
 */
export async function strike(
  context: FaultContext,
  fault: Fault,
  onNever: () => void,
): Promise<Effect> {
  const { timeline, networks, inside } = context;
  const lives = inside?.lives;
  if ('party' in fault) {
    const network = networks.get(fault.party);
    return network
      ? strikeNetwork(context, network, fault, onNever)
      : nothing('there is no such party');
  }
  if ('order' in fault) return disturb(context, fault);
  if (fault.fault !== 'host pauses') {
    return lives ? strikeDisk(context, lives, fault, onNever) : nothing(noDisk);
  }
  if (!inside) return nothing(noInside);
  const ms = inside.outages.begin(timeline.now(), fault.ms);
  if (ms === 0) return nothing(tooLong);
  context.onStruck({ ...fault, ms });
  inside.host.pauseUntil(timeline.now() + ms);
  await timeline.sleep(ms);
  return took;
}

async function strikeDisk(
  { timeline, onStruck }: FaultContext,
  lives: TargetLives,
  fault: FaultOf<'restart' | 'disk full'>,
  onNever: () => void,
): Promise<Effect> {
  if (fault.fault === 'disk full') {
    const ms = await timeline.turn(async () => {
      const grantedMs = lives.fillDisk(fault.ms);
      if (grantedMs > 0) onStruck({ ...fault, ms: grantedMs });
      return grantedMs;
    });
    if (ms === 0) return nothing(tooLong);
    await timeline.sleep(ms);
    await timeline.turn(async () => lives.makeRoom());
    return took;
  }
  const { ms, tornBytes } = fault;
  return timeline.turn(async () => {
    if (!lives.isUp) return nothing('the target was down');
    onStruck(fault);
    if (tornBytes === undefined) lives.restart(ms);
    else lives.restartInWrite(tornBytes, ms, onNever);
    return took;
  });
}

type PartyFault = Extract<Fault, { readonly party: string }>;

async function strikeNetwork(
  context: FaultContext,
  network: Network,
  fault: PartyFault,
  onNever: () => void,
): Promise<Effect> {
  const { timeline, inside, onStruck } = context;
  const noStream = nothing('no stream is open');
  const planned = plainFault(fault);
  if (!isNetworkFault(planned)) {
    if (!inside) return nothing(noInside);
    if (network.openStreams === 0) return noStream;
    onStruck(fault);
    network.expectDrop();
    await inside.target.hooks.dropStreams(fault.party as CastName);
    return took;
  }
  if (fault.fault === 'answer lost and sent again') context.insistent.add(fault.party);
  const begun = await timeline.turn(async () => {
    const one = network.begin(planned, onNever);
    if (one) onStruck(fault);
    return one;
  });
  if (!begun) return noStream;
  if (begun.ms > 0) await timeline.sleep(begun.ms);
  begun.end();
  return took;
}

/** A fault by the operator, who must wait for a paused host like every party. */
async function disturb(context: FaultContext, planned: SettlementFault): Promise<Effect> {
  const { timeline, inside, disturbed } = context;
  const order = await context.book.order(planned.order);
  if (!order) return noOrder;
  if (!inside) return useControl(context, planned, order.intentId);
  const { target, host, lives } = inside;
  for (let ms = host.leftMs(); ms > 0; ms = host.leftMs()) await timeline.sleep(ms);
  return timeline.turn(async () => {
    if (lives?.isUp === false) return nothing('the target was down');
    const { world } = target;
    const before = orderOf(world.state(), order.intentId);
    if (!before || isTerminal(before.status)) return nothing('the order has ended');
    let isRefused = false;
    context.onStruck(planned, order.intentId);
    // If the target is killed meanwhile, it answers nothing, but it may have kept the fault.
    world.fault(order.intentId, referenceFault(planned), ({ ok }) => (isRefused = !ok));
    if (isRefused) return nothing('there was no room for it');
    disturbed.add(order.intentId);
    return took;
  });
}

const noInside = 'only the embedded reference can be made to do that';
const noDisk = 'the target has no journal to start again from';
const tooLong = 'the target has stood still for as long as it may';

/** Faults that strike the core. All other faults strike between the core and its parties. */
export const coreFaults = Object.values(faultOf).map(({ fault }) => fault);

/**
 * Control fields of the order's creation, if a fault is planned for the order and the target's control for it is part
 * of the creation.
 */
export function controlAtCreation(
  steps: readonly PlannedStep[],
  controls: Target['controls'],
  label: Label,
): Control['order'] {
  for (const step of steps) {
    if (!isFault(step) || !('order' in step) || step.order !== label) continue;
    const fields = controls[controlOf(step)]?.order;
    if (fields) return fields;
  }
  return undefined;
}

async function useControl(
  { controls, disturbed, onStruck }: FaultContext,
  planned: SettlementFault,
  intentId: string,
): Promise<Effect> {
  const control = controls[controlOf(planned)];
  // The control was part of the order's creation.
  if (control?.order) return disturbed.has(intentId) ? took : nothing('another fault struck it');
  if (!control?.call) return nothing('the target offers no such control');
  disturbed.add(intentId);
  onStruck(planned, intentId);
  const answer = await control.call(intentId);
  return succeeded(answer) ? took : nothing('the control was refused');
}
