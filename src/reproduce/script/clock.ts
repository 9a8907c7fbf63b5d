import type { ClockSection } from '../../target/file/target-file.ts';
import { inQuotes, shellWord } from './values.ts';

type Controlled = Pick<Extract<ClockSection, { kind: 'controlled' }>, 'kind' | 'now' | 'advance'>;

/** Facts about a target's clock that a script needs. */
export type ScriptClock = Controlled | { readonly kind: 'system' };

const system = `# ---- time: the host's clock ----
now_ms() { jq -n 'now * 1000 | floor'; }
wait_ms() { sleep "$(jq -n "$1 / 1000")"; }`;

/** Shell functions for waiting: on the host's clock, or by moving the target's clock. */
export function clockText(clock: ScriptClock): string {
  return clock.kind === 'system' ? system : controlled(clock);
}

function controlled({ now, advance }: Controlled): string {
  const pointer = now.at.split('/').slice(1).map(unescaped);
  const path = JSON.stringify(pointer);
  return [
    "# ---- time: the target's clock, which is moved ----",
    `CLOCK_NOW="\${CLOCK_NOW:-${inQuotes(now.url)}}"`,
    `CLOCK_ADVANCE="\${CLOCK_ADVANCE:-${inQuotes(advance.url)}}"`,
    `now_ms() { curl -sS "$CLOCK_NOW" | jq "$defs getpath(${path.replaceAll('"', String.raw`\"`)}) | moment | floor"; }`,
    'wait_ms() {',
    '  local now ms=$1 to url',
    '  now="$(now_ms)" || cannot "the clock does not tell its time"',
    '  to=$((now + ms))',
    '  url="$CLOCK_ADVANCE"',
    ...['ms', 'now', 'to'].map((name) => `  url="\${url//\\$${name}/$${name}}"`),
    `  jq -nc --argjson now "$now" --argjson ms "$ms" --argjson to "$to" "$defs "${shellWord(advanceBody(advance.body))} |`,
    `    curl -sS -f -X POST -H 'content-type: application/json' --data-binary @- "$url" >/dev/null ||`,
    '    cannot "the clock was not moved"',
    "  sleep 0.2 # for the streams' messages to arrive",
    '}',
  ].join('\n');
}

const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** The body with its placeholders as jq names them. */
function advanceBody(body: unknown): string {
  if (typeof body === 'string') {
    const name = /^\$(ms|now|to|now_iso|to_iso)$/.exec(body)?.[1];
    if (name === undefined) return JSON.stringify(body);
    return name.endsWith('_iso') ? `iso($${name.slice(0, -4)})` : `$${name}`;
  }
  if (Array.isArray(body)) return `[${body.map(advanceBody).join(', ')}]`;
  if (typeof body !== 'object' || body === null) return JSON.stringify(body ?? {});
  const fields = Object.entries(body).map(
    ([name, value]) => `${JSON.stringify(name)}: ${advanceBody(value)}`,
  );
  return `{${fields.join(', ')}}`;
}
