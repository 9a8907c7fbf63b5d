import { isTerminal } from '../../spec/states.ts';
import type { Fault as CoreFault } from '../../reference/core/contract.ts';
import { orderOf } from '../../reference/core/index.ts';
import type { CastName, ControlName } from '../../spec/requirements/requirement.ts';
import type { EmbeddedTarget } from '../../target/embedded/embedded.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import type { Control, Target } from '../../client/contract.ts';
import { succeeded } from '../../protocol/answers.ts';
import { type Fault, isFault, type Label, type PlannedStep } from '../plan.ts';
import type { LabelRegistry } from './label-registry.ts';
import { type Effect, noOrder, nothing, took } from './commands.ts';
import type { TargetLives } from './target-lives.ts';
import type { Network } from './network.ts';
import type { Outages } from './outages.ts';
import type { PausedClock } from './paused-clock.ts';

/** The embedded reference, seen from the inside. */
export interface InsideParts {
  readonly target: EmbeddedTarget;
  readonly host: PausedClock;
  readonly outages: Outages;
  /** Present if the reference has a disk that outlasts it. */
  readonly lives?: TargetLives | undefined;
}

/** Tools that faults are brought about with. */
export interface FaultContext {
  readonly timeline: Timeline;
  /** Present only for the embedded reference. */
  readonly inside?: InsideParts;
  /** Controls that make orders of another target fail. */
  readonly controls: Target['controls'];
  readonly book: LabelRegistry;
  readonly networks: ReadonlyMap<string, Network>;
  readonly insistent: Set<string>;
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
  const { timeline, networks } = context;
  if ('party' in fault) {
    const network = networks.get(fault.party);
    return network
      ? strikeNetwork(context, network, fault, onNever)
      : nothing('there is no such party');
  }
  switch (fault.fault) {
    case 'leg reverts':
      return disturb(context, fault, { kind: 'revert', leg: fault.leg });
    case 'settlement stalls':
      return disturb(context, fault, { kind: 'stall' });
    case 'operator withdraws':
      return disturb(context, fault, { kind: 'withdraw' });
    case 'validation fails':
      return disturb(context, fault, { kind: 'invalid' });
    case 'host pauses': {
      if (!context.inside) return nothing(noInside);
      const ms = context.inside.outages.begin(timeline.now(), fault.ms);
      if (ms === 0) return nothing(tooLong);
      context.inside.host.pauseUntil(timeline.now() + ms);
      await timeline.sleep(ms);
      return took;
    }
    case 'restart':
      return restart(context, fault, onNever);
    case 'disk full':
      return fillDisk(context, fault);
  }
}

type RestartFault = Extract<Fault, { readonly fault: 'restart' }>;

async function restart(
  { timeline, inside, onStruck }: FaultContext,
  fault: RestartFault,
  onNever: () => void,
): Promise<Effect> {
  const { ms, tornBytes } = fault;
  const lives = inside?.lives;
  if (!lives) return nothing(noDisk);
  return timeline.turn(async () => {
    if (!lives.isUp) return nothing('the target was down');
    onStruck(fault);
    if (tornBytes === undefined) lives.restart(ms);
    else lives.restartInWrite(tornBytes, ms, onNever);
    return took;
  });
}

async function fillDisk(
  { timeline, inside, onStruck }: FaultContext,
  fault: Extract<Fault, { readonly fault: 'disk full' }>,
): Promise<Effect> {
  const lives = inside?.lives;
  if (!lives) return nothing(noDisk);
  const grantedMs = await timeline.turn(async () => {
    onStruck(fault);
    return lives.fillDisk(fault.ms);
  });
  if (grantedMs === 0) return nothing(tooLong);
  await timeline.sleep(grantedMs);
  await timeline.turn(async () => lives.makeRoom());
  return took;
}

type NetworkFault = Extract<Fault, { readonly party: string }>;

async function strikeNetwork(
  context: FaultContext,
  network: Network,
  fault: NetworkFault,
  onNever: () => void,
): Promise<Effect> {
  const { timeline } = context;
  const noStream = nothing('no stream is open');
  switch (fault.fault) {
    case 'streams drop': {
      if (!context.inside) return nothing(noInside);
      if (network.openStreams === 0) return noStream;
      context.onStruck(fault);
      network.expectDrop();
      await context.inside.target.hooks.dropStreams(fault.party as CastName);
      return took;
    }
    case 'streams break': {
      const broken = await timeline.turn(async () => network.breakStreams());
      return broken > 0 ? took : noStream;
    }
    case 'streams stall': {
      if (network.openStreams === 0) return noStream;
      network.stall();
      await timeline.sleep(fault.ms);
      network.goOn();
      return took;
    }
    case 'partition': {
      await timeline.turn(async () => network.cut());
      await timeline.sleep(fault.ms);
      network.join();
      return took;
    }
    case 'answer lost and sent again':
      context.insistent.add(fault.party);
      network.strikeNext({ kind: 'answer lost', ms: fault.ms }, onNever);
      return took;
    case 'request lost':
    case 'answer lost':
    case 'request delayed':
    case 'answer delayed':
      network.strikeNext({ kind: fault.fault, ms: fault.ms }, onNever);
      return took;
  }
}

/** A fault by the operator, who must wait for a paused host like every party. */
async function disturb(
  context: FaultContext,
  planned: Extract<Fault, { readonly order: Label }>,
  fault: CoreFault,
): Promise<Effect> {
  const { timeline, inside, disturbed } = context;
  const order = await context.book.order(planned.order);
  if (!order) return noOrder;
  if (!inside) return useControl(context, planned, order.intentId, fault);
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
    world.fault(order.intentId, fault, ({ ok }) => (isRefused = !ok));
    if (isRefused) return nothing('there was no room for it');
    disturbed.add(order.intentId);
    return took;
  });
}

const noInside = 'only the embedded reference can be made to do that';
const noDisk = 'the target has no journal to start again from';
const tooLong = 'the target has stood still for as long as it may';

const controlFor: Readonly<Record<CoreFault['kind'], ControlName>> = {
  revert: 'fail_settlement',
  stall: 'stall_settlement',
  withdraw: 'withdraw_order',
  invalid: 'fail_validation',
};

/** Control that brings each fault about at another target. */
export const controlledFaults = {
  'leg reverts': 'fail_settlement',
  'settlement stalls': 'stall_settlement',
  'operator withdraws': 'withdraw_order',
  'validation fails': 'fail_validation',
} as const satisfies { readonly [name in Fault['fault']]?: ControlName };

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
    const fields = controls[controlledFaults[step.fault]]?.order;
    if (fields) return fields;
  }
  return undefined;
}

async function useControl(
  { controls, disturbed, onStruck }: FaultContext,
  planned: Fault,
  intentId: string,
  fault: CoreFault,
): Promise<Effect> {
  const control = controls[controlFor[fault.kind]];
  // The control was part of the order's creation.
  if (control?.order) return disturbed.has(intentId) ? took : nothing('another fault struck it');
  if (!control?.call) return nothing('the target offers no such control');
  disturbed.add(intentId);
  onStruck(planned, intentId);
  const answer = await control.call(intentId);
  return succeeded(answer) ? took : nothing('the control was refused');
}
