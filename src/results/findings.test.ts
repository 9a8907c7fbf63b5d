import { expect, test } from 'vitest';
import { createFindings } from './findings.ts';

const asked = (kept: number, departed: number) => {
  const findings = createFindings(() => (evidence) => evidence.slice(0, 1));
  for (let n = 0; n < kept; n += 1) findings.pass('one', `a${n}`);
  for (let n = 0; n < departed; n += 1) {
    findings.assert('one', false, `a-${n}`, () => ({ message: 'was not', evidence: [`a-${n}`] }));
  }
  findings.assert('one', false, 'b0', () => ({ message: 'was not', evidence: ['b0'] }));
  return findings.collected().filter(({ outcome }) => outcome === 'fail');
};

test('only enough opposite outcomes in the same circumstances close an excuse', () => {
  expect(asked(40, 2).map(({ closed }) => closed)).toEqual([true, true, undefined]);
  expect(asked(40, 2)[0]?.evidence).toEqual(['a-0', 'a0']);
  expect(asked(40, 3).some(({ closed }) => closed)).toBe(false);
  expect(asked(19, 1).some(({ closed }) => closed)).toBe(false);
});

test('a finding names one record of each equal finding that is dropped', () => {
  const findings = createFindings();
  for (let n = 0; n < 23; n += 1) {
    const message = n === 21 ? 'was another' : 'was not';
    findings.fail('one', { message, evidence: ['cause', `a${n}`, ''] });
  }
  const [first, second] = findings.collected();
  expect([first?.shownBy, second?.shownBy]).toEqual([['a0', 'a20', 'a22'], ['a1']]);
});
