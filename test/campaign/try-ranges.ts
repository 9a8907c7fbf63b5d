import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/cli/campaign/database.ts';
import { campaignRows, submitted } from './in-process.ts';
import type { TestDatabase } from './database.ts';

/**
 * Tests how workers take ranges from the queue.
 * @param create returns an empty database on a running server, since starting one takes seconds
 */
export function tryRanges(create: () => Promise<TestDatabase>): void {
  describe('ranges of a campaign', () => {
    it('writes what came of a range and completes its job, both or neither', async () => {
      const { database, ranges, summaryOf, close } = await submitted(await create());
      const taken = await ranges.take();
      if (!taken) throw new Error('nothing to take');
      // As if the connection broke between the two: the second of them fails.
      await database.query(
        `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN IF NEW.state = 'completed' THEN RAISE 'not now'; END IF; RETURN NEW; END $$`,
      );
      await database.query(
        'CREATE TRIGGER refuse BEFORE UPDATE ON assay_jobs.job FOR EACH ROW EXECUTE FUNCTION refuse()',
      );
      await expect(ranges.finish(taken, summaryOf(taken))).rejects.toThrow('not now');
      expect(await campaignRows(database)).toEqual({ results: 0, states: ['active', 'created'] });
      await database.query('DROP TRIGGER refuse ON assay_jobs.job');
      await ranges.finish(taken, summaryOf(taken));
      expect(await campaignRows(database)).toEqual({
        results: 1,
        states: ['completed', 'created'],
      });
      await close();
    });

    it('counts a range once that two workers have played', async () => {
      const { database, ranges, summaryOf, close } = await submitted(await create());
      const slow = await ranges.take();
      if (!slow) throw new Error('nothing to take');
      // Its worker gives no sign for longer than its lease: another takes the range over.
      await database.query(`UPDATE assay_jobs.job SET started_on = now() - interval '1 hour'`);
      await ranges.reclaim();
      const [one, other] = [await ranges.take(), await ranges.take()];
      const again = [one, other].find((taken) => taken?.jobId === slow.jobId);
      if (!again) throw new Error('the range did not come back');
      await ranges.finish(again, summaryOf(again));
      await ranges.finish(slow, summaryOf(slow));
      expect(await campaignRows(database)).toEqual({ results: 1, states: ['active', 'completed'] });
      await close();
    });

    it('takes no range back whose worker gives signs', async () => {
      const { database, ranges, close } = await submitted(await create());
      const taken = await ranges.take();
      if (!taken) throw new Error('nothing to take');
      await database.query(`UPDATE assay_jobs.job SET started_on = now() - interval '1 hour'`);
      await ranges.renew([taken]);
      await ranges.reclaim();
      expect(await campaignRows(database)).toEqual({ results: 0, states: ['active', 'created'] });
      await close();
    });

    it('says that the database is away and not that there is nothing to take', async () => {
      const { database, ranges, close } = await submitted(await create());
      await database.query('ALTER TABLE assay_jobs.job RENAME TO gone');
      await expect(ranges.take()).rejects.toThrow('does not exist');
      await close();
    });

    it('makes its tables once where several start at once on a database that has none', async () => {
      const { url } = await create();
      const opened = await Promise.allSettled(
        Array.from({ length: 5 }, () => openDatabase(url, 2, (act) => act())),
      );
      for (const one of opened) if (one.status === 'fulfilled') await one.value.close();
      expect(opened.map(({ status }) => status)).toEqual(opened.map(() => 'fulfilled'));
    });
  });
}
