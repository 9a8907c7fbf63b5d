import type { Place } from '../../yaml/index.ts';

/** A location in one of the files of a scenario. */
export interface SourceLocation extends Place {
  readonly file: string;
}

export const locationIn = (file: string, place: Place): SourceLocation => ({
  file,
  line: place.line,
  col: place.col,
  width: place.width,
});
