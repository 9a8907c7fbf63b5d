// A site of one page with a link that leads nowhere, made in the folder that is given.
import { buildSite } from '../../scripts/site/build-site.ts';

const [, , out = ''] = process.argv;
const pages = new Map([['index.md', '# One\n\n[gone](./gone.md)\n']]);
await buildSite({ pages, pictures: [] }, out, `${out}/site`);
