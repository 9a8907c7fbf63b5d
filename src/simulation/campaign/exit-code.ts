import { type CampaignSummary, hadOrders } from '../outcome.ts';

/**
 * Exit code of the command line. 1: the target is at fault. 3: Assay is at fault, seeds are missing, the campaign ended
 * early, or no order came about.
 */
export function exitCodeOfCampaign(
  summary: CampaignSummary,
  missing: 'none missing' | 'seeds missing',
): 0 | 1 | 3 {
  const { causes, ended_early } = summary;
  if (ended_early) return 3;
  if (causes.some(({ blame }) => blame === 'defect')) return 1;
  return causes.length > 0 || missing === 'seeds missing' || !hadOrders(summary) ? 3 : 0;
}
