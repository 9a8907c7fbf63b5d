import type { Place } from '../../yaml/index.ts';

/** A place in one of the files that a scenario is made of. */
export interface SourceLocation extends Place {
  readonly file: string;
}

export const locationIn = (file: string, place: Place): SourceLocation => ({
  file,
  line: place.line,
  col: place.col,
  width: place.width,
});
