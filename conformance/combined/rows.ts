import type { DrivenLife } from '../../src/combinations/factors.ts';

/**
 * A covering array: for any two compatible values of different factors there is a life with both. A test computes it
 * again and compares. It is written out here so that the checks keep their ids.
 */
const table = `
  accepter   rivals   lapsed  valid-until  expires-at  proposal  streams  money          ending     beside
  custodian  own      yes     far          far         accepted  resumed  large          cancelled  nothing
  sender     one      no      seconds      seconds     left      whole    usual          failed     nothing
  custodian  several  no      last         last        accepted  limited  no-minor-unit  settled    late-quote
  nobody     several  yes     none         none        left      limited  small          expired    nothing
  sender     none     no      far          far         left      resumed  small          settled    late-quote
  sender     one      yes     after        after       accepted  whole    no-minor-unit  expired    nothing
  nobody     none     no      none         none        accepted  whole    usual          cancelled  nothing
  sender     own      yes     seconds      last        left      limited  large          failed     late-quote
  custodian  own      yes     last         seconds     left      whole    usual          settled    late-quote
  custodian  none     no      last         after       left      resumed  large          expired    nothing
  sender     several  no      after        seconds     left      resumed  no-minor-unit  cancelled  nothing
  custodian  one      no      seconds      last        accepted  resumed  small          cancelled  nothing
  custodian  none     no      far          seconds     accepted  limited  no-minor-unit  failed     nothing
  nobody     own      no      none         none        accepted  resumed  no-minor-unit  expired    nothing
  custodian  one      yes     after        far         accepted  limited  usual          expired    nothing
  custodian  several  no      seconds      far         left      whole    large          settled    nothing
  nobody     one      no      none         none        accepted  limited  large          cancelled  nothing
  sender     several  yes     far          after       left      whole    usual          expired    nothing
  custodian  none     no      after        last        accepted  whole    small          expired    nothing
  sender     own      no      seconds      after       left      limited  small          expired    nothing
  sender     one      no      last         far         accepted  resumed  small          settled    late-quote
  custodian  several  yes     seconds      far         left      resumed  no-minor-unit  failed     nothing
  custodian  own      yes     after        seconds     left      resumed  large          expired    nothing
  sender     one      no      far          last        left      resumed  usual          settled    late-quote
  sender     none     no      seconds      seconds     left      limited  small          failed     nothing
`;

/** Rows of a table in columns of text, by the names in its first line. */
export function rowsIn(text: string): readonly Readonly<Record<string, string>>[] {
  const [names = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ''])));
}

export const drivenRows = rowsIn(table) as unknown as readonly DrivenLife[];
