import { it } from 'vitest';
import { playUnderAnswers } from './play-under-answers.ts';

/** Flows that use most of the language. `ALL_SCENARIOS=1` plays the whole library, for minutes. */
const few = ['happy/institution', 'makers/best-quote', 'cancel/pending'];
const words =
  process.env['ALL_SCENARIOS'] === '1'
    ? ['scenarios']
    : few.map((name) => `scenarios/${name}.yaml`);

it(
  'no flow fails a target for an allowed answer to a gap',
  () => playUnderAnswers(words),
  3_600_000,
);
