import { followPage } from './follow-page.ts';

// The pages about waivers, baselines, audits and comparisons are followed in docs-commands.long.test.ts; each has a light
// test of the same beside this one.
for (const name of ['verdicts', 'ci', 'proxy']) followPage(name);
