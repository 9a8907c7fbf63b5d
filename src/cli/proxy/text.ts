import { printable, printableValue } from '../../report/formats/escape.ts';
import type { Paint } from '../../report/formats/text-layout.ts';
import { partName } from '../../report/index.ts';
import type { Violation } from '../../run/watch-session.ts';
import type { Relay } from '../../proxy/relay.ts';
import type { SessionEnd } from './session.ts';

const longest = 400;

/** On one line. */
function brief(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  const line = text.replace(/\s+/g, ' ');
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

/** A violation as text for a terminal. Text of a backend is escaped, so that the terminal never executes it. */
export function violationText(found: Violation, paint: Paint): string {
  const { rule, requirement, part, outcome, message, expected, actual, evidence } =
    printableValue(found);
  const shown = (name: string, value: unknown): string[] =>
    value === undefined ? [] : [`    ${name.padEnd(8)}  ${brief(value)}`];
  return [
    `${paint.verdict(outcome, outcome === 'fail' ? 'FAIL' : 'WARNING')}  ${requirement} (${partName(part)}): ${brief(message)}`,
    ...shown('expected', expected),
    ...shown('actual', actual),
    ...evidence.flatMap(({ id, party, what, sent, received }) => [
      `    > ${party}  ${brief(what)}  ${id}`,
      ...(sent === undefined ? [] : [`      sent      ${brief(sent)}`]),
      ...(received === undefined ? [] : [`      received  ${brief(received)}`]),
    ]),
    `    by the rule ${rule}`,
  ].join('\n');
}

/** Lists the address of each party's relay and the backend behind it. */
export function relaysText(
  relays: readonly Relay[],
  backends: ReadonlyMap<string, string>,
): string {
  const [names, addresses] = [
    relays.map(({ party }) => party),
    relays.map(({ baseUrl }) => baseUrl),
  ];
  const [name, address] = [names, addresses].map((some) =>
    Math.max(...some.map((one) => one.length)),
  );
  return relays
    .map(
      ({ party, baseUrl }) =>
        `  ${party.padEnd(name ?? 0)}  ${baseUrl.padEnd(address ?? 0)}  to ${backends.get(party)}`,
    )
    .join('\n');
}

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

export function endText(end: SessionEnd, violations: number, out: string | undefined): string {
  const { exchanges, streams, unreachable, notes, written } = end;
  return [
    '',
    `${plural(exchanges, 'exchange')}, ${plural(streams, 'stream')} among them; ${violations === 0 ? 'no violation was found' : `${plural(violations, 'violation')} found`}`,
    ...(unreachable > 0
      ? [`${plural(unreachable, 'request')} did not reach a backend: the proxy answered 502 itself`]
      : []),
    ...notes.map((note) => `note: ${printable(note)}`),
    ...(written.length > 0 ? [`${out}: ${written.join(', ')}`] : []),
  ].join('\n');
}
