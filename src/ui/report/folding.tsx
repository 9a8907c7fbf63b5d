import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

interface FoldingProps {
  readonly id?: string;
  readonly name?: string;
  readonly head: ComponentChildren;
  /** Created only when unfolded: pages contain many. */
  readonly children: () => ComponentChildren;
  readonly startsOpen?: boolean;
  /** `open`: unfolded for printing. */
  readonly print?: 'open' | 'as it is';
}

/** Content that is folded behind a heading. A link to it unfolds it. */
export function Folding({
  id,
  name = '',
  head,
  children,
  startsOpen = false,
  print,
}: FoldingProps) {
  const [isOpen, setOpen] = useState(startsOpen);
  const [isPrinted, setPrinted] = useState(false);
  useEffect(() => {
    const follow = (): void => {
      if (id !== undefined && location.hash === `#${id}`) setOpen(true);
    };
    const before = (): void => setPrinted(print === 'open');
    const after = (): void => setPrinted(false);
    follow();
    addEventListener('hashchange', follow);
    addEventListener('beforeprint', before);
    addEventListener('afterprint', after);
    return () => {
      removeEventListener('hashchange', follow);
      removeEventListener('beforeprint', before);
      removeEventListener('afterprint', after);
    };
  }, [id, print]);
  const isShown = isOpen || isPrinted;
  return (
    <details
      {...(id !== undefined && { id })}
      class={`folding ${name}`}
      open={isShown}
      onToggle={({ currentTarget }) => {
        if (!isPrinted) setOpen(currentTarget.open);
      }}
    >
      <summary class="row">{head}</summary>
      {isShown && <div class="stack folded">{children()}</div>}
    </details>
  );
}
