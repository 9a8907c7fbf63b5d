const names = [
  'ink',
  'soft',
  'line',
  'edge',
  'well',
  'accent',
  'pass',
  'fail',
  'warn',
  'open',
  'flag',
] as const;
export type Palette = Readonly<Record<(typeof names)[number], string>>;

/** Current colours of the theme: a canvas cannot use the colour names of the page. */
export function paletteOf(element: HTMLElement): Palette {
  const probe = document.createElement('span');
  element.append(probe);
  const colours = names.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color] as const;
  });
  probe.remove();
  return Object.fromEntries(colours) as unknown as Palette;
}
