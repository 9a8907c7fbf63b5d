// The documentation as a site: `npm run site`, or with the folder to make it in.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSite } from './build-site.ts';
import { siteSource } from './pages.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
await buildSite(siteSource(root), root, join(root, process.argv[2] ?? 'site'));
