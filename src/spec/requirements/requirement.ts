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

/** Ways in which a target may let itself be pushed off the happy path. */
export const controls = [
  'fail_settlement',
  'stall_settlement',
  'withdraw_order',
  'fail_validation',
] as const;
export type ControlName = (typeof controls)[number];

/** What it takes to exercise a requirement or to run a check. */
export interface Needs {
  readonly parties?: readonly CastName[];
  /** The longest wait of target time, in milliseconds. */
  readonly waitMs?: number;
  readonly controls?: readonly ControlName[];
  /** The suite must be able to mint tokens that the target would otherwise trust. */
  readonly signing?: true;
}

/** Why a departure from a requirement need not be a defect, and when a target has closed that excuse by its own answers. */
export interface Excuse {
  /** The open question that admits the departure. */
  readonly gap: GapId;
  /**
   * Kept again and again, and departed from hardly ever: in answers to the same requests of the same role
   * (`same-request`), or also with the same status and state (`same-answer`). `never`: what a target shows elsewhere
   * says nothing of this.
   */
  readonly closes: 'same-request' | 'same-answer' | 'never';
}

/** The endpoint, event or field at which a departure from a requirement shows. */
export interface Subject {
  readonly endpoint?: EndpointName;
  readonly event?: EventName | typeof heartbeat;
  /** With what it is in, where that is no resource: `meta.request_id`, `claims.aud`. */
  readonly field?: string;
  /** It is the token of a request that it is about. */
  readonly token?: true;
}

/** One testable statement of the document. */
export interface Requirement {
  readonly part: Part;
  /** `must`, or `vague` where the document's own words have no exact meaning. */
  readonly level: 'must' | 'vague';
  /** Of a vague requirement: which open question admits a departure. */
  readonly excuse?: Excuse;
  /** In our own words. */
  readonly summary: string;
  readonly needs?: Needs;
  /** Why no black box can judge it, where that is so. */
  readonly unobservable?: string;
  readonly about?: Subject;
  /** What breaking it is, where a finding does not say more. */
  readonly departs?: Deviation;
}
