import { type CastName, castNames } from '../../../spec/requirements/requirement.ts';
import { parseDuration, suggestion } from '../../../yaml/index.ts';
import type { FaultPlan, Step } from '../model.ts';
import { described, readEntries, reference, type StepSource } from '../shapes.ts';

export const faultWords = [
  'revert leg 1',
  'revert leg 2',
  'revert leg 3',
  'revert leg 4',
  'stall settlement',
  'withdraw order',
  'fail validation',
] as const;
const simpleFaults: { readonly [literalText in (typeof faultWords)[number]]: FaultPlan } = {
  'revert leg 1': { kind: 'revert', leg: 1 },
  'revert leg 2': { kind: 'revert', leg: 2 },
  'revert leg 3': { kind: 'revert', leg: 3 },
  'revert leg 4': { kind: 'revert', leg: 4 },
  'stall settlement': { kind: 'stall' },
  'withdraw order': { kind: 'withdraw' },
  'fail validation': { kind: 'invalid' },
};
const faultForms = [...faultWords, 'drop streams of PARTY', 'delay answers of PARTY by DURATION'];

function faultOf(said: string): FaultPlan | undefined {
  const simple = faultWords.find((one) => one === said);
  if (simple) return simpleFaults[simple];
  const [, dropped] = /^drop streams of (\w+)$/.exec(said) ?? [];
  if (castNames.includes(dropped as CastName)) return { kind: 'drop', party: dropped as CastName };
  const [, slow, by] = /^delay answers of (\w+) by (\S+)$/.exec(said) ?? [];
  const ms = parseDuration(by ?? '');
  if (castNames.includes(slow as CastName) && ms !== undefined) {
    return { kind: 'delay', party: slow as CastName, ms };
  }
  return undefined;
}

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
  if (read?.of && (fault.kind === 'drop' || fault.kind === 'delay')) {
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
