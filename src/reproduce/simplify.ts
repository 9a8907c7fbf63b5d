import { shrinkSteps } from '../shrink/shrink-steps.ts';
import { countSteps } from './collapse-repeats.ts';
import { flowOf } from './scenario.ts';
import { isStream, ordersOf } from './slice.ts';
import {
  isNamed,
  stepsOfClaim,
  type CallStep,
  type ListenStep,
  type ReproStep,
  type Reproduction,
} from './steps.ts';

type Change = (reproduction: Reproduction) => Reproduction;

/** Number of written steps. */
const written = (reproduction: Reproduction): number => countSteps(flowOf(reproduction).steps);

/** Rewrites a reproduction with fewer steps to read, if the result still shows the failure. */
export async function simplify(
  reproduction: Reproduction,
  proves: (other: Reproduction) => Promise<boolean>,
): Promise<Reproduction> {
  let best = reproduction;
  const evenAndByOrder: Change = (one) => orderByOrder(evenly(one));
  for (const change of [onOwnStreams, evenAndByOrder, evenly, orderByOrder, askingAgain]) {
    const other = change(best);
    if (written(other) < written(best) && (await proves(other))) best = other;
  }
  return best;
}

/** Replaces a wait with a read after it by a read that is repeated until its claims hold. */
function askingAgain({ steps, claims, ...rest }: Reproduction): Reproduction {
  const isJudged = (step: CallStep): boolean =>
    claims.some((one) => one.kind === 'value' && one.step === step.name);
  const asking = steps.flatMap((step, index): ReproStep[] => {
    const [before, after] = [steps[index - 1], steps[index + 1]];
    const waited = before?.kind === 'wait' && before.until === undefined ? before.ms : undefined;
    if (step.kind === 'wait' && step.until === undefined && after && canAskAgain(after)) {
      return isJudged(after) ? [] : [step];
    }
    if (waited === undefined || !canAskAgain(step) || !isJudged(step)) return [step];
    return [{ ...step, patienceMs: waited }];
  });
  return { ...rest, claims, steps: asking };
}

const canAskAgain = (step: ReproStep): step is CallStep =>
  step.kind === 'call' && step.recorded.request.method === 'GET';

/** Replaces streams that were opened or resumed by each party's own stream, open from the beginning. */
function onOwnStreams({ steps, claims, ...rest }: Reproduction): Reproduction {
  const asked = new Set(claims.flatMap((one) => (one.kind === 'status' ? [one.step] : [])));
  const isUsual = (step: ReproStep): step is ListenStep =>
    step.kind === 'listen' &&
    step.intentId === undefined &&
    step.token === step.party &&
    !asked.has(step.name);
  const usual = new Set(steps.filter(isUsual).map(({ name }) => name));
  const own = steps.flatMap((step): ReproStep[] => {
    if (step.kind === 'drop') return usual.has(step.stream) ? [] : [step];
    if (!isUsual(step)) return [step];
    const { resumes: _, ...opened } = step;
    return [{ ...opened, isOwn: true }];
  });
  return { ...rest, claims, steps: own };
}

/** Recorded id of the order that a step changes. */
function orderOf(step: ReproStep): string | undefined {
  if (step.kind !== 'call' || isStream(step.recorded)) return undefined;
  return step.recorded.request.method === 'GET' ? undefined : ordersOf(step.recorded)[0];
}

