/** File of records in their order. Segment 2 continues where segment 1 ends. */
export const segmentName = (number: number): string => `segment-${digits(number)}.log`;

/** File with the snapshot that replaces all segments below a number. */
export const snapshotName = (number: number): string => `snapshot-${digits(number)}.log`;

/** A file is written under this name and then renamed: under its own it is always whole. */
export const draftName = (name: string): string => `${name}.draft`;

const digits = (number: number): string => String(number).padStart(8, '0');

export type JournalFile =
  | { readonly kind: 'segment' | 'snapshot'; readonly number: number; readonly name: string }
  | { readonly kind: 'draft'; readonly name: string };

/** Kind and number of a file by its name; undefined for a file of no journal. */
export function journalFile(name: string): JournalFile | undefined {
  const [, kind, number, draft] = /^(segment|snapshot)-(\d{8})\.log(\.draft)?$/.exec(name) ?? [];
  if (kind === undefined) return undefined;
  return draft === undefined
    ? { kind: kind as 'segment' | 'snapshot', number: Number(number), name }
    : { kind: 'draft', name };
}
