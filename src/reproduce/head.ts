import type { Reproduction } from './steps.ts';

/** Comment lines at the top of the file, for a reader. */
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

/** Ids of checks are one word; names of worlds and the like have several. */
const isCheckId = (text: string): boolean => !text.includes(' ');

const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');

function inShort(value: unknown): string {
  const text = oneLine(typeof value === 'string' ? value : JSON.stringify(value));
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
