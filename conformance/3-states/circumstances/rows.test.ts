import { expect, test } from 'vitest';
import { type Factor, factors, lives } from './rows.ts';

const names = Object.keys(factors) as Factor[];

test('any two values of different factors meet in an order that settles', () => {
  const settling = lives.filter(({ ending }) => ending === 'settled');
  const apart = names.flatMap((one, index) =>
    names
      .slice(index + 1)
      .flatMap((other) =>
        factors[one].flatMap((a) =>
          factors[other].flatMap((b) =>
            settling.some((life) => life.with[one] === a && life.with[other] === b)
              ? []
              : [`${one} ${a}, ${other} ${b}`],
          ),
        ),
      ),
  );
  expect(apart).toEqual([]);
});
