import { readFileSync } from 'node:fs';
import { validateStrict } from 'ctrf';
import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { report } from '../../../test/support/report/check-run.ts';
import { playedReport } from '../../../test/support/report/scenario-run.ts';
import { toJunit } from './junit.ts';
import { applyWaivers } from '../waivers.ts';
import { toBadge } from './badge.ts';
import { toCtrf } from './ctrf.ts';

const nasty = '<b>&amp;]]>\u0000\uFFFE\uD800\n::error::<!DOCTYPE x [<!ENTITY e "&e;&e;">]>';
const waived = applyWaivers(report(nasty), [{ cause: `none${nasty}`, reason: `why${nasty}` }]);
const runs = [
  ['a run of checks', report()],
  ['scenarios', playedReport()],
  ['hostile text and a waiver', waived],
  ['scenarios with hostile text', playedReport(nasty)],
] as const;

const schema = readFileSync(
  new URL('../../../test/support/report/junit.xsd', import.meta.url),
  'utf8',
);
const problemsOf = async (of: string, ...texts: readonly string[]) => {
  const xml = texts.map((contents, n) => ({ fileName: `${n}.xml`, contents }));
  return (await validateXML({ xml, schema: [of] })).errors;
};

describe('the schema of', () => {
  it('JUnit holds for each run', async () => {
    expect(await problemsOf(schema, ...runs.map(([, run]) => toJunit(run)))).toEqual([]);
  });

  it('JUnit finds what is wrong', async () => {
    const wrong = toJunit(report()).replace('<testcase ', '<testcase status="run" ');
    expect(await problemsOf(schema, wrong)).not.toEqual([]);
  });

  it.each(runs)('CTRF holds for %s', (_, run) => {
    expect(() => validateStrict(JSON.parse(toCtrf(run)))).not.toThrow();
  });

  it('CTRF finds what is wrong', () => {
    const wrong = toCtrf(report()).replace('"status": "passed"', '"status": "fine"');
    expect(() => validateStrict(JSON.parse(wrong))).toThrow(/status/);
  });

  it('XML itself holds for the badge of each run', async () => {
    expect(await problemsOf(anyXml, ...runs.map(([, run]) => toBadge(run)))).toEqual([]);
  });
});

const anyXml = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="http://www.w3.org/2000/svg">
  <xs:element name="svg" type="xs:anyType"/>
</xs:schema>`;
