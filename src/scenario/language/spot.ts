import type { Place } from '../../yaml/index.ts';

/** A place in one of the files that a scenario is made of. */
export interface Spot extends Place {
  readonly file: string;
}

export const spotIn = (file: string, place: Place): Spot => ({
  file,
  line: place.line,
  col: place.col,
  width: place.width,
});
