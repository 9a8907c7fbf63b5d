import { it } from 'vitest';
import { playUnderAnswers } from './play-under-answers.ts';

// Every answer: assignments.long.test.ts.
it('no flow fails a target for an allowed answer to a gap', () =>
  playUnderAnswers(['scenarios/happy/institution.yaml'], 4));
