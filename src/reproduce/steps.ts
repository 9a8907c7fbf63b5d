import type { Exchange } from '../history/records.ts';
import type { FormName } from '../spec/forms.ts';
import type { CastName, ControlName } from '../spec/requirements/requirement.ts';

/** Where in a body something stands. `where`: the item of a list that a field of it tells from the others. */
export type PathPart = string | number | { readonly where: string; readonly is: Template };

/**
 * A value as a reproduction writes it, in place of what was recorded. `answer`, `sent`: of the body of an earlier step.
 * `party`: its identifier. `later`: a moment so long after now. `fresh`: drawn anew for each run.
 */
export type Template =
  | { readonly kind: 'plain'; readonly value: unknown }
  | {
      readonly kind: 'answer' | 'sent';
      readonly step: string;
      readonly path: readonly (string | number)[];
    }
  | { readonly kind: 'party'; readonly party: CastName }
  | { readonly kind: 'later'; readonly ms: number }
  | { readonly kind: 'fresh'; readonly digits: number; readonly end: string }
  | { readonly kind: 'text'; readonly parts: readonly Template[] }
  | { readonly kind: 'object'; readonly fields: readonly (readonly [string, Template])[] }
  | { readonly kind: 'list'; readonly items: readonly Template[] };

/** What a value must be. */
export type Test =
  | { readonly test: 'equals' | 'differs' | 'lacks' | 'names'; readonly value: Template }
  | { readonly test: 'at_most' | 'at_least'; readonly value: Template }
  | { readonly test: 'one_of' | 'none_of'; readonly values: readonly unknown[] }
  | { readonly test: 'present' | 'absent' | 'object' | 'list' | 'count' | 'text' }
  /** Text with this in it. */
  | { readonly test: 'has'; readonly text: string }
  | { readonly test: 'form'; readonly form: FormName };

/**
 * Whose token goes along. `text`: one that is none, as it is or after a good one. `issued`: the one that a step was
 * answered with. `expired`: the one that a party had in the beginning, which has expired by now.
 */
export type Credential =
  | CastName
  | 'none'
  | { readonly kind: 'text'; readonly text: string; readonly after?: CastName }
  | { readonly kind: 'issued'; readonly step: string }
  | { readonly kind: 'expired'; readonly party: CastName };

/** One request of a party. */
export interface CallStep {
  readonly kind: 'call';
  /** What later steps know its answer by. */
  readonly name: string;
  readonly party: CastName;
  readonly token: Credential;
  /** With its query. */
  readonly path: Template;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Template;
  readonly intentId?: Template;
  readonly quoteId?: Template;
  /** What pushes the order that it creates off its path. */
  readonly control?: ControlName;
  readonly recorded: Exchange;
}

/** A stream that stays open from here on. */
export interface ListenStep {
  readonly kind: 'listen';
  readonly name: string;
  readonly party: CastName;
  readonly path: Template;
  readonly intentId?: Template;
  /** Open from the beginning, as every party's own stream is. */
  readonly isOwn: boolean;
  readonly recorded: Exchange;
}

export interface WaitStep {
  readonly kind: 'wait';
  readonly ms: number;
}

export type ReproStep = CallStep | ListenStep | WaitStep;

/** What must hold, and does not. */
export type Claim =
  | {
      readonly kind: 'status';
      readonly step: string;
      readonly must: 'succeed' | 'be refused' | 'be answered' | number;
    }
  | {
      readonly kind: 'value';
      readonly step: string;
      readonly of: 'body' | 'headers';
      readonly path: readonly PathPart[];
      readonly test: Test;
    }
  | {
      /** Of the token that a step was answered with. */
      readonly kind: 'token claim';
      readonly step: string;
      readonly claim: string;
      readonly test: Test;
    }
  | {
      readonly kind: 'event';
      readonly stream: string;
      readonly event: string;
      /** Only events of this order. */
      readonly of?: Template;
      readonly fields: readonly (readonly [path: readonly string[], Test])[];
      /** A number: so many of them, and no more. */
      readonly must: 'come' | 'not come' | number;
      readonly withinMs: number;
    };

/** The finding that is reproduced. */
export interface Shown {
  /** The check that was replayed. */
  readonly check: string;
  /** The check or the rule that found it. */
  readonly source: string;
  readonly requirement: string;
  readonly part: string;
  readonly summary: string;
  readonly message: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
}

/** A failure as a sequence that shows it. */
export interface Reproduction {
  readonly shown: Shown;
  readonly steps: readonly ReproStep[];
  /** Empty: what must hold cannot be said of single answers; only the rules of `assay play` tell. */
  readonly claims: readonly Claim[];
}

/** Whether the scenario language can say it: it looks into no token, and counts events by their name alone. */
export const isPlayable = (claim: Claim): boolean =>
  claim.kind !== 'token claim' &&
  !(claim.kind === 'event' && typeof claim.must === 'number' && claim.fields.length > 0);

export const plain = (value: unknown): Template => ({ kind: 'plain', value });
