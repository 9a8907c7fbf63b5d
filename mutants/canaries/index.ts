import { calendarCanaries } from './calendar.ts';
import type { Canary } from './canary.ts';
import { deadlineCanaries } from './deadlines.ts';
import { growthCanaries } from './growth.ts';
import { moneyCanaries } from './money.ts';
import { privacyCanaries } from './privacy.ts';
import { raceCanaries } from './races.ts';
import { restartCanaries } from './restarts.ts';
import { retryCanaries } from './retries.ts';
import { streamCanaries } from './streams.ts';

export type { Canary } from './canary.ts';

/** Every planted defect for simulation. */
export const canaries: readonly Canary[] = [
  ...raceCanaries,
  ...deadlineCanaries,
  ...retryCanaries,
  ...growthCanaries,
  ...streamCanaries,
  ...calendarCanaries,
  ...moneyCanaries,
  ...privacyCanaries,
  ...restartCanaries,
];

export const canaryNamed = (id: string): Canary | undefined =>
  canaries.find((one) => one.id === id);
