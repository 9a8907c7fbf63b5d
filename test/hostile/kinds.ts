import { behavioursNamed } from './attack.ts';
import { fieldBehaviours, listBehaviours, oddBehaviours } from './behaviours/answers.ts';
import { afterPreflight, onStreams } from './behaviours/building-blocks.ts';
import {
  heavyBehaviours,
  heavyStreamBehaviours,
  heavyTokenBehaviours,
} from './behaviours/heavy.ts';
import { floodBehaviours, streamBehaviours } from './behaviours/streams.ts';
import { lostTokenBehaviours, tokenBehaviours } from './behaviours/tokens.ts';
import { wireBehaviours } from './behaviours/wire.ts';
import type { Behaviour } from './proxy.ts';

type Behaviours = Readonly<Record<string, Behaviour>>;

const mapped = (behaviours: Behaviours, change: (one: Behaviour) => Behaviour): Behaviours =>
  Object.fromEntries(Object.entries(behaviours).map(([name, one]) => [name, change(one)]));
/** All heavy behaviours, and a varied choice of the others. Every command is tried on these. */
export const hostileKinds: Behaviours = {
  ...heavyBehaviours,
  ...heavyTokenBehaviours,
  ...heavyStreamBehaviours,
  ...mapped(
    behavioursNamed({ ...fieldBehaviours, ...listBehaviours }, [
      'has states named like prototypes',
      'has ids named like prototypes',
      'has members named as methods in every field',
      'has money of 100,000 digits',
      'has moments that no calendar has',
      'speaks UTF-16',
      'has null in every field',
      'has 1e15 pages',
      'has pages in words',
      'never shrinks',
      'hangs now and then',
      'resets now and then',
      'has ids that climb directories',
    ]),
    afterPreflight,
  ),
  ...behavioursNamed(oddBehaviours, ['has bytes that are no UTF-8', 'has every key twice']),
  ...mapped(
    behavioursNamed(wireBehaviours, [
      'has a body that drips',
      'has a body without end',
      'sends a gzip bomb',
      'sends JSON 10,000 deep',
      'sends 200,000 brackets',
      'floods with headers',
      'redirects in circles',
      'answers 429 and says to come back in the year 9999',
      'resets within the body',
      'hangs after the headers',
      'answers a byte at a time',
    ]),
    afterPreflight,
  ),
  ...behavioursNamed({ ...tokenBehaviours, ...lostTokenBehaviours }, [
    'gives a token of a megabyte',
    'gives a number for a token',
    'gives a token that breaks the header',
    'gives tokens that expire in 0',
    'gives tokens that nobody accepts',
  ]),
  ...mapped(
    {
      ...behavioursNamed(streamBehaviours, [
        'never opens',
        'opens with its first heartbeat',
        'opens and is silent',
        'drips a byte at a time',
        'names events oddly',
        'sends payloads that are no objects',
        'sends 100 MB in one line',
        'has broken chunks',
      ]),
      ...floodBehaviours,
    },
    onStreams,
  ),
};
