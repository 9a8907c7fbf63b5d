import type { Deviation } from '../deviations.ts';
import type { EndpointName } from '../endpoints.ts';
import type { EventName, heartbeat } from '../events.ts';
import type { GapId } from '../gaps/index.ts';
import type { Part } from '../vocabulary.ts';

/** The standard cast. A target declares those it has; a check names those it needs. */
export const cast = {
  sender: 'institution',
  outsider: 'institution',
  sender_custodian: 'custodian',
  receiver_custodian: 'custodian',
  outsider_custodian: 'custodian',
  maker_a: 'market-maker',
  maker_b: 'market-maker',
  maker_c: 'market-maker',
} as const;
export type CastName = keyof typeof cast;
export const castNames = Object.keys(cast) as CastName[];

/** Controls by which a target may be made to leave the happy path. */
export const controls = [
  'fail_settlement',
  'stall_settlement',
  'withdraw_order',
  'fail_validation',
] as const;
export type ControlName = (typeof controls)[number];

/** Conditions for exercising a requirement or running a check. */
export interface Needs {
  readonly parties?: readonly CastName[];
  /** The longest wait of target time, in milliseconds. */
  readonly waitMs?: number;
  readonly controls?: readonly ControlName[];
  /** The suite must be able to mint tokens that the target would otherwise trust. */
  readonly signing?: true;
}

/** Reason why a departure need not be a defect, and the answers of a target that rule this excuse out. */
export interface Excuse {
  /** The open question that admits the departure. */
  readonly gap: GapId;
  /**
   * Answers in which the target must have kept the requirement often and departed from it hardly ever: to the same
   * requests of the same role (`same-request`), or also with the same status and state (`same-answer`). `never`: other
   * answers of a target say nothing about this.
   */
  readonly closes: 'same-request' | 'same-answer' | 'never';
}

/** The endpoint, event or field at which a departure from a requirement shows. */
export interface Subject {
  readonly endpoint?: EndpointName;
  readonly event?: EventName | typeof heartbeat;
  /** With the name of its object, if that is no resource: `meta.request_id`, `claims.aud`. */
  readonly field?: string;
  /** The subject is the token of a request. */
  readonly token?: true;
}

/** One testable statement of the document. */
export interface Requirement {
  readonly part: Part;
  /** `must`, or `vague` if the document's own words have no exact meaning. */
  readonly level: 'must' | 'vague';
  /** Only for a vague requirement: the open question that admits a departure. */
  readonly excuse?: Excuse;
  /** In our own words. */
  readonly summary: string;
  readonly needs?: Needs;
  /** Reason why no black-box test can judge it. */
  readonly unobservable?: string;
  readonly about?: Subject;
  /** The deviation of a finding that does not name one itself. */
  readonly departs?: Deviation;
}
