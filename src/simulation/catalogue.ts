import { endpointNames, endpoints } from '../spec/endpoints.ts';
import { eventKinds, heartbeat } from '../spec/events.ts';
import { gapIds, gaps } from '../spec/gaps/index.ts';
import { orderTransitions, quoteTransitions, terminalOrderStates } from '../spec/states.ts';
import { failureReasons, roles } from '../spec/vocabulary.ts';
import { drawnValues } from './draw/cast.ts';
import { encounterName, encounters } from './encounters.ts';
import type { SimulationOptions } from './outcome.ts';
import { faultNames, landmarkNames } from './plan.ts';

export const edges = ['1 ms before', 'at', '1 ms after'] as const;
const races = [
  'accept and accept',
  'accept and cancel',
  'accept and expires_at',
  'accept and valid_until',
  'cancel and expires_at',
  'quote and cancel',
] as const;
const turns = ['day', 'month', 'year', '28 February', '29 February'] as const;
const growths = [
  'fifth order of a party',
  'twentieth order of a world',
  'fifth stream of a party',
  'order after a failed one',
] as const;

const restarts = [
  'at rest',
  'write kept',
  'write torn',
  'between two legs',
  'with something due meanwhile',
  'a stream taken up again',
] as const;

/** The fault that a situation needs, if any. */
const faultOf = (situation: string): string | undefined => {
  const [, kind, name] = /^(fault|restart|disk full): (.*)$/.exec(situation) ?? [];
  return kind === 'fault' ? name : kind;
};

/**
 * Every situation that a campaign should reach, each at least once in a great many worlds: the catalogue of
 * *sometimes*. A campaign says nothing about a situation that it never reached.
 */
export const situations: readonly string[] = [
  ...orderTransitions.map(({ from, to }) => `order: ${from} to ${to}`),
  ...quoteTransitions.map(({ from, to }) => `quote: ${from} to ${to}`),
  ...terminalOrderStates.map((state) => `end: ${state}`),
  ...failureReasons.map((reason) => `reason: ${reason}`),
  ...[...Object.keys(eventKinds), heartbeat].map((event) => `event: ${event}`),
  ...endpointNames.flatMap((endpoint) =>
    endpoints[endpoint].roles.map((role) => `granted: ${endpoint} to ${role}`),
  ),
  ...roles.map((role) => `refused: ${role}`),
  'refused: expired token',
  ...encounters.map(encounterName),
  ...races.map((race) => `race: ${race}`),
  ...faultNames.map((fault) => `fault: ${fault}`),
  ...landmarkNames.flatMap((of) => edges.map((edge) => `edge: ${edge} ${of}`)),
  ...turns.map((turn) => `turn: ${turn}`),
  ...growths.map((growth) => `growth: ${growth}`),
  ...restarts.map((restart) => `restart: ${restart}`),
  'disk full: something refused',
  'stream: taken up again',
  'stream: limited to one order',
  ...gapIds.flatMap((id) => {
    const values = drawnValues(id);
    return gaps[id].values.length > 1 ? values.map((value) => `gap: ${id} is ${value}`) : [];
  }),
];

/** Situations that can come about with these options. A fault that may not be drawn is not counted as missing. */
const possible = ({ faults }: SimulationOptions): readonly string[] =>
  situations.filter((name) => {
    const fault = faultOf(name);
    return faults === undefined || fault === undefined || faults.includes(fault);
  });

/** Situations that the campaign never reached, and the number of possible ones. */
export function unreachedIn(
  reached: Readonly<Record<string, number>>,
  options: SimulationOptions,
): { readonly missing: readonly string[]; readonly of: number } {
  const all = possible(options);
  return { missing: all.filter((name) => reached[name] === undefined), of: all.length };
}
