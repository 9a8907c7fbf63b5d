import type { Command, CreateCommand, Fault, Moment, PlannedStep } from '../plan.ts';

type QuoteCommand = Extract<Command, { readonly do: 'quote' }>;

/** Values of a step that has nothing special. */
const usual = {
  sourceCurrency: 'USD',
  targetCurrency: 'EUR',
  targetAmount: '1000.00',
  maximum: '2000.00',
  rate: '1',
  validityMs: 30_000,
  ms: 1_000,
} as const;

/** A plain wait after which a landmark has passed: then nothing of the world needs to stay for its sake. */
const pastMs = { 'end of day': 86_400_000, 'token expiry': 3_605_000, others: 65_000 } as const;

function plainerMoments(at: Moment): Moment[] {
  if ('near' in at) {
    const { of } = at.near;
    const pastIt = of === 'end of day' || of === 'token expiry' ? pastMs[of] : pastMs.others;
    const plain = [{ afterMs: 0 }, { afterMs: pastIt }];
    return [...plain, ...(at.leadMs === 0 ? [] : [{ ...at, leadMs: 0 }])];
  }
  if (at.afterMs === 0) return [];
  const rounded = Math.ceil(at.afterMs / 1_000) * 1_000;
  return [{ afterMs: 0 }, ...(at.afterMs === rounded ? [] : [{ afterMs: rounded }])];
}

/** Copies of the object, one for each change that changes a member; changes without effect are left out. */
const changed = <T extends object>(one: T, ...changes: readonly Partial<T>[]): T[] =>
  changes
    .filter((change) =>
      Object.entries(change).some(([key, value]) => one[key as keyof T] !== value),
    )
    .map((change) => ({ ...one, ...change }));

function without<T extends object>(one: T, ...names: readonly (keyof T & string)[]): T[] {
  return names
    .filter((name) => one[name] !== undefined)
    .map((name) => {
      const { [name]: _, ...rest } = one;
      return rest as T;
    });
}

function plainerCommands(command: Command): Command[] {
  if (command.do === 'create') return plainerCreation(command);
  if (command.do === 'quote') return plainerQuote(command);
  if (command.do === 'list') return without(command, 'page', 'pageSize', 'status');
  if (command.do === 'listen') return without(command, 'resumes', 'order');
  if (command.do === 'stray') return without(command, 'token', 'order');
  return command.do === 'burst' && command.count > 2 ? [{ ...command, count: 2 }] : [];
}

function plainerCreation(command: CreateCommand): CreateCommand[] {
  const { sourceCurrency, targetCurrency, targetAmount, maximum } = usual;
  return [
    ...changed(command, { sourceCurrency, targetCurrency, targetAmount, maximum }),
    ...changed(command, { sourceCurrency, targetCurrency }, { targetAmount, maximum }),
    ...without(command, 'memo', 'senderInBody'),
  ];
}

function plainerQuote(command: QuoteCommand): QuoteCommand[] {
  const isUsual = 'forMs' in command.validity && command.validity.forMs === usual.validityMs;
  return [
    ...(isUsual ? [] : [{ ...command, validity: { forMs: usual.validityMs } }]),
    ...changed(command, { rate: usual.rate }),
  ];
}

function plainerFaults(fault: Fault): Fault[] {
  if (fault.fault === 'restart')
    return [
      ...without(fault, 'tornBytes'),
      ...changed(fault, { ms: 0 }),
      ...(fault.tornBytes === undefined ? [] : changed(fault, { tornBytes: 0 })),
    ];
  // If the fault only needs a disk to exist, a restart is easier to understand.
  if (fault.fault === 'disk full')
    return [{ ...fault, fault: 'restart', ms: 0 }, ...changed(fault, { ms: usual.ms })];
  if ('ms' in fault) return changed(fault, { ms: usual.ms });
  return fault.fault === 'leg reverts' ? changed(fault, { leg: 1 }) : [];
}

/** All one-step simplifications of a step, simplest first. */
export function plainerSteps(step: PlannedStep): PlannedStep[] {
  const moments = plainerMoments(step.at).map((at) => ({ ...step, at }));
  const plainer: readonly object[] = 'fault' in step ? plainerFaults(step) : plainerCommands(step);
  return [...(plainer as readonly PlannedStep[]), ...moments];
}

/** Simplifies all orders at once, then all quotes; without those that do not change anything. */
export function plainerTogether(steps: readonly PlannedStep[]): (readonly PlannedStep[])[] {
  const plainest = (kind: Command['do']) =>
    steps.map((step) =>
      'do' in step && step.do === kind
        ? { ...step, ...(plainerCommands(step)[0] as Partial<PlannedStep> | undefined) }
        : step,
    );
  return [plainest('create'), plainest('quote')].filter((some) =>
    some.some((step, index) => JSON.stringify(step) !== JSON.stringify(steps[index])),
  ) as (readonly PlannedStep[])[];
}

/** The moment of a step once the step before it, with its own moment, is left out. */
function together(before: Moment, at: Moment): Moment {
  if ('near' in at) return at;
  return 'near' in before
    ? { ...before, leadMs: before.leadMs - at.afterMs }
    : { afterMs: before.afterMs + at.afterMs };
}

/** Removes some steps; the others stay at their moments, as far as those are known. */
export function withoutSteps(
  steps: readonly PlannedStep[],
  from: number,
  size: number,
): readonly PlannedStep[] {
  const [first, ...after] = steps.slice(from + size);
  if (!first) return steps.slice(0, from);
  const moments = [...steps.slice(from, from + size), first].map(({ at }) => at);
  return [...steps.slice(0, from), { ...first, at: moments.reduce(together) }, ...after];
}
