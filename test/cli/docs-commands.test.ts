import { followPage } from './follow-page.ts';

// One page that needs but single lives of orders: the others with commands are followed in docs-commands.long.test.ts.
// What they show is tried here one by one: reports, formats and shards by cli.test.ts and shards.test.ts, waivers and
// baselines by baselines.test.ts, coverage, audits and comparisons by the tests of that name, the proxy by test/proxy.
followPage('compare');
