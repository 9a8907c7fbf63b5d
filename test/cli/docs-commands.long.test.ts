import { followPage } from './follow-page.ts';

for (const name of ['waivers', 'baselines', 'audit', 'compare']) followPage(name);
