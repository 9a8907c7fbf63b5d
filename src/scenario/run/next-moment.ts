const dayMs = 86_400_000;
/** Leap days are at most eight years apart. */
const mostYears = 9;

const form =
  /^(?:(?<month>0[1-9]|1[0-2])-(?<date>0[1-9]|[12]\d|3[01])T)?(?<h>[01]\d|2[0-3]):(?<m>[0-5]\d):(?<s>[0-5]\d(?:\.\d{1,3})?)$/;

/**
 * Next moment with this time of day, as `23:59:58.500`, or with this date and time, as `12-31T23:59:58.500`, in UTC.
 * Undefined for any other text, and for a day that no year has.
 */
export function nextMoment(text: string, now: number): number | undefined {
  const { month, date, h, m, s } = form.exec(text)?.groups ?? {};
  if (s === undefined) return undefined;
  const ofDay = (Number(h) * 60 + Number(m)) * 60_000 + Math.round(Number(s) * 1_000);
  if (month === undefined) {
    const today = now - (now % dayMs) + ofDay;
    return today >= now ? today : today + dayMs;
  }
  const thisYear = new Date(now).getUTCFullYear();
  for (let year = thisYear; year < thisYear + mostYears; year += 1) {
    const day = new Date(Date.UTC(year, Number(month) - 1, Number(date)));
    const at = day.getTime() + ofDay;
    // Date turns a day that this year does not have into one of the next month.
    if (day.getUTCDate() === Number(date) && at >= now) return at;
  }
  return undefined;
}
