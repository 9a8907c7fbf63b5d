import type { ListUnreached } from '../../simulation/campaign/text.ts';
import { unreachedIn } from '../../simulation/catalogue.ts';

const widest = 110;

/** The one place where campaigns meet the catalogue of situations; apart from the worlds, so that a report loads none. */
export const listUnreached: ListUnreached = ({ reached, worlds, options }) => {
  const { missing, of } = unreachedIn(reached, options);
  if (worlds === 0) return [];
  if (missing.length === 0) return [`All ${of} situations of the catalogue came about.`];
  const lines = [''];
  for (const name of missing) {
    const last = lines.at(-1) ?? '';
    const longer = last === '' ? name : `${last}; ${name}`;
    if (longer.length > widest) lines.push(name);
    else lines[lines.length - 1] = longer;
  }
  return [
    `${of - missing.length} of ${of} situations came about. Never reached:`,
    ...lines.map((line) => `  ${line}`),
  ];
};
