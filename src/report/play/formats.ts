import type { RunReport } from '../../results/run-report.ts';
import { toJunit as checkJunit } from '../formats/junit.ts';
import { toMarkdown as checkMarkdown } from '../formats/markdown.ts';
import { playJunit } from './junit.ts';
import { playMarkdown } from './markdown.ts';

/** A play is told by its scenarios, a check by its requirements; report.json says which of them it is of. */

export const toJunit = (report: RunReport): string =>
  report.play && report.scenarios ? playJunit(report, report.scenarios) : checkJunit(report);

export const toMarkdown = (report: RunReport): string =>
  report.play && report.scenarios ? playMarkdown(report, report.scenarios) : checkMarkdown(report);
