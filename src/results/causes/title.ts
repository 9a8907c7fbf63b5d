import { endpoints } from '../../spec/endpoints.ts';
import type { Place } from '../run-report.ts';
import { deviations } from '../../spec/deviations.ts';

const routeOf = (name: string): string => {
  const known = Object.entries(endpoints).find(([id]) => id === name)?.[1];
  return known ? `${known.method} ${known.path}` : name;
};

/** "GET /api/v1/orders", "the event order_updated". */
export const whereName = ({ endpoint, event }: Place): string | undefined =>
  event !== undefined
    ? `the event ${event}`
    : endpoint === undefined
      ? undefined
      : routeOf(endpoint);

const namesShown = 3;

/** One sentence that names the place; undefined where there is none to name. */
export function titleOf(
  place: Place,
  also: readonly Place[],
  deviation: string,
): string | undefined {
  const verb =
    Object.entries(deviations).find(([name]) => name === deviation)?.[1] ?? deviations.other;
  const all = [place, ...also].flatMap((one) => whereName(one) ?? []);
  const more = all.length > namesShown ? ` and ${all.length - namesShown} more` : '';
  const where = `${all.slice(0, namesShown).join(', ')}${more}`;
  const token = deviation === 'refused' ? 'A good token' : 'A token that is no good';
  const subject = place.field === 'authorization' ? token : place.field;
  if (subject === undefined && all.length > 1) return `each of ${all.length} ${verb}: ${where}`;
  if (subject === undefined) return where === '' ? undefined : `${where} ${verb}`;
  return where === '' ? `${subject} ${verb}` : `${subject} ${verb}: ${where}`;
}
