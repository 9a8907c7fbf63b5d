import { type GapId, gapIds, gaps } from '../../spec/gaps/index.ts';
import { mapShape, namedOf, type Shape, suggestion } from '../../yaml/index.ts';

/** An answer as written: YAML may take it for a number. */
const answerTo = (id: GapId, isOpen: boolean): Shape<string> => ({
  read(node, reader) {
    const values: readonly string[] = gaps[id].values;
    if (node.kind !== 'scalar' || node.value === null)
      return reader.wrong(node, `an answer such as ${values.join(' or ')}`);
    const answer = node.written;
    if (isOpen || values.includes(answer)) return answer;
    const written = { ...node, value: answer };
    return reader.wrong(written, `one of ${values.join(', ')}`, suggestion(answer, values));
  },
  schema: { description: gaps[id].question },
});

/** Answers to gaps by their ids. `known` takes only listed answers; `any` takes any answer to a gap that is open. */
export const gapAnswers = (take: 'known' | 'any') =>
  mapShape(
    namedOf(
      'the answers',
      gapIds,
      (id) => answerTo(id, take === 'any' && !gaps[id].others.startsWith('none')),
      ({ key, keyPlace }, reader) =>
        reader.add(keyPlace, `no gap is named ${JSON.stringify(key)}`, {
          expected: 'an id of `assay spec gaps`',
          hint: key === 'gaps' ? 'leave out "gaps:" here' : suggestion(key, gapIds),
        }),
    ),
    (entries): { readonly [id in GapId]?: string } =>
      Object.fromEntries(entries.map(({ key, value }) => [key, value])),
  );
