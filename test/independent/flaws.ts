import { accessFlaws } from './flaws/access.ts';
import { amountFlaws } from './flaws/amounts.ts';
import { eventFlaws } from './flaws/events.ts';
import { fieldFlaws } from './flaws/fields.ts';
import type { Flaw } from './flaws/flaw.ts';
import { listFlaws } from './flaws/lists.ts';
import { secondHandCourse } from './flaws/second-hand-course.ts';
import { secondHandReads } from './flaws/second-hand-reads.ts';
import { serviceFlaws } from './flaws/service.ts';
import { stateFlaws } from './flaws/states.ts';
import { thirdHand } from './flaws/third-hand.ts';

/**
 * Defects of the peer, written from the document alone by authors who had not seen the suite. Tools
 * name them by their positions, so new ones are added at the end.
 */
export const flaws: readonly Flaw[] = [
  ...accessFlaws,
  ...fieldFlaws,
  ...amountFlaws,
  ...stateFlaws,
  ...listFlaws,
  ...serviceFlaws,
  ...eventFlaws,
  ...secondHandReads,
  ...secondHandCourse,
  ...thirdHand,
];
