import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A directory for the tests of a file or of a `describe`; removed after them. */
export function testDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'assay-test-'));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
