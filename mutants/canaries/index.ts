import type { Written } from '../mutation.ts';
import { moneyCanaries } from './money-and-privacy.ts';
import { orderCanaries } from './orders.ts';
import { restartCanaries } from './restarts.ts';
import { streamCanaries } from './streams-and-time.ts';

/**
 * Every planted defect for simulation: it shows only if several conditions hold together that are harmless alone. Worlds
 * should find it; the checks of the suite need not.
 */
export const canaries: readonly Written[] = [
  ...orderCanaries,
  ...streamCanaries,
  ...moneyCanaries,
  ...restartCanaries,
];

export const canaryNamed = (id: string): Written | undefined =>
  canaries.find((one) => one.id === id);
