import type { SimulateFlags } from '../simulate/options.ts';
import { formatSeed } from '../../random/seed.ts';
import type { SimulationOptions } from '../../simulation/outcome.ts';
import {
  canonicalOptions,
  sameOptions,
  sameSuite,
  showSuite,
  type Suite,
} from '../../simulation/campaign/options.ts';
import { seedRange, showRange } from '../../simulation/campaign/seed-range.ts';
import { grouped } from '../../simulation/campaign/text.ts';
import { usageFailure } from '../command.ts';
import { freshSeed } from '../../run/fresh.ts';
import type { ExitCode, Terminal } from '../terminal.ts';
import { type Campaign, findCampaign, submitCampaign } from './campaigns.ts';
import { connect } from './connect.ts';
import { showCampaign } from './show.ts';
import { simulationSuite } from './range-player.ts';

const usual = { first: 1n, chunk: 50, leaseMs: 60_000 } as const;
/** A worker renews its lease four times while it lasts, and the host may be busy. */
const leastLeaseMs = 2_000;
const longestLeaseMs = 12 * 3_600_000;

/** `assay simulate --queue`: hands the worlds to workers instead of playing them here. */
export async function submit(
  queue: string,
  flags: SimulateFlags,
  options: SimulationOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const campaign = campaignOf(flags, canonicalOptions(options), simulationSuite());
  const connection = await connect(queue, 2, terminal.err);
  const { database, patiently } = connection;
  try {
    const done = await patiently(() => submitCampaign(database, campaign));
    if (done === 'there already') {
      mustBeSame(campaign, await patiently(() => findCampaign(database, campaign.id)));
    }
    const verb = done === 'submitted' ? 'submitted' : 'was submitted already';
    const { id, range, chunk, suite } = campaign;
    terminal.out(
      `campaign ${id} ${verb}: ${showRange(range)} in ranges of ${grouped(chunk)}, for suite ${showSuite(suite)}`,
    );
    if (flags.wait) {
      return await showCampaign(connection, campaign, flags, terminal);
    }
    terminal.out('next: on any number of machines: assay worker --queue URL');
    terminal.out(`      what came of it: assay campaign ${id} --queue URL`);
    return 0;
  } finally {
    await database.close();
  }
}

function campaignOf(flags: SimulateFlags, options: SimulationOptions, suite: Suite): Campaign {
  const { seeds, from = usual.first, chunk = usual.chunk, lease = usual.leaseMs } = flags;
  if (seeds === undefined) {
    throw usageFailure('--queue without a number of worlds', 'add --seeds N');
  }
  const range = seedRange(from, seeds);
  if (!range) {
    const what = `there are no ${grouped(seeds)} seeds from ${formatSeed(from)} on`;
    throw usageFailure(what, 'seeds have 64 bits: give a smaller --from or fewer --seeds');
  }
  if (lease < leastLeaseMs || lease > longestLeaseMs) {
    throw usageFailure('--lease is too short or too long', 'give 2s to 12h');
  }
  const id = flags.campaign ?? formatSeed(freshSeed()).slice(2);
  if (!/^[a-z0-9][a-z0-9._-]{0,63}$/.test(id)) {
    const what = `--campaign ${JSON.stringify(id)} is no name of a campaign`;
    throw usageFailure(what, 'give up to 64 small letters, digits, dots and dashes');
  }
  return { id, suite, options, range, chunk, leaseSeconds: Math.ceil(lease / 1_000) };
}

/** A command that is repeated, as by a rerun build, waits for its first campaign. Throws if the campaigns differ. */
function mustBeSame(wanted: Campaign, found: Campaign | undefined): void {
  const isSame =
    found !== undefined &&
    sameSuite(found.suite, wanted.suite) &&
    sameOptions(found.options, wanted.options) &&
    found.range.first === wanted.range.first &&
    found.range.count === wanted.range.count;
  if (isSame) return;
  const other = found ? `: ${showRange(found.range)}, suite ${showSuite(found.suite)}` : '';
  const what = `--campaign ${wanted.id} is the name of another campaign${other}`;
  throw usageFailure(what, 'choose another name, or leave it out');
}
