import { followPage } from './follow-page.ts';

// This page needs only the lives of single orders. docs-commands.long.test.ts follows the other
// pages. Their subjects have quick tests: cli.test.ts and shards.test.ts for reports, formats and
// shards, baselines.test.ts for waivers and baselines, test/proxy for the proxy, and the tests
// named after coverage, audits and comparisons.
followPage('compare');
