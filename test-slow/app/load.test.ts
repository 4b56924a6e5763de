import type { Answer } from '../../bench/load.ts'
import { isBorne } from '../../load/climb.ts'
import { drive, type Mark, sumsOf } from '../../load/drive.ts'
import { growthOf, normalSince } from '../../load/soak.ts'

const answer = (status: number, headers: Answer['headers'] = {}): Answer => ({
  status,
  headers,
  ms: 0,
  bytes: 0,
  body: Buffer.of(),
})
const page = { kind: 'page', path: '/', good: 200 }
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const mark = (at: number, ms: number, outcome: Mark['outcome'] = 'answered'): Mark => ({
  kind: 'page',
  at,
  ms,
  outcome,
  status: 200,
})

describe('load generator', () => {
  test('keeps asking a server that stalls and counts from when each request was due', async () => {
    const until = performance.now() + 400
    // Everybody waits for the end of the stall, as behind one that collects its garbage.
    const ask = async () => {
      await pause(Math.max(0, until - performance.now()))
      return answer(200)
    }
    const sums = sumsOf(
      await drive(
        ask,
        Array.from({ length: 50 }, (_, n) => n * 10),
        () => page,
      ),
    )
    expect(sums.due).toBe(50)
    expect(sums.p50).toBeGreaterThan(100)
    expect(sums.p99).toBeGreaterThan(350)
  })

  test('distinguishes answered, refused, turned away and failed requests', async () => {
    const later = { 'retry-after': '2' }
    const left = [
      answer(200),
      answer(409),
      answer(503, later),
      answer(429, later),
      ...[503, 500, 302].map((status) => answer(status)),
    ]
    const ask = async () => {
      const next = left.shift()
      if (!next) throw new Error('socket hang up')
      return next
    }
    const sums = sumsOf(await drive(ask, [0, 1, 2, 3, 4, 5, 6, 7], () => page))
    expect(sums).toMatchObject({ answered: 1, refused: 1, away: 2, failed: 4 })
  })
})

test('accepts a rate unless a request fails, many are turned away or many wait', () => {
  const many = Array.from({ length: 300 }, (_, n) => mark(n, 40))
  expect(isBorne(many)).toBe(true)
  expect(isBorne([...many, mark(1, 9_000)])).toBe(true)
  expect(isBorne([...many, mark(1, 40, 'failed')])).toBe(false)
  expect(isBorne([...many, ...many.slice(0, 5).map(({ at }) => mark(at, 2, 'away'))])).toBe(false)
  expect(isBorne(many.map(({ at }) => mark(at, 600)))).toBe(false)
})

test('measures memory growth from when it has settled and ignores a peak of one second', () => {
  const memory = [...Array.from({ length: 10 }, (_, n) => 100 + n * 10), ...Array<number>(90).fill(200)]
  expect(growthOf(memory, 10)).toBe(0)
  expect(growthOf([...memory.slice(0, 95), 400, ...memory.slice(96)], 10)).toBe(0)
  expect(growthOf([...memory, ...Array<number>(20).fill(230)], 10)).toBeCloseTo(0.15)
})

test('dates the return to normal after the last slow second', () => {
  const after = [mark(100, 900), mark(1_500, 80), mark(2_500, 700), mark(3_500, 20), mark(9_000, 30)]
  expect(normalSince(after, 100)).toBe(3)
  expect(normalSince(after.slice(3), 100)).toBe(0)
})
