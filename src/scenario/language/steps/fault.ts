import { suggestion } from '../../../yaml/index.ts';
import { faultFrom, orderFaults } from '../fault-words.ts';
import type { FaultPlan, OrderFault, Step } from '../model.ts';
import { described, readEntries, reference, type StepSource } from '../shapes.ts';

export const faultWords = [...Object.keys(orderFaults), 'restart'];
/** Beginnings of faults with parameters. */
export const faultBeginnings = [
  'drop streams of ',
  'delay answers of ',
  'restart ',
  'fill disk for ',
] as const;

const faultForms = [
  ...faultWords,
  'restart after DURATION',
  'restart in the next write',
  'restart in the next write without its last NUMBER bytes',
  'fill disk for DURATION',
  'drop streams of PARTY',
  'delay answers of PARTY by DURATION',
];

/** True if the fault affects an order, not a party or the whole target. */
export const isOrderFault = (fault: FaultPlan): fault is OrderFault =>
  Object.values(orderFaults).some(({ kind }) => kind === fault.kind);

/** True if the fault needs a target that restarts from stored data. */
export const isDiskFault = (fault: FaultPlan): boolean =>
  fault.kind === 'restart' || fault.kind === 'fill disk';

export const faultFields = {
  of: described(
    reference('an order'),
    'An existing order; without it, the next order that is created.',
  ),
};

export function readFault({ head, rest, at, reader }: StepSource): Step | undefined {
  const read = readEntries('"fault"', faultFields, [], rest, at, reader);
  const said = head.value.kind === 'scalar' ? String(head.value.value ?? '') : '';
  const fault = faultFrom(said);
  if (!fault) {
    return reader.problems.wrong(
      head.value,
      `a fault: ${faultForms.join(', ')}`,
      suggestion(said, faultForms),
    );
  }
  if (read?.of && !isOrderFault(fault)) {
    return reader.problems.add(read.of.at, `"${said}" concerns no single order`);
  }
  return (
    read && {
      kind: 'fault',
      at: reader.location(head.value.place),
      fault,
      says: said,
      ...(read.of && { of: read.of }),
    }
  );
}
