import { castNames } from '../../../spec/requirements/requirement.ts';
import {
  type FaultPlan,
  faultFrom,
  isOrderFault,
  orderFaults,
  partyFaults,
} from '../../../faults/faults.ts';
import {
  described,
  type JsonSchema,
  parseDuration,
  type ReadBy,
  record,
  suggestion,
  textOf,
} from '../../../yaml/index.ts';
import { reference, type StepSource } from '../arg.ts';

const faultWords = [...Object.keys(orderFaults), 'restart'];
const partyForms = Object.values(partyFaults);
/** Beginnings of faults with parameters. */
const faultBeginnings = [
  ...partyForms.map(({ words }) => `${words} `),
  'restart ',
  'fill disk for ',
  'pause host for ',
];
const faultForms = [
  ...faultWords,
  'restart after DURATION',
  'restart in the next write',
  'restart in the next write without its last NUMBER bytes',
  'fill disk for DURATION',
  'pause host for DURATION',
  ...partyForms.map(
    ({ words, by }) => `${words} PARTY${by === undefined ? '' : ` ${by} DURATION`}`,
  ),
];

/** The text of a fault, for editors. */
export const faultSchema: JsonSchema = {
  anyOf: [{ enum: faultWords }, { type: 'string', pattern: `^(${faultBeginnings.join('|')})` }],
};

export const faultKeys = record('"fault"', {
  of: described(
    reference('an order'),
    'An existing order; without it, the next order that is created.',
  ),
});

export interface FaultStep extends ReadBy<typeof faultKeys> {
  readonly kind: 'fault';
  readonly fault: FaultPlan;
  /** Text of the fault in the file. */
  readonly says: string;
}

/** A text with the names of parameters for those in it: `cut sender for 5s` as `cut PARTY for DURATION`. */
const generalized = (says: string): string =>
  says
    .split(' ')
    .map((word) => {
      if (castNames.some((name) => name === word)) return 'PARTY';
      return parseDuration(word) === undefined ? word : 'DURATION';
    })
    .join(' ');

/** Faults that begin with a word of the text. */
const faultsLike = (says: string): readonly string[] =>
  faultForms.filter((form) => says.split(' ').includes(form.split(' ')[0] ?? ''));

export function readFault({ head, rest, at, reader }: StepSource): FaultStep | undefined {
  const keys = faultKeys.readEntries(rest, at, reader);
  const says = textOf(head.value);
  const fault = faultFrom(says);
  if (!fault) {
    const near = faultsLike(says);
    const hint = says.includes('$')
      ? 'a fault takes no values'
      : suggestion(generalized(says), faultForms);
    const expected = (near.length > 0 ? near : faultForms).join(', ');
    return reader.wrong(head.value, `a fault: ${expected}`, hint);
  }
  if (keys?.of && !isOrderFault(fault)) {
    return reader.add(keys.of.at, `"${says}" concerns no single order`);
  }
  return keys && { ...keys, kind: 'fault', at: reader.location(head.value.place), fault, says };
}
