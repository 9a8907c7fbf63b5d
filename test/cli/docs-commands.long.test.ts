import { followPage } from './follow-page.ts';

const pages = ['ci', 'report', 'proxy', 'waivers', 'baselines', 'coverage', 'audit', 'compare'];
for (const name of pages) followPage(name);
