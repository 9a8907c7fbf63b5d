import type { Exchange } from '../history/records.ts';
import type { FormName } from '../spec/forms.ts';
import type { GapId } from '../spec/gaps/index.ts';
import type { CastName, ControlName } from '../spec/requirements/requirement.ts';

/**
 * Where in a body something stands. `where`: the item of a list that a field of it tells from the others. `each`: every
 * item of a list, none of which can be told from the others beforehand.
 */
export type PathPart =
  | string
  | { readonly where: string; readonly is: Template }
  | { readonly each: true };

/**
 * A value as a reproduction writes it, in place of what was recorded. `answer`, `sent`: of the body of an earlier step.
 * `party`: its identifier. `later`: a moment so long after now. `fresh`: drawn anew for each run. `count`: how many items
 * a list has. `joined`: several lists as one. `pages`: how many pages so many items fill. `claims`: what a token states.
 * `field`: of what a token states. `epoch`: a moment in seconds, as tokens give it. `math`: of numbers, or of moments,
 * whose difference is a duration.
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

/** What a value must be. */
export type Test =
  | { readonly test: 'equals' | 'differs' | 'lacks' | 'names'; readonly value: Template }
  | { readonly test: 'at_most' | 'at_least'; readonly value: Template }
  /** No farther away than so much: a number as text; of moments, milliseconds. */
  | { readonly test: 'near'; readonly value: Template; readonly within: string | number }
  /** At least one of these. */
  | { readonly test: 'any'; readonly of: readonly Test[] }
  /** A list of which no two items have the same value in a field. */
  | { readonly test: 'unique'; readonly field: string }
  /** An object, of which a field must be so. */
  | { readonly test: 'field'; readonly field: string; readonly is: Test }
  | { readonly test: 'one_of' | 'none_of'; readonly values: readonly unknown[] }
  | { readonly test: 'present' | 'absent' | 'object' | 'list' | 'count' | 'text' }
  /** Text with this in it. */
  | { readonly test: 'has'; readonly text: string }
  | { readonly test: 'form'; readonly form: FormName };

/**
 * Whose token goes along. `text`: one that is none, as it is or after a good one. `issued`: the one that a step was
 * answered with. `unsigned`: a good one whose signature is gone, and whose header says so. `first`: the one that a party
 * had in the beginning, however old it is. `expired`: the same, which has expired by now. `signed`: one of the target's
 * own key that states what the party's own does but for some claims; `null` takes one away. `header`: a good one, in another header than that of bearer
 * tokens; its parts stand around it.
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
      /** One that was signed when it was exported, for scripts: they have no key. */
      readonly written: string;
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
  /** Nothing rests on its answer: a sound backend may refuse it. */
  readonly mayBeRefused?: true;
  /** It is sent again until what is claimed of it holds, for so long. */
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
  /** Open from the beginning, as every party's own stream is. */
  readonly isOwn: boolean;
  /** The step that first opened the stream which it takes up again, after the last event of that. */
  readonly resumes?: string;
  readonly recorded: Exchange;
}

/** A stream ends before it is taken up again. */
export interface DropStep {
  readonly kind: 'drop';
  readonly party: CastName;
  /** The step that opened it first. */
  readonly stream: string;
}

/** Something goes wrong on purpose, in the words of the scenario language. */
export interface FaultStep {
  readonly kind: 'fault';
  readonly says: string;
  /** The one order that it faultEvents. */
  readonly of?: Template;
}

export interface WaitStep {
  readonly kind: 'wait';
  readonly ms: number;
  readonly until?: Until;
}

export interface Until {
  /** The next moment of the day or of the year that reads so in UTC: `23:59:58.500`, `12-31T23:59:58.500`. */
  readonly next: string;
  /** So long before it. */
  readonly lessMs: number;
}

/** What an answer came to, and what later steps may speak of. */
export type NamedStep = CallStep | ListenStep;
export type ReproStep = NamedStep | WaitStep | DropStep | FaultStep;

