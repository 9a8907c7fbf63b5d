import { followPage } from './follow-page.ts';

// The pages about waivers and baselines are followed in docs-commands.long.test.ts; baselines.test.ts tries both here.
for (const name of ['verdicts', 'ci', 'report']) followPage(name);
