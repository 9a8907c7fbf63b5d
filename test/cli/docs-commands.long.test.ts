import { followPage } from './follow-page.ts';

for (const name of ['waivers', 'baselines']) followPage(name);
