import { printable } from '../../report/formats/escape.ts';

/** A sentence of the catalogue; names between backticks become code. */
export const Prose = ({ text }: { readonly text: string }) => (
  <>
    {text
      .split('`')
      .map((piece, place, all) =>
        place % 2 === 1 && place < all.length - 1 ? (
          <code key={place}>{printable(piece)}</code>
        ) : (
          printable(place % 2 === 1 ? `\`${piece}` : piece)
        ),
      )}
  </>
);