/** Gives the steps on each order the parties and values of the order with the most steps. */
function evenly({ steps, ...rest }: Reproduction): Reproduction {
  const byOrder = new Map<string, CallStep[]>();
  const places = new Map<CallStep, string>();
  for (const step of steps) {
    const order = orderOf(step);
    if (order === undefined || step.kind !== 'call') continue;
    const chain = byOrder.get(order) ?? [];
    byOrder.set(order, chain);
    const nth = chain.filter((one) => one.recorded.endpoint === step.recorded.endpoint).length;
    places.set(step, `${step.recorded.endpoint} ${nth}`);
    chain.push(step);
  }
  const [model = []] = [...byOrder.values()].toSorted((a, b) => b.length - a.length);
  const models = new Map(model.map((step) => [places.get(step), step]));
  return {
    ...rest,
    steps: steps.map((step) => {
      const like = step.kind === 'call' ? models.get(places.get(step)) : undefined;
      if (step.kind !== 'call' || !like) return step;
      const { control: _, body: __, ...bare } = step;
      const { party, token, headers, body, control, recorded } = like;
      return {
        ...bare,
        party,
        token,
        headers,
        ...(body && { body }),
        ...(control && { control }),
        // Permissions depend on the role.
        recorded: { ...step.recorded, party: recorded.party, role: recorded.role },
      };
    }),
  };
}

/**
 * Sorts steps without a pause between them by order; orders without a claim come first. Streams that are open from the
 * beginning come before all steps.
 */
function orderByOrder({ steps, claims, ...rest }: Reproduction): Reproduction {
  const claimed = new Set(claims.flatMap(stepsOfClaim));
  const isClaimed = new Set(
    steps.flatMap((step) => (isNamed(step) && claimed.has(step.name) ? (orderOf(step) ?? []) : [])),
  );
  const isOpen = (step: ReproStep): boolean => step.kind === 'listen' && step.isOwn;
  const sorted: ReproStep[] = steps.filter(isOpen);
  let together: { readonly step: ReproStep; readonly order: string }[] = [];
  const flush = (): void => {
    const orders = [...new Set(together.map(({ order }) => order))].toSorted(
      (a, b) => Number(isClaimed.has(a)) - Number(isClaimed.has(b)),
    );
    for (const order of orders) {
      sorted.push(...together.filter((one) => one.order === order).map(({ step }) => step));
    }
    together = [];
  };
  for (const step of steps.filter((one) => !isOpen(one))) {
    const order = orderOf(step);
    if (order !== undefined) together.push({ step, order });
    else {
      flush();
      sorted.push(step);
    }
  }
  flush();
  return { ...rest, claims, steps: sorted };
}

/** Maximum number of plays for shortening a flow. */
const mostPlays = 120;

/** Leaves out the steps without which the rest still shows the failure; the last first, since they depend on others. */
export async function shortened(
  reproduction: Reproduction,
  proves: (less: Reproduction) => Promise<boolean>,
): Promise<Reproduction> {
  let plays = 0;
  const claimed = new Set(
    [...reproduction.claims, ...(reproduction.inScript ?? [])].flatMap(stepsOfClaim),
  );
  const isFree = (step: ReproStep): boolean => !isNamed(step) || !claimed.has(step.name);
  const withOnly = (free: readonly ReproStep[]): Reproduction => {
    const kept = new Set(free);
    return {
      ...reproduction,
      steps: reproduction.steps.filter((step) => !isFree(step) || kept.has(step)),
    };
  };
  const free = await shrinkSteps(
    reproduction.steps.filter(isFree),
    { smaller: () => [] },
    async (left) => {
      if (plays >= mostPlays) return 'spent';
      plays += 1;
      return (await proves(withOnly(left))) ? 'shows' : 'shows not';
    },
  );
  return withFewerAnswers(withOnly(free), proves);
}

/** Leaves out the answers to gaps that do not matter. Tries to leave out all of them first. */
async function withFewerAnswers(
  reproduction: Reproduction,
  proves: (less: Reproduction) => Promise<boolean>,
): Promise<Reproduction> {
  const all = Object.entries(reproduction.answers ?? {});
  if (all.length === 0) return reproduction;
  const none = { ...reproduction, answers: {} };
  if (await proves(none)) return none;
  let left = all;
  for (const one of all.length > 1 ? all : []) {
    const fewer = left.filter((other) => other !== one);
    if (await proves({ ...reproduction, answers: Object.fromEntries(fewer) })) left = fewer;
  }
  return { ...reproduction, answers: Object.fromEntries(left) };
}
