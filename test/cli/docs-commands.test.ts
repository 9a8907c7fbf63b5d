import { followPage } from './follow-page.ts';

// The pages about waivers, baselines and coverage are followed in docs-commands.long.test.ts; baselines.test.ts and
// coverage.test.ts try the same here. So do audit.test.ts and compare.test.ts for audits and comparisons.
for (const name of ['verdicts', 'ci', 'report', 'proxy']) followPage(name);
