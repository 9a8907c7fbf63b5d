import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { printable } from '../formats/escape.ts';

/** What is shorter stands in the page as it is, so that it can be read there. */
const longest = 20_000;

/**
 * A script element that no browser runs, with text for the page's script to read. Long text is compressed and written
 * in base64; in other text `<` and what a viewer might obey are escaped, so that nothing in it ends the element.
 * @param json a JSON value, or JSON values on lines of their own: only within their strings can `<` stand
 */
export function dataBlock(id: string, json: string): string {
  if (json.length <= longest) {
    const safe = printable(json).replaceAll('<', '\\u003c');
    return `<script type="application/json" id="${id}">${safe}</script>\n`;
  }
  const packed = deflateRawSync(json, { level: 4 }).toString('base64');
  return `<script type="application/octet-stream" id="${id}">${packed}</script>\n`;
}

/** The text of a block of a page, for whoever reads a page without a browser; undefined where there is none. */
export function readDataBlock(html: string, id: string): string | undefined {
  const found = new RegExp(
    `<script type="application/(json|octet-stream)" id="${id}">([^<]*)</script>`,
  ).exec(html);
  const [, form, text = ''] = found ?? [];
  if (form === undefined) return undefined;
  return form === 'json' ? text : inflateRawSync(Buffer.from(text, 'base64')).toString('utf8');
}
