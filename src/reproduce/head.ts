import type { Reproduction } from './steps.ts';

/** What a person should know who opens the file. */
export function headOf({ shown }: Reproduction): string[] {
  const { check, source, requirement, part, message } = shown;
  const of =
    source === check
      ? `the check ${check}`
      : `the rule ${source}, in ${isCheckId(check) ? `the check ${check}` : check}`;
  return [
    `# ${requirement === '' ? '' : `Part ${part}, ${requirement}: `}${oneLine(message)}`,
    `# Found by ${of}.`,
    ...(shown.expected === undefined ? [] : [`# expected: ${inShort(shown.expected)}`]),
    ...(shown.actual === undefined ? [] : [`# actual:   ${inShort(shown.actual)}`]),
  ];
}

/** Ids of checks are of one word; a world and the like are named in several. */
const isCheckId = (text: string): boolean => !text.includes(' ');

const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');

function inShort(value: unknown): string {
  const text = oneLine(typeof value === 'string' ? value : JSON.stringify(value));
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
