import type { CastName } from '../../spec/requirements/requirement.ts';
import type { ActionArgs, ActionName } from './actions.ts';
import type { Matcher } from './matchers.ts';
import type { Arg, Located } from './reader.ts';
import type { At, Entry } from './shapes.ts';
import type { SourceLocation } from './source-location.ts';

/** A refusal: any 4xx, one of these statuses, or, where something else goes on at the same time, none at all. */
export interface Refusal {
  readonly at: SourceLocation;
  readonly statuses: 'any' | 'maybe' | readonly number[];
}

export interface Eventually {
  readonly at: SourceLocation;
  readonly withinMs: number;
  readonly everyMs: number;
}

export interface ActStep {
  readonly kind: 'act';
  /** The party's key. */
  readonly at: SourceLocation;
  readonly party: CastName;
  readonly action: At<ActionName>;
  readonly args: ActionArgs;
  readonly save?: At<string>;
  readonly expect?: Matcher;
  /** Of the answer with its envelope, its status and its headers. */
  readonly wholeAnswer?: Matcher;
  readonly answered?: At<number>;
  readonly refused?: Refusal;
  readonly eventually?: Eventually;
  /** The answer must be here before this moment; on a clock of its own it may come too late to tell. */
  readonly before?: Located;
}

export interface EventMatcher {
  readonly at: SourceLocation;
  readonly event: string;
  readonly payload?: Matcher;
}

export interface SeesStep {
  readonly kind: 'sees';
  readonly at: SourceLocation;
  readonly party: CastName;
  /** It is enough that one of these sees it. */
  readonly or: readonly CastName[];
  readonly of?: Located;
  readonly on?: Located;
  readonly since?: Located;
  readonly in_order?: readonly EventMatcher[];
  readonly in_any_order?: readonly EventMatcher[];
  readonly exactly?: readonly EventMatcher[];
  readonly never?: readonly EventMatcher[];
  readonly at_most_once?: readonly EventMatcher[];
  readonly count?: readonly Entry<Matcher>[];
  readonly stream?: At<'ended' | 'open'>;
  readonly withinMs?: number;
  readonly forMs?: number;
}

interface AssertStep {
  readonly kind: 'assert';
  readonly at: SourceLocation;
  readonly value: Located;
  readonly is: Matcher;
}

export interface WaitStep {
  readonly kind: 'wait';
  readonly at: SourceLocation;
  readonly how: 'for' | 'until';
  readonly value: Located | number;
}

export interface TogetherStep {
  readonly kind: 'together';
  readonly at: SourceLocation;
  readonly branches: readonly (readonly Step[])[];
}

export type FaultPlan =
  | { readonly kind: 'revert'; readonly leg: 1 | 2 | 3 | 4 }
  | { readonly kind: 'stall' | 'withdraw' | 'invalid' }
  | { readonly kind: 'drop'; readonly party: CastName }
  | { readonly kind: 'delay'; readonly party: CastName; readonly ms: number }
  | RestartPlan
  /** Nothing can be kept for so long. */
  | { readonly kind: 'fill disk'; readonly ms: number };

/**
 * The target is killed and starts again so much later. `lostBytes`: in the middle of its next write, of which so many
 * bytes are lost; absent: at once.
 */
export interface RestartPlan {
  readonly kind: 'restart';
  readonly ms: number;
  readonly lostBytes?: number;
}

/** Strikes one order: one that is there, or the next one that is created. */
export type OrderFault = Extract<
  FaultPlan,
  { readonly kind: 'revert' | 'stall' | 'withdraw' | 'invalid' }
>;

export interface FaultStep {
  readonly kind: 'fault';
  readonly at: SourceLocation;
  readonly fault: FaultPlan;
  /** The words for it. */
  readonly says: string;
  /** An order that is there already; without it, the next one that is created. */
  readonly of?: Located;
}

export interface RepeatStep {
  readonly kind: 'repeat';
  readonly at: SourceLocation;
  /** A number of rounds, or a list: one round for each of its items. */
  readonly times: number | Located;
  /** The number of the round, from 1, or its item. */
  readonly as?: At<string>;
  /** From the beginning of one round to the beginning of the next. */
  readonly everyMs?: number;
  /** All rounds begin together. */
  readonly atOnce?: true;
  readonly steps: readonly Step[];
}

/** Steps that each of some parties takes in the same way, while others are not to tell who it was. */
export interface AsEachStep {
  readonly kind: 'as_each';
  readonly at: SourceLocation;
  /** The first one is who takes them as they are written. */
  readonly parties: readonly At<CastName>[];
  /** What these get is the same each time. */
  readonly alikeFor: readonly At<CastName>[];
  /** How long each round goes on after its last step. */
  readonly forMs?: number;
  readonly steps: readonly Step[];
}

export interface LetStep {
  readonly kind: 'let';
  readonly at: SourceLocation;
  readonly values: readonly Entry<Arg>[];
}

export interface UseStep {
  readonly kind: 'use';
  readonly at: SourceLocation;
  readonly template: At<string>;
  readonly with: readonly Entry<Arg>[];
  /** What the template gives, by the name to save it under. */
  readonly save: readonly {
    readonly given: string;
    readonly name: string;
    readonly at: SourceLocation;
  }[];
}

/** A step with something wrong: that has been said, and what it would have saved is taken for granted. */
interface BrokenStep {
  readonly kind: 'broken';
  readonly at: SourceLocation;
  /** What of it could be read. */
  readonly read?: Step;
  readonly saves: readonly string[];
}

export type Step =
  | BrokenStep
  | ActStep
  | SeesStep
  | AssertStep
  | WaitStep
  | TogetherStep
  | FaultStep
  | RepeatStep
  | AsEachStep
  | LetStep
  | UseStep;

export const kindsOfValue = [
  'text',
  'decimal',
  'moment',
  'duration',
  'number',
  'order',
  'quote',
] as const;
type KindOfValue = (typeof kindsOfValue)[number];

export interface Template {
  readonly at: SourceLocation;
  readonly name: string;
  readonly takes: readonly Entry<{ readonly kind: KindOfValue; readonly otherwise?: Arg }>[];
  readonly steps: readonly Step[];
  readonly gives: readonly At<string>[];
}

/** A scenario as its file has it. */
export interface ParsedScenario {
  readonly file: string;
  readonly title: At<string>;
  readonly verifies: readonly At<string>[];
  readonly parties: readonly At<CastName>[];
  readonly tags: readonly At<string>[];
  readonly drivenClock: boolean;
  /** It counts what is there, so it needs a target that nobody else uses. */
  readonly alone: boolean;
  readonly gaps: readonly Entry<At<string>>[];
  readonly imports: readonly At<string>[];
  readonly templates: readonly Template[];
  /** Their defaults, or what the command line gives. */
  readonly values: readonly Entry<Arg>[];
  readonly examples: readonly ExampleRow[];
  /** The path of the file that holds the examples. */
  readonly examplesFrom?: At<string>;
  readonly setup: readonly Step[];
  readonly steps: readonly Step[];
  readonly always: readonly Step[];
}

export interface ExampleRow {
  readonly at: SourceLocation;
  /** Absent in a list of rows. */
  readonly name?: string;
  readonly cells: readonly Entry<Arg>[];
}
