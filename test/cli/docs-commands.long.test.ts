import { followPage } from './follow-page.ts';

for (const name of ['waivers', 'baselines', 'coverage', 'audit', 'compare']) followPage(name);
