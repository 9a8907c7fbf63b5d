import { isObject, type JsonObject } from '../history/json.ts';
import type { Exchange } from '../history/records.ts';
import type { FaultPlan } from '../faults/faults.ts';
import type { FormName } from '../spec/forms.ts';
import type { GapId } from '../spec/gaps/index.ts';
import type { CastName, ControlName } from '../spec/requirements/requirement.ts';

/**
 * Part of a path in a JSON body. `where`: the list item with this value in a field. `each`: every item of a list whose
 * items cannot be told apart beforehand.
 */
export type PathPart =
  | string
  | { readonly where: string; readonly is: Template }
  | { readonly each: true };

/**
 * A value in a reproduction, in place of the recorded one. `answer`, `sent`: from the body of an earlier step. `party`:
 * its identifier. `later`: a time relative to now. `fresh`: drawn anew for each run. `count`: number of items in a
 * list. `joined`: several lists as one. `pages`: number of pages that the items fill. `claims`: claims of a token.
 * `field`: one of these claims. `epoch`: a time in seconds, as in tokens. `math`: calculation with numbers, or with
 * times, whose difference is a duration.
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
  | { readonly kind: 'count' | 'claims' | 'epoch'; readonly of: Template }
  | { readonly kind: 'field'; readonly of: Template; readonly field: string }
  | { readonly kind: 'joined'; readonly lists: readonly [Template, ...Template[]] }
  | { readonly kind: 'pages'; readonly items: Template; readonly size: Template }
  | { readonly kind: 'duration'; readonly ms: number }
  | {
      readonly kind: 'math';
      readonly op: '+' | '-' | '*' | '/';
      readonly left: Template;
      readonly right: Template;
    }
  | { readonly kind: 'object'; readonly fields: readonly (readonly [string, Template])[] }
  | { readonly kind: 'list'; readonly items: readonly Template[] };

/** Condition on a value. */
export type Test =
  | {
      readonly test: 'equals' | 'differs' | 'lacks' | 'names' | 'at_most' | 'at_least';
      readonly value: Template;
    }
  /** Maximum distance: a number as text; for times, milliseconds. */
  | { readonly test: 'near'; readonly value: Template; readonly within: string | number }
  /** At least one of these. */
  | { readonly test: 'any'; readonly of: readonly Test[] }
  /** A list in which no two items have the same value in a field. */
  | { readonly test: 'unique'; readonly field: string }
  /** An object with a condition on one field. */
  | { readonly test: 'field'; readonly field: string; readonly is: Test }
  | { readonly test: 'one_of'; readonly values: readonly unknown[] }
  | { readonly test: 'present' | 'absent' | 'object' | 'list' | 'count' | 'text' }
  | { readonly test: 'form'; readonly form: FormName };

/**
 * Token that is sent with a request; a name alone: that party's own token. `text`: text that is no token, alone or
 * after a good token. `issued`: the token in the answer to a step. `unsigned`: a good token without signature, whose
 * header says so. `first`: the first token of a party, of any age. `expired`: the first token, expired by now.
 * `signed`: the party's token with changed claims, signed with the target's own key; `null` removes a claim. `header`:
 * a good token in another header than that of bearer tokens, between `parts`.
 */
export type Credential =
  | CastName
  | 'none'
  | { readonly kind: 'text'; readonly text: string; readonly after?: CastName }
  | { readonly kind: 'issued'; readonly step: string }
  | { readonly kind: 'first'; readonly party: CastName }
  | { readonly kind: 'expired'; readonly party: CastName }
  | { readonly kind: 'unsigned'; readonly party: CastName }
  | {
      readonly kind: 'signed';
      readonly party: CastName;
      readonly claims: Readonly<Record<string, unknown>>;
    }
  | {
      readonly kind: 'header';
      readonly header: string;
      readonly parts: readonly string[];
      readonly party: CastName;
    };

/** One request of a party. */
export interface CallStep {
  readonly kind: 'call';
  /** Name of its answer for later steps. */
  readonly name: string;
  readonly party: CastName;
  readonly token: Credential;
  /** Path with query. */
  readonly path: Template;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Template;
  readonly intentId?: Template;
  readonly quoteId?: Template;
  /** Control that causes a deliberate fault of the order that it creates. */
  readonly control?: ControlName;
  /** No other step uses its answer: a sound backend may refuse it. */
  readonly mayBeRefused?: true;
  /** Milliseconds for which it is sent again until its claims hold. */
  readonly patienceMs?: number;
  readonly recorded: Exchange;
}

/** A stream that stays open from here on. */
export interface ListenStep {
  readonly kind: 'listen';
  readonly name: string;
  readonly party: CastName;
  readonly token: Credential;
  readonly path: Template;
  readonly intentId?: Template;
  /** True if it is open from the beginning, like every party's own stream. */
  readonly isOwn: boolean;
  /** Name of the step that first opened the stream. This step resumes it after its last event. */
  readonly resumes?: string;
  readonly recorded: Exchange;
}

/** End of a stream before it is resumed. */
export interface DropStep {
  readonly kind: 'drop';
  readonly party: CastName;
  /** Name of the step that first opened it. */
  readonly stream: string;
}

/** A deliberate fault. */
export interface FaultStep {
  readonly kind: 'fault';
  readonly fault: FaultPlan;
  /** The only order that it affects. */
  readonly of?: Template;
}

export interface WaitStep {
  readonly kind: 'wait';
  readonly ms: number;
  readonly until?: Until;
}

