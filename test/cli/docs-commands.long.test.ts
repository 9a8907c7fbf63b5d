import { followPage } from './follow-page.ts';

for (const name of ['waivers', 'baselines', 'coverage']) followPage(name);
