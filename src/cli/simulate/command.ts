import type { CommandInput } from '../command.ts';
import { tryDirectory } from '../files.ts';
import { rulesWith } from '../own-rules.ts';
import type { ExitCode } from '../terminal.ts';
import { refuseIgnored, type SimulateFlags, worldOptions } from './options.ts';
import { campaignHere } from './play-here.ts';

/** `assay simulate`: plays many worlds on this machine, or one, shown step by step. */
export async function simulate({ terminal, flags: given }: CommandInput): Promise<ExitCode> {
  const flags = given as unknown as SimulateFlags;
  refuseIgnored(flags);
  const made = worldOptions(flags, terminal.cwd);
  const rules = await rulesWith(flags.checks, terminal.cwd);
  // A scenario of each finding is written there, without `--out` too.
  if (flags.queue === undefined) tryDirectory(terminal.cwd, flags.out ?? 'reports');
  if (made.mutation !== undefined) (await import('../find-mutation.ts')).findTamper(made.mutation);
  const { plan, queue, target, seed } = flags;
  if (queue !== undefined)
    return (await import('../campaign/submit.ts')).submit(queue, flags, made, terminal);
  if (target !== undefined) {
    const { simulateTarget } = await import('./on-target.ts');
    return simulateTarget(target, flags, made, rules, terminal);
  }
  // Only a world in process can be shown step by step: the core has no exchanges, and those over a network differ each
  // time.
  if (plan !== undefined || (seed !== undefined && made.depth === 'process'))
    return (await import('./one-world.ts')).tellWorld(flags, made, terminal);
  const one = seed === undefined ? {} : { from: seed, seeds: 1 };
  return campaignHere({ ...flags, ...one }, made, terminal);
}
