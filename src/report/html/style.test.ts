import { expect, it } from 'vitest';
import { dark, light, style } from './style.ts';

/** Relative luminance as WCAG 2 reckons it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const grounds = ['ground', 'panel', 'tint'];
const inks = ['text', 'soft', 'link', 'pass', 'fail', 'warn', 'error', 'open'];

it.each([
  ['light', light],
  ['dark', dark],
])('in the %s palette every word can be read on every ground', (_, palette) => {
  for (const ground of grounds) {
    for (const ink of inks) {
      const ratio = contrast(palette[ink] ?? '', palette[ground] ?? '');
      expect(ratio, `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    }
  }
});

it('uses no colour that the palettes do not name', () => {
  const used = [...style.matchAll(/var\(--([\w-]+)\)/g)].map(([, name]) => name);
  for (const name of new Set(used)) expect([...grounds, ...inks, 'line']).toContain(name);
  expect(Object.keys(dark)).toEqual(Object.keys(light));
});