export interface Until {
  /** Next occurrence of this UTC time of the day or of the year: `23:59:58.500`, `12-31T23:59:58.500`. */
  readonly next: string;
  /** Milliseconds before it. */
  readonly lessMs: number;
}

/** Steps with an answer that later steps may refer to. */
export type NamedStep = CallStep | ListenStep;
export type ReproStep = NamedStep | WaitStep | DropStep | FaultStep;

/** True if the recorded request was granted. */
export const wasGranted = ({ recorded: { response } }: NamedStep): boolean =>
  response !== undefined && response.status >= 200 && response.status < 300;

export const isNamed = (step: ReproStep): step is NamedStep =>
  step.kind === 'call' || step.kind === 'listen';

/** A deliberate fault during a recording. */
export interface FaultEvent {
  readonly at: number;
  /** Number of records in the history by then. */
  readonly precededBy: number;
  readonly fault: FaultPlan;
  /** Milliseconds in which no party could do anything. */
  readonly lastsMs: number;
  /** The only order that it affected. */
  readonly intentId?: string;
}

/** A condition that must hold, and fails on the target. */
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
      /** It also holds if the request is refused. */
      readonly orRefused?: true;
    }
  | {
      /** Compares answers, or parts of one answer. Judged when all of them are there. */
      readonly kind: 'compare';
      readonly value: Template;
      readonly test: Test;
      /** Description of the value. */
      readonly what: string;
    }
  | {
      /** Condition on the raw text of each message of a stream. For scripts only. */
      readonly kind: 'lines';
      readonly stream: string;
      readonly must: 'have names' | 'have JSON' | { readonly lack: Template };
      readonly withinMs: number;
    }
  | {
      /** Party `for` must not be able to tell which of `parties` took the steps. For scenarios only. */
      readonly kind: 'alike';
      readonly parties: readonly [CastName, CastName];
      readonly for: CastName;
    }
  | {
      readonly kind: 'event';
      readonly stream: string;
      /** Further streams: one of them having the event is enough. */
      readonly or?: readonly string[];
      readonly event: string;
      /** Only events of this order. */
      readonly of?: Template;
      readonly fields: readonly (readonly [path: readonly string[], Test])[];
      /** Step after which the event is judged. Absent: at the end. */
      readonly after?: string;
      /** A number: exactly as many events. `come once at most`: counts events with these fields. */
      readonly must:
        | 'come'
        | 'not come'
        | 'come once at most'
        | number
        | { readonly atMost: number }
        | { readonly atLeast: number };
      readonly withinMs: number;
    };

export type ClaimOf<K extends Claim['kind']> = Extract<Claim, { readonly kind: K }>;

/** The finding that is reproduced. */
export interface Shown {
  /** The check that was replayed. For other histories, a description: `the world of seed 7`. */
  readonly check: string;
  /** The check or the rule that found it. */
  readonly source: string;
  /** Empty: it breaks no requirement by itself. */
  readonly requirement: string;
  readonly part: string;
  readonly summary: string;
  readonly message: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
}

/** A failure as a flow that shows it. */
export interface Reproduction {
  readonly shown: Shown;
  readonly steps: readonly ReproStep[];
  /** Empty: no condition on single answers expresses the failure; only the rules of `assay play` show it. */
  readonly claims: readonly Claim[];
  /** Claims of a script, if a scenario leaves the judgement to the rules. */
  readonly inScript?: readonly Claim[];
  /** Answers to gaps that the flow needs from a target. */
  readonly answers?: { readonly [id in GapId]?: string };
}

/** Every object within a part of a reproduction, the recorded exchanges apart. */
export function* objectsIn(piece: unknown): Generator<JsonObject> {
  if (isObject(piece)) yield piece;
  if (typeof piece !== 'object' || piece === null) return;
  for (const [key, value] of Object.entries(piece)) {
    if (key !== 'recorded') yield* objectsIn(value);
  }
}

/** Names of the steps whose answers or requests a part of a reproduction refers to. */
export const referredIn = (piece: unknown): string[] =>
  [...objectsIn(piece)].flatMap(({ kind, step }) => {
    const refers = kind === 'answer' || kind === 'sent' || kind === 'issued';
    return refers && typeof step === 'string' ? [step] : [];
  });

/** The steps that a claim is about. */
export const stepsOfClaim = (claim: Claim): readonly string[] => {
  if (claim.kind === 'compare') return referredIn([claim.value, claim.test]);
  if (claim.kind === 'lines') return [claim.stream, ...referredIn(claim.must)];
  if (claim.kind === 'alike') return [];
  if (claim.kind !== 'event') return [claim.step];
  return [claim.stream, ...(claim.or ?? []), ...(claim.after === undefined ? [] : [claim.after])];
};

/**
 * Claims that are judged directly after this step: events with this step in `after`, and comparisons whose last step is
 * this one.
 */
export const judgedAfter = (
  step: ReproStep,
  { steps, claims }: Pick<Reproduction, 'steps' | 'claims'>,
): readonly Claim[] =>
  claims.filter((claim) => {
    if (!isNamed(step)) return false;
    if (claim.kind === 'event') return claim.after === step.name;
    if (claim.kind !== 'compare') return false;
    const named = stepsOfClaim(claim);
    return steps.findLast((one) => isNamed(one) && named.includes(one.name)) === step;
  });

export const plain = (value: unknown): Template => ({ kind: 'plain', value });
