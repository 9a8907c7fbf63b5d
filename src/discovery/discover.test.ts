import { describe, expect, it } from 'vitest';
import { random } from '../random/random.ts';
import type { Tamper } from '../reference/http/index.ts';
import { gapIds, gaps, type GapId } from '../spec/gaps/index.ts';
import { assign } from '../target/embedded/assignment.ts';
import { withEmbedded } from '../../test/support/tampered.ts';
import type { EmbeddedOptions } from '../target/embedded/embedded.ts';
import { unseen } from '../../test/support/core/seen-gaps.ts';
import { discover } from './discover.ts';
import type { DeclaredAnswers } from '../target/gap-observations.ts';

const findingsUnder = (options: Partial<EmbeddedOptions>) =>
  withEmbedded(options, async (target) => {
    const draws = random(1n).fork('discovery');
    const findings = await discover(target, target.answers, draws, target.observations);
    return new Map(findings.map((finding) => [finding.gap, finding]));
  });

/** No token is ever put into an address. */
const neverSeen = ['stream.auth header-or-query'];

/** Answers that hide another gap, so that no request can show it. */
const hidden = (answers: DeclaredAnswers): readonly GapId[] =>
  answers['quote.twice'] === 'allow' ? [] : ['quote.winner_others'];

/** In world n each gap has its n-th answer, so that each answer occurs beside others. */
function* worlds() {
  const most = Math.max(...gapIds.map((id) => gaps[id].values.length));
  for (let nth = 0; nth < most; nth += 1) {
    const answers = Object.fromEntries(
      gapIds.flatMap((id) => {
        const value = gaps[id].values[nth];
        // A gap that cannot be observed keeps its usual answer: another answer may hide other gaps.
        return value === undefined || unseen.includes(id) ? [] : [[id, value]];
      }),
    ) as DeclaredAnswers;
    yield [nth + 1, answers] as const;
  }
}

describe('discovery', () => {
  it.each([...worlds()])('sees every answer of world %d', async (_, answers) => {
    const findings = await findingsUnder({ assignment: assign(answers) });
    const leftOpen = new Set(hidden(answers));
    const wanted = Object.entries(answers).filter(
      ([id, value]) => !leftOpen.has(id as GapId) && !neverSeen.includes(`${id} ${value}`),
    );
    const observed = wanted.map(([id]) => [id, findings.get(id as GapId)?.observed]);
    expect(Object.fromEntries(observed)).toEqual(Object.fromEntries(wanted));
    const doubtful = [...findings.values()].filter(({ consistent }) => !consistent);
    expect(doubtful).toEqual([]);
  });

  it('finds pages under names that are none of ours', async () => {
    const renamed = ({ 'page-number': page, 'page[size]': page_size, ...rest }: Query): Query => ({
      ...rest,
      ...(page !== undefined && { page }),
      ...(page_size !== undefined && { page_size }),
    });
    const tamper: Tamper = {
      command: (command) =>
        command.type === 'request'
          ? { ...command, query: renamed(withoutOurs(command.query)) }
          : command,
    };
    const findings = await findingsUnder({ tamper });
    expect(findings.get('list.page_param')?.observed).toBe('page-number');
    expect(findings.get('list.page_size_param')?.observed).toBe('page[size]');
  });
});

type Query = Readonly<Record<string, string>>;
const withoutOurs = ({ page: _page, page_size: _size, ...rest }: Query): Query => rest;
