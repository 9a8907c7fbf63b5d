import type { ComponentChildren } from 'preact';

interface PanelProps {
  readonly id: string;
  readonly title: ComponentChildren;
  /** Further classes. */
  readonly name?: string;
  /** Controls beside the title. */
  readonly head?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part of the page with a title. */
export function Panel({ id, title, name = '', head, children }: PanelProps) {
  const heading = <h2 id={`${id}-title`}>{title}</h2>;
  return (
    <section class={`stack box panel ${name}`} aria-labelledby={`${id}-title`}>
      {head ? (
        <header class="row">
          {heading}
          {head}
        </header>
      ) : (
        heading
      )}
      {children}
    </section>
  );
}
