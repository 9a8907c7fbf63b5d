import { it } from 'vitest';
import { playUnderAnswers } from './play-under-answers.ts';

// Every answer: assignments.long.test.ts.
it('no flow fails a target for an answer that is its right', () =>
  playUnderAnswers(['scenarios/happy/institution.yaml'], 4));