export const isNamed = (step: ReproStep): step is NamedStep =>
  step.kind === 'call' || step.kind === 'listen';

/** What went wrong on purpose while something was recorded. */
export interface FaultEvent {
  readonly at: number;
  /** How many records the history had by then. */
  readonly precededBy: number;
  /** In the words of the scenario language. */
  readonly says: string;
  /** How long nobody could do anything. */
  readonly lastsMs: number;
  /** The one order that it struck. */
  readonly intentId?: string;
}

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
      /** It holds as well where the request is refused. */
      readonly orRefused?: true;
    }
  | {
      /** Between answers, or between parts of one: looked at when all of them are there. */
      readonly kind: 'compare';
      readonly value: Template;
      readonly test: Test;
      /** What the value is, in words. */
      readonly what: string;
    }
  | {
      /** Of each message of a stream, as it was written: for scripts alone. */
      readonly kind: 'lines';
      readonly stream: string;
      readonly must: 'have names' | 'have JSON' | { readonly lack: Template };
      readonly withinMs: number;
    }
  | {
      /** What this party gets does not tell who of these took the steps: for scenarios alone. */
      readonly kind: 'alike';
      readonly parties: readonly [CastName, CastName];
      readonly for: CastName;
    }
  | {
      readonly kind: 'event';
      readonly stream: string;
      /** It is enough that one of these streams has it. */
      readonly or?: readonly string[];
      readonly event: string;
      /** Only events of this order. */
      readonly of?: Template;
      readonly fields: readonly (readonly [path: readonly string[], Test])[];
      /** It is looked at as soon as this step is done; without one, at the end. */
      readonly after?: string;
      /** A number: so many of them, and no more. `come once at most`: those with these fields. */
      readonly must:
        | 'come'
        | 'not come'
        | 'come once at most'
        | number
        | { readonly atMost: number }
        | { readonly atLeast: number };
      readonly withinMs: number;
    };

/** The finding that is reproduced. */
export interface Shown {
  /** The check that was replayed; of another history, what it is: `the world of seed 7`. */
  readonly check: string;
  /** The check or the rule that found it. */
  readonly source: string;
  /** Empty: it breaks none by itself. */
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
  /** What a script claims where a scenario leaves it to the rules. */
  readonly inScript?: readonly Claim[];
  /** By gap: what it takes of a target where the document leaves that open. */
  readonly answers?: { readonly [id in GapId]?: string };
}

/** What a script of it can tell. */
export const scriptClaims = ({ claims, inScript = [] }: Reproduction): readonly Claim[] =>
  claims.length > 0 ? claims : inScript;

/** What `compare` speaks of, and whatever else stands in a piece of a reproduction: the steps whose answers it takes. */
export function referredIn(piece: unknown): string[] {
  if (Array.isArray(piece)) return piece.flatMap(referredIn);
  if (typeof piece !== 'object' || piece === null) return [];
  const { kind, step } = piece as { readonly kind?: unknown; readonly step?: unknown };
  const refers = kind === 'answer' || kind === 'sent' || kind === 'issued';
  const inner = Object.entries(piece).filter(([key]) => key !== 'recorded');
  return [
    ...(refers && typeof step === 'string' ? [step] : []),
    ...inner.flatMap(([, value]) => referredIn(value)),
  ];
}

/** The steps that a claim is about. */
export const stepsOfClaim = (claim: Claim): readonly string[] => {
  if (claim.kind === 'compare') return referredIn([claim.value, claim.test]);
  if (claim.kind === 'lines') return [claim.stream, ...referredIn(claim.must)];
  if (claim.kind === 'alike') return [];
  if (claim.kind !== 'event') return [claim.step];
  return [claim.stream, ...(claim.or ?? []), ...(claim.after === undefined ? [] : [claim.after])];
};

/**
 * What is looked at as soon as this step is done: an event that says so, and a comparison of which this step is the last
 * that it speaks of.
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
