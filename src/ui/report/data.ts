import type { HistoryBlock } from '../../report/html/history-block.ts';
import type { PageData } from '../../report/html/page-data.ts';

/** Data that src/report/html/page.ts embeds in the page. */
export interface ReportData extends PageData {
  readonly history: Omit<HistoryBlock, 'lines'>;
}

/** Text of a data block of this page; undefined if there is none of that name. */
async function readBlock(id: string): Promise<string | undefined> {
  const block = document.getElementById(id);
  if (!(block instanceof HTMLScriptElement)) return undefined;
  const text = block.textContent;
  if (block.type === 'application/json') return text;
  // The packed text is not needed again.
  block.remove();
  const packed = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return await new Response(unpacked).text();
}

export async function readReportData(): Promise<ReportData> {
  const text = await readBlock('report');
  if (text === undefined) throw new Error('this page holds no report');
  return JSON.parse(text) as ReportData;
}

/** The records of the history, a line of JSON to each. */
export const readHistoryLines = async (): Promise<readonly string[]> =>
  (await readBlock('history'))?.trimEnd().split('\n') ?? [];
