import { type CastName, castNames } from '../../../spec/requirements/requirement.ts';
import { parseDuration, suggestion } from '../../../yaml/index.ts';
import type { FaultPlan, OrderFault, Step } from '../model.ts';
import { described, readEntries, reference, type StepSource } from '../shapes.ts';

const orderFaults = {
  'revert leg 1': { kind: 'revert', leg: 1 },
  'revert leg 2': { kind: 'revert', leg: 2 },
  'revert leg 3': { kind: 'revert', leg: 3 },
  'revert leg 4': { kind: 'revert', leg: 4 },
  'stall settlement': { kind: 'stall' },
  'withdraw order': { kind: 'withdraw' },
  'fail validation': { kind: 'invalid' },
} as const satisfies Readonly<Record<string, OrderFault>>;

export const faultWords = [...Object.keys(orderFaults), 'restart'];
/** How the faults begin that say more than a word. */
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

const restartForm =
  /^restart(?<inWrite> in the next write(?: without its last (?<lost>\d{1,9}) bytes)?)?(?: after (?<after>\S+))?$/;

function restartOf(said: string): FaultPlan | undefined {
  const { inWrite, lost = '0', after = '0ms' } = restartForm.exec(said)?.groups ?? {};
  const ms = parseDuration(after);
  if (!restartForm.test(said) || ms === undefined) return undefined;
  return { kind: 'restart', ms, ...(inWrite !== undefined && { lostBytes: Number(lost) }) };
}

function faultOf(said: string): FaultPlan | undefined {
  const ofOrder = Object.entries(orderFaults).find(([words]) => words === said);
  if (ofOrder) return ofOrder[1];
  const [, dropped] = /^drop streams of (\w+)$/.exec(said) ?? [];
  if (castNames.includes(dropped as CastName)) return { kind: 'drop', party: dropped as CastName };
  const [, slow, by] = /^delay answers of (\w+) by (\S+)$/.exec(said) ?? [];
  const ms = parseDuration(by ?? '');
  if (castNames.includes(slow as CastName) && ms !== undefined) {
    return { kind: 'delay', party: slow as CastName, ms };
  }
  const fullMs = parseDuration(/^fill disk for (\S+)$/.exec(said)?.[1] ?? '');
  return fullMs === undefined ? restartOf(said) : { kind: 'fill disk', ms: fullMs };
}

/** Whether it strikes an order rather than a party or all of the target. */
export const isOrderFault = (fault: FaultPlan): fault is OrderFault =>
  Object.values(orderFaults).some(({ kind }) => kind === fault.kind);

/** Whether it takes a target that goes on from what it has kept. */
export const isDiskFault = (fault: FaultPlan): boolean =>
  fault.kind === 'restart' || fault.kind === 'fill disk';

export const faultFields = {
  of: described(
    reference('an order'),
    'An order that is there already; else the next one created.',
  ),
};

export function readFault({ head, rest, at, reader }: StepSource): Step | undefined {
  const read = readEntries('"fault"', faultFields, [], rest, at, reader);
  const said = head.value.kind === 'scalar' ? String(head.value.value ?? '') : '';
  const fault = faultOf(said);
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
