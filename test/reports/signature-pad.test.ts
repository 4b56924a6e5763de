import { isSigned } from '../../src/photos/signature-pad.tsx'

type Point = readonly [x: number, y: number]
const wave = (from: Point, length: number, height = 40): Point[] =>
  Array.from({ length: 40 }, (_, nth) => [
    from[0] + (nth / 39) * length,
    from[1] + height * Math.sin(nth / 4),
  ])
/** On a canvas 1000 pixels wide. */
const isSignature = (...strokes: Point[][]) =>
  isSigned(
    strokes.map((stroke) => ({ points: stroke.map(([x, y]) => ({ x, y })) })),
    1000,
  )

test('a signature is a drawing of some size', () => {
  expect(isSignature(wave([200, 300], 500))).toBe(true)
  expect(isSignature(wave([100, 300], 110), wave([300, 280], 90))).toBe(true)
})

test.each<[string, Point[][]]>([
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
  ['a scribble in one place', [wave([480, 280], 20, 10)]],
  ['what is drawn beyond the edge', [wave([200, 700], 100)]],
])('a signature is not %s', (_name, strokes) => {
  expect(isSignature(...strokes)).toBe(false)
})

test('a signature is measured by the canvas, whatever its size', () => {
  const small = { points: wave([30, 40], 60, 6).map(([x, y]) => ({ x, y })) }
  expect([isSigned([small], 330), isSigned([small], 1000)]).toEqual([true, false])
})
