import { followPage } from './follow-page.ts';

const pages = ['verdicts', 'ci', 'report', 'proxy', 'waivers', 'baselines', 'coverage', 'audit'];
for (const name of pages) followPage(name);
