import type { ComponentChildren } from 'preact';
import type { Verdict } from '../../results/verdicts.ts';
import { VerdictMark } from '../shared/verdict-mark.tsx';

interface DefinitionsProps {
  /** Class of the list. */
  readonly name: string;
  readonly rows: readonly (readonly [term: ComponentChildren, value: ComponentChildren])[];
}

/** Names with their values; those without a value are left out. */
export const Definitions = ({ name, rows }: DefinitionsProps) => (
  <dl class={name}>
    {rows.map(
      ([term, value], place) =>
        value !== undefined && (
          <div key={place}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
);

interface TableProps {
  readonly label: string;
  readonly name?: string;
  readonly heads?: readonly ComponentChildren[];
  /** Groups of rows: `tbody`, `tfoot`, or a whole `thead` in place of heads. */
  readonly children: ComponentChildren;
}

/** A table that scrolls sideways if it has no room. */
export const Table = ({ label, name, heads, children }: TableProps) => (
  <div class="scroll" role="region" tabIndex={0} aria-label={label}>
    <table class={name}>
      {heads && (
        <thead>
          <tr>
            {heads.map((head, place) => (
              <th key={place} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
      )}
      {children}
    </table>
  </div>
);

export const Bullets = ({ lines }: { readonly lines: readonly ComponentChildren[] }) => (
  <ul>
    {lines.map((line, place) => (
      <li key={place}>{line}</li>
    ))}
  </ul>
);

/** Ids as code, separated by commas. */
export const Codes = ({ ids }: { readonly ids: readonly string[] }) => (
  <>
    {ids.map((id, place) => (
      <>
        {place > 0 && ', '}
        <code>{id}</code>
      </>
    ))}
  </>
);

/** Verdict of one run. */
export const RunVerdict = ({ verdict }: { readonly verdict: Verdict | undefined }) =>
  verdict ? <VerdictMark verdict={verdict} /> : <span class="soft">not there</span>;
