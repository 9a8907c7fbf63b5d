import { printable } from '../../report/formats/escape.ts';
import type { ShrunkCause } from './scenarios.ts';

/** Where each cause can be seen again, for the terminal. */
export const shrunkText = (
  shrunk: readonly ShrunkCause[],
  folder: string,
  mutation: string | undefined,
): string =>
  shrunk
    .map(({ cause, plan, scenario, steps: [before, after], reasons }) => {
      const broken = mutation === undefined ? '' : ` --mutation ${mutation}`;
      return [
        cause,
        `  ${before} steps made ${after}: ${folder}/${plan[0]}`,
        ...(scenario
          ? [`  again: assay play ${folder}/${scenario[0]}${broken}`]
          : [
              `  no scenario: ${reasons.join('; ')}`,
              `  again: assay simulate --plan ${folder}/${plan[0]}${broken}`,
            ]),
      ]
        .map(printable)
        .join('\n');
    })
    .join('\n\n');
