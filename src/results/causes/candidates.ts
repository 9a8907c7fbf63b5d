import { type RequirementId, subjectOf } from '../../spec/requirements/index.ts';
import type { CheckReport, Failure, Place } from '../run-report.ts';
import { leafOf, quantityOf } from './paths.ts';

/** Some requirements that a rule of grouping is about. */
export const idSet = (...ids: readonly RequirementId[]): ReadonlySet<string> => new Set(ids);

/** A failure with what grouping needs of it. */
export interface Candidate {
  readonly source: string;
  /** Index in the failures of its source. */
  readonly index: number;
  readonly failure: Failure;
  readonly requirement: string;
  /** Most likely first. */
  readonly spots: readonly Spot[];
  /** Exchanges, frames and orders that the failure rests on. Failures that share one are tied. */
  readonly ties: ReadonlySet<string>;
}

/** A place as grouping compares it: an endpoint or event, and the last name of a path. */
export interface Spot {
  readonly where: string;
  /** Empty if no field is to blame. */
  readonly leaf: string;
  readonly place: Place;
  /** Quantity that the field shows. Other resources may give it another name. */
  readonly quantity: string;
  /** Penalty against the first place: higher is less likely. */
  readonly penalty: number;
}

export const isOfEvent = (spot: Spot | undefined): boolean => spot?.place.event !== undefined;

const [penaltyOfLater, trace] = [0.3, 0.05];

/** Every failure of some judges that counts against a requirement. */
export function candidatesOf(
  judges: readonly CheckReport[],
  counts: (requirement: string, outcome: Failure['outcome']) => boolean,
): Candidate[] {
  return judges.flatMap(({ id: source, failures }) =>
    failures.flatMap((failure, index): Candidate[] => {
      const { requirement, outcome, exchanges, orders = [] } = failure;
      if (requirement === undefined || !counts(requirement, outcome)) return [];
      const spots = spotsOf(failure, requirement);
      return [
        { source, index, failure, requirement, spots, ties: new Set([...exchanges, ...orders]) },
      ];
    }),
  );
}

function spotsOf({ places = [] }: Failure, requirement: string): Spot[] {
  const { token: _, ...own } = subjectOf(requirement);
  const all = places.length > 0 ? places : [own];
  let penalty = 0;
  return all.map((place, rank) => {
    const where = whereOf(place) ?? requirement;
    const former = all[rank - 1];
    // Several fields of one place are each as good as the first but for a trace, so that order decides.
    if (former) penalty += whereOf(former) === whereOf(place) ? trace : penaltyOfLater;
    const leaf = place.field === undefined ? '' : leafOf(place.field);
    return { where, leaf, quantity: quantityOf(leaf), place, penalty };
  });
}

/** Undefined for a place without endpoint and event: then only the requirement identifies it. */
export const whereOf = ({ endpoint, event }: Place): string | undefined =>
  event !== undefined ? `event ${event}` : endpoint;
