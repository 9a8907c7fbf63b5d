import type { CastName } from '../../spec/requirements/index.ts';

/** Labels of a sequence's own orders and quotes, as "order 1" and "quote 2". Labels stay if other steps are removed. */
export type Label = string;

export type Maker = 'maker_a' | 'maker_b' | 'maker_c';

/** Requested validity of a quote. `beyond`: longer than its order lives. */
export type Validity = 'usual' | 'brief' | 'beyond';

/** One command of one party about one order. */
export type Command =
  | {
      readonly do: 'quote';
      readonly order: Label;
      readonly label: Label;
      readonly by: Maker;
      readonly rate: string;
      readonly validity: Validity;
    }
  | { readonly do: 'accept'; readonly order: Label; readonly quote: Label; readonly by: CastName }
  | { readonly do: 'cancel'; readonly order: Label; readonly by: CastName }
  | { readonly do: 'accept the proposal'; readonly order: Label; readonly by: CastName }
  | { readonly do: 'read'; readonly order: Label; readonly by: CastName }
  | { readonly do: 'list the quotes'; readonly order: Label; readonly by: CastName };

export type Step =
  | Command
  | {
      readonly do: 'create';
      readonly label: Label;
      readonly by: 'sender' | 'outsider';
      /** `tight`: less than rate "1" costs. */
      readonly maximum: 'ample' | 'tight';
    }
  | { readonly do: 'list orders'; readonly by: CastName }
  | { readonly do: 'list requests'; readonly by: Maker }
  | { readonly do: 'wait'; readonly ms: number }
  /** Waits until `leadMs` before a quote's deadline; a negative lead is past it. */
  | { readonly do: 'await the deadline'; readonly quote: Label; readonly leadMs: number }
  /** Sent at once. */
  | { readonly do: 'at once'; readonly commands: readonly Command[] };

const plain: readonly Step['do'][] = [
  'create',
  'list orders',
  'list requests',
  'wait',
  'await the deadline',
  'at once',
];
export const isCommand = (step: Step): step is Command => !plain.includes(step.do);

/** A sequence of steps. Steps about a missing thing (such as a refused quote) do nothing. */
export type Sequence = readonly Step[];

/** A step as a person would say it. */
export function describeStep(step: Step): string {
  switch (step.do) {
    case 'create':
      return `${step.by} creates ${step.label}${step.maximum === 'tight' ? ' with a maximum below its amount' : ''}`;
    case 'quote': {
      const validity = step.validity === 'usual' ? '' : `, valid ${validityPhrases[step.validity]}`;
      return `${step.by} quotes ${step.order} at ${step.rate}${validity}: ${step.label}`;
    }
    case 'accept':
      return `${step.by} accepts ${step.quote} on ${step.order}`;
    case 'cancel':
      return `${step.by} cancels ${step.order}`;
    case 'accept the proposal':
      return `${step.by} accepts the proposal of ${step.order}`;
    case 'read':
      return `${step.by} reads ${step.order}`;
    case 'list the quotes':
      return `${step.by} lists the quotes of ${step.order}`;
    case 'list orders':
      return `${step.by} lists orders`;
    case 'list requests':
      return `${step.by} lists requests`;
    case 'wait':
      return `${step.ms} ms pass`;
    case 'await the deadline':
      return step.leadMs >= 0
        ? `${step.leadMs} ms are left to ${step.quote}`
        : `${step.quote} is over for ${-step.leadMs} ms`;
    case 'at once':
      return `at once: ${step.commands.map(describeStep).join('; ')}`;
  }
}

const validityPhrases = { brief: 'for a moment', beyond: 'longer than the order' } as const;

/** Number of commands that a sequence sends. */
export const sizeOf = (steps: Sequence): number =>
  steps.reduce((sum, step) => sum + (step.do === 'at once' ? step.commands.length : 1), 0);
