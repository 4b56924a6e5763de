import type { BoardDay, BoardVisit } from '../../src/dispatch/rules/board.ts'
import { mapOf, type Stop } from '../../src/dispatch/rules/board-map.ts'
import { noZone } from '../../src/scheduling/rules/roster.ts'
import { board, coyoacan, person, ride, toluca, visit } from './board-day.ts'

/** The map without a filter. */
const whole = (day: BoardDay) => mapOf(day, { zones: [] })
const stopsOf = (day: BoardDay) => whole(day).ways.flatMap(({ stops }) => stops)
const apartOf = (a: Stop, b: Stop) => Math.hypot(a.x - b.x, a.y - b.y)

test('joins the stops of each person in order, with minutes on the road and rides that are too short', () => {
  const visits = [
    visit('tomas', '10:00'),
    visit('tomas', '11:15', { zone: toluca }),
    visit('andres', '10:00', { zone: noZone }),
    visit(null, '12:00'),
  ]
  const { ways } = whole(board({ visits }))
  expect(ways.map(({ person, stops }) => [person?.id ?? null, stops.map(({ order }) => order)])).toEqual([
    ['tomas', [1, 2]],
    [null, [1]],
  ])
  expect(ways[0]!.legs).toMatchObject([{ minutes: ride, isShort: true }])
  expect(ways[0]!.travel).toBe(ride)
  expect(ways[1]!.legs).toEqual([])
})

test('shows municipalities where they are, and only those around the day', () => {
  const visits = [visit('tomas', '10:00'), visit('tania', '10:00', { zone: toluca })]
  const [here, west] = stopsOf(board({ visits }))
  expect(west!.x).toBeLessThan(here!.x)
  const near = whole(board({ visits: visits.slice(0, 1) }))
  expect(near.places.map(({ zone }) => zone)).toContain(coyoacan)
  expect(near.places.map(({ zone }) => zone)).not.toContain(toluca)
  expect(whole(board()).places).toHaveLength(20)
})

const expectRoom = (day: BoardDay) => {
  const map = whole(day)
  const { height, width } = map
  const stops = map.ways.flatMap((way) => way.stops)
  for (const [n, a] of stops.entries()) {
    expect(a.x > 10 && a.x < width - 10 && a.y > 10 && a.y < height - 10).toBe(true)
    for (const b of stops.slice(n + 1)) expect(apartOf(a, b)).toBeGreaterThan(22)
  }
  return map
}
const home = { latitude: 19.345, longitude: -99.17 }

test('keeps stops apart and inside the map, and the homes of a postal code together', () => {
  const codes = ['04000', '04330', '04700']
  const visits = Array.from({ length: 30 }, (_, n) =>
    visit(n % 2 ? 'tomas' : 'tania', '10:00', { postalCode: codes[n % 3]!, zone: n < 24 ? coyoacan : 2 }),
  )
  const day = board({ visits })
  expectRoom(day)
  const { clusters } = whole(day)
  const keyOf = ({ postalCode, zone }: BoardVisit) => `${zone} ${postalCode}`
  expect(clusters.map(({ code, zone }) => `${zone} ${code}`).toSorted()).toEqual(
    [...new Set(visits.map(keyOf))].toSorted(),
  )
  for (const cluster of clusters)
    for (const stop of stopsOf(day)) {
      const isOwn = keyOf(stop.visit) === `${cluster.zone} ${cluster.code}`
      expect(Math.hypot(stop.x - cluster.x, stop.y - cluster.y) < cluster.radius).toBe(isOwn)
    }
})

test('draws a home with a pin at its place, in the projection of street maps', () => {
  const visits = [
    visit('tomas', '10:00', { pin: home }),
    visit('tomas', '12:00', { pin: { latitude: 19.29, longitude: -99.66 }, zone: toluca }),
    ...Array.from({ length: 8 }, (_, n) => visit('tania', '10:00', { postalCode: `0400${n}` })),
  ]
  const day = board({ visits })
  expectRoom(day)
  const { edges, height, width } = whole(day)
  const mercator = (latitude: number) => Math.asinh(Math.tan((latitude * Math.PI) / 180))
  const stops = stopsOf(day).filter(({ visit: { pin } }) => pin)
  expect(stops).toHaveLength(2)
  for (const { home, visit, x, y } of stops) {
    const { latitude, longitude } = visit.pin!
    expect(home).toBeNull()
    expect(x).toBeCloseTo((width * (longitude - edges.west)) / (edges.east - edges.west), -0.3)
    const down =
      (mercator(edges.north) - mercator(latitude)) / (mercator(edges.north) - mercator(edges.south))
    expect(y).toBeCloseTo(height * down, -0.3)
  }
  // As wide as it is high, on the same scale.
  const across = ((edges.east - edges.west) * Math.PI) / 180
  expect(across / width).toBeCloseTo((mercator(edges.north) - mercator(edges.south)) / height, 6)
})

test('draws homes of one building beside each other, with a line to the building', () => {
  const visits = ['09:00', '11:00', '13:00'].map((time) => visit('tomas', time, { pin: home }))
  const day = board({ visits })
  expectRoom(day)
  const [first, ...others] = stopsOf(day)
  expect(first!.home).toBeNull()
  for (const stop of others) {
    expect(stop.home).toEqual({ x: first!.x, y: first!.y })
    expect(apartOf(stop, first!)).toBeLessThan(30)
  }
  expect(whole(day).clusters).toEqual([])
})

test('draws a postal code near its municipality, and grows until all stops have room', () => {
  const of = (count: number) =>
    board({
      visits: Array.from({ length: count }, (_, n) =>
        visit('tomas', '10:00', { postalCode: String(10_000 + n), zone: n % 5 }),
      ),
    })
  const few = whole(of(10))
  for (const { x, y, zone } of few.clusters) {
    const place = few.places.find((one) => one.zone === zone)!
    expect(Math.hypot(place.x - x, place.y - y)).toBeLessThan(80)
  }
  expectRoom(of(40))
  expect(expectRoom(of(100)).height).toBeGreaterThan(few.height)
})

test('fades the stops that a filter leaves out of a shown way, and drops unassigned ones', () => {
  const visits = [
    visit('tomas', '10:00'),
    visit('tomas', '13:00', { zone: toluca }),
    visit(null, '12:00', { zone: toluca }),
  ]
  const { ways } = mapOf(board({ visits }), { zones: [coyoacan] })
  expect(ways.map(({ stops }) => stops.map(({ isFaded }) => isFaded))).toEqual([[false, true]])
})

test('shows the way to the first stop for people with a start of day, without counting it', () => {
  const visits = [visit('tomas', '12:00', { zone: toluca }), visit('tania', '10:00')]
  const people = [{ ...person('tomas'), startZone: coyoacan }, person('tania')]
  const { ways } = whole(board({ visits, people }))
  expect(ways.map(({ begins, travel }) => [begins, travel])).toEqual([
    [{ zone: coyoacan, minutes: ride }, 0],
    [undefined, 0],
  ])
})
