import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { extended, isSigned, type Point, paper, pathOf, type Stroke } from '../../../src/web/onsite/stroke.ts'

const wave = (from: Point, length: number): Stroke =>
  Array.from({ length: 40 }, (_, nth) => [from[0] + (nth / 39) * length, from[1] + 40 * Math.sin(nth / 4)])

describe('a signature', () => {
  test('is a drawing of some size', () => {
    expect(isSigned([wave([200, 300], 500)])).toBe(true)
    expect(isSigned([wave([100, 300], 110), wave([300, 280], 90)])).toBe(true)
  })

  test.each([
    ['nothing', []],
    ['a dot', [[[500, 300]]]],
    ['dots far from one another', [[[100, 100]], [[900, 500]]]],
    [
      'a short dash',
      [
        [
          [480, 300],
          [560, 300],
        ],
      ],
    ],
    ['a scribble in one place', [wave([480, 300], 20).map(([x, y]): Point => [x, 280 + (y - 300) / 4])]],
  ] satisfies [string, Stroke[]][])('is not %s', (_name, strokes) => {
    expect(isSigned(strokes)).toBe(false)
  })
})

describe('a stroke', () => {
  test('stays on the paper, and takes no trembling', () => {
    expect(extended([], [-20, 9999])).toEqual([[0, paper.height]])
    expect(extended([[10, 10]], [11, 10])).toEqual([[10, 10]])
    expect(extended([[10, 10]], [13, 10])).toEqual([
      [10, 10],
      [13, 10],
    ])
  })

  test('is drawn from its first point to its last', () => {
    expect(pathOf([])).toBe('')
    expect(pathOf([[10, 20]])).toBe('M10,20h0')
    expect(
      pathOf([
        [0, 0],
        [10, 0],
        [10, 10],
      ]),
    ).toBe('M0,0L5,0Q10,0 10,5L10,10')
  })

  test('of any points is a path of figures', () => {
    const points = fc.array(fc.tuple(fc.double({ noNaN: true }), fc.double({ noNaN: true })), {
      minLength: 1,
    })
    fc.assert(
      fc.property(points, (drawn) => {
        const stroke = drawn.reduce<Stroke>((sofar, point) => extended(sofar, point), [])
        expect(pathOf(stroke)).toMatch(/^M[\d.,]+(h0|L[\d.,]+(Q[\d.,]+ [\d.,]+)*L[\d.,]+)$/)
      }),
    )
  })
})
