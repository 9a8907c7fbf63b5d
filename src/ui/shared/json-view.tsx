import { useMemo, useState } from 'preact/hooks';
import { printable } from '../../report/formats/escape.ts';
import { count } from '../../report/labels.ts';
import {
  type JsonLine,
  type JsonStretch,
  markedJson,
  type Sought,
} from '../../report/marked-json.ts';
import { stretchesOf } from '../../report/marked-json.ts';

const nothing: Sought = { path: undefined, actual: undefined };
/** Maximum number of lines shown at once if nothing is marked. */
const mostLines = 120;

interface JsonViewProps {
  readonly value: unknown;
  /** Part to mark; distant lines are folded. Absent: nothing is marked. */
  readonly sought?: Sought;
}

/** A value from a target, pretty-printed as text and never as markup. */
export function JsonView({ value, sought }: JsonViewProps) {
  const stretches = useMemo(() => {
    const lines = markedJson(value, sought ?? nothing);
    return sought ? stretchesOf(lines) : foldedAfter(lines);
  }, [value, sought]);
  return (
    <div class="json">
      {stretches.map((stretch, place) => (
        <Stretch key={place} {...stretch} />
      ))}
    </div>
  );
}

function foldedAfter(lines: readonly JsonLine[]): readonly JsonStretch[] {
  const shown = { lines: lines.slice(0, mostLines), isFolded: false };
  const rest = { lines: lines.slice(mostLines), isFolded: true };
  return rest.lines.length > 0 ? [shown, rest] : [shown];
}

function Stretch({ lines, isFolded }: JsonStretch) {
  const [isOpen, setOpen] = useState(!isFolded);
  if (!isOpen) {
    return (
      <button type="button" class="plain" onClick={() => setOpen(true)}>
        … {count(lines.length, 'more line')}
      </button>
    );
  }
  return (
    <pre>
      {lines.map(({ text, isMarked }, place) => (
        <>
          {place > 0 && '\n'}
          {isMarked ? <MarkedLine text={text} /> : printable(text)}
        </>
      ))}
    </pre>
  );
}

/** The indentation is not marked. */
const MarkedLine = ({ text }: { readonly text: string }) => {
  const start = text.search(/\S|$/);
  return (
    <>
      {text.slice(0, start)}
      <mark>{printable(text.slice(start))}</mark>
    </>
  );
};
