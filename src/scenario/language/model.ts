import type { CastName } from '../../spec/requirements/requirement.ts';
import type { ActionArgs, ActionName } from './actions.ts';
import type { Matcher } from './matchers.ts';
import type { Arg, Located } from './reader.ts';
import type { At, Entry } from './shapes.ts';
import type { SourceLocation } from './source-location.ts';

/** Expected refusal: any 4xx, one of these statuses, or `maybe` none at all, if other steps run at the same time. */
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
  /** Location of the key with the party. */
  readonly at: SourceLocation;
  readonly party: CastName;
  readonly action: At<ActionName>;
  readonly args: ActionArgs;
  readonly save?: At<string>;
  readonly expect?: Matcher;
  /** Matcher for the whole answer: its envelope, its status and its headers. */
  readonly wholeAnswer?: Matcher;
  readonly answered?: At<number>;
  readonly refused?: Refusal;
  readonly eventually?: Eventually;
  /** The answer must arrive before this moment; on a target's own clock it may come too late to judge. */
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
  /** Parties of which one that sees it is enough. */
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
  /** Nothing can be stored for this long, in milliseconds. */
  | { readonly kind: 'fill disk'; readonly ms: number };

/**
 * The target is killed, and starts again after `ms` milliseconds. `lostBytes`: killed in the middle of its next write,
 * of which this number of bytes is lost; absent: killed at once.
 */
export interface RestartPlan {
  readonly kind: 'restart';
  readonly ms: number;
  readonly lostBytes?: number;
}

/** A fault of one order: an existing order, or the next one that is created. */
export type OrderFault = Extract<
  FaultPlan,
  { readonly kind: 'revert' | 'stall' | 'withdraw' | 'invalid' }
>;

export interface FaultStep {
  readonly kind: 'fault';
  readonly at: SourceLocation;
  readonly fault: FaultPlan;
  /** Text of the fault in the file. */
  readonly says: string;
  /** An existing order; absent: the next order that is created. */
  readonly of?: Located;
}

export interface RepeatStep {
  readonly kind: 'repeat';
  readonly at: SourceLocation;
  /** A number of rounds, or a list: one round for each of its items. */
  readonly times: number | Located;
  /** Name for the number of the round, from 1, or for its item. */
  readonly as?: At<string>;
  /** Milliseconds from the start of one round to the start of the next. */
  readonly everyMs?: number;
  /** All rounds start at the same time. */
  readonly atOnce?: true;
  readonly steps: readonly Step[];
}

/**
 * Steps that several parties perform in the same way, one after another. Other parties must not be able to tell which
 * one it was.
 */
export interface AsEachStep {
  readonly kind: 'as_each';
  readonly at: SourceLocation;
  /** The first one performs the steps as written. */
  readonly parties: readonly At<CastName>[];
  /** Parties that must receive the same in each round. */
  readonly alikeFor: readonly At<CastName>[];
  /** Duration of each round after its last step, in milliseconds. */
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
  /** Values of the template, with the names to save them under. */
  readonly save: readonly {
    readonly given: string;
    readonly name: string;
    readonly at: SourceLocation;
  }[];
}

/** A step with an error, which has been reported. The names that it would have saved are treated as known. */
interface BrokenStep {
  readonly kind: 'broken';
  readonly at: SourceLocation;
  /** The parts that could be read. */
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

/** A scenario as parsed from its file. */
export interface ParsedScenario {
  readonly file: string;
  readonly title: At<string>;
  readonly verifies: readonly At<string>[];
  readonly parties: readonly At<CastName>[];
  readonly tags: readonly At<string>[];
  readonly drivenClock: boolean;
  /** The scenario counts existing data, so it needs a target that nobody else uses. */
  readonly alone: boolean;
  readonly gaps: readonly Entry<At<string>>[];
  readonly imports: readonly At<string>[];
  readonly templates: readonly Template[];
  /** Defaults of the values, or the values from the command line. */
  readonly values: readonly Entry<Arg>[];
  readonly examples: readonly ExampleRow[];
  /** Path of the file with the examples. */
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
