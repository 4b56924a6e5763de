import type { Pin } from '../../projects/rules/pin.ts'
import { centres, noZone, travelBetween } from '../../scheduling/rules/roster.ts'
import { municipalities } from '../../shared/places.ts'
import { bySpanish } from '../../shared/text.ts'
import {
  type BoardDay,
  type BoardFilter,
  type BoardPerson,
  type BoardRow,
  type BoardVisit,
  isWanted,
  shownRows,
} from './board.ts'
import { zoneShort } from './zone-labels.ts'

/** A point of the map in its own units, about the pixels of a phone. */
type Point = { x: number; y: number }

/**
 * An appointment on the map; `order` counts along its person's way, from 1. `home` is the place of its pin where the stop
 * stands beside it, since another one covers it.
 */
export type Stop = Point & { visit: BoardVisit; order: number; isFaded: boolean; home: Point | null }

/** The straight line between two stops of a person, its travel minutes, and whether the time between is too short. */
type Leg = { from: Stop; to: Stop; minutes: number; isShort: boolean }

/**
 * A person's stops in order; without a person, appointments of nobody, which no line joins. `begins` is the way to the
 * first stop from where their days begin: in words only, and in no sum.
 */
export type Way = {
  person: BoardPerson | null
  stops: Stop[]
  legs: Leg[]
  travel: number
  begins?: { zone: number; minutes: number }
}

/** The homes of a postal code that have no pin, side by side: where in it they are is not known. */
export type CodeGroup = Point & { radius: number; zone: number; code: string }

/** A municipality: its centre, and where its name has room; null where it has none. */
export type MapPlace = Point & { zone: number; hasStops: boolean; label: Point | null }

/** The places of a board's day, with the municipalities around them. */
export type BoardMap = {
  width: number
  height: number
  /** The degrees at its edges. */
  edges: { west: number; south: number; east: number; north: number }
  places: MapPlace[]
  clusters: CodeGroup[]
  ways: Way[]
}

const width = 360
const lowest = 240
const tallest = 440
/** From the edge to the outermost place, for what stands around it. */
const margin = 48
/** The least a map shows, in degrees: one municipality and its neighbours. */
const leastSpan = 0.095
/** Between two stops, so that each can be pressed. */
const apart = 27

/**
 * The map of a board's day under a filter, in the projection of street maps, cut out to what the day needs. A home with a
 * pin stands there; the others of a postal code stand together, near the centre of their municipality.
 */
export function mapOf(board: BoardDay, filter: BoardFilter): BoardMap {
  const rows = shownRows(board, filter).map(({ person, visits, ...row }) => ({
    ...row,
    person,
    visits: visits.filter(({ zone }) => zone !== noZone),
  }))
  const open = board.visits.filter(
    (visit) => visit.personId === null && visit.zone !== noZone && isWanted(visit, filter),
  )
  const { spots, ...drawn } = laidOut([...rows.flatMap(({ visits }) => visits), ...open])
  const stopsOf = (visits: readonly BoardVisit[]) =>
    visits.map((visit, n) => ({
      ...spots.get(visit.id)!,
      visit,
      order: n + 1,
      isFaded: !isWanted(visit, filter),
    }))
  const ways = rows
    .filter(({ visits }) => visits.length > 0)
    .map(({ gaps, person, travel, visits }) => {
      const stops = stopsOf(visits)
      const way = { person, stops, legs: legsOf(stops, gaps), travel }
      return { ...way, ...beginningOf(person, visits[0], board) }
    })
  const without = open.length > 0 ? [{ person: null, stops: stopsOf(open), legs: [], travel: 0 }] : []
  return { ...drawn, ways: [...ways, ...without] }
}

function beginningOf({ startZone }: BoardPerson, first: BoardVisit | undefined, { travel }: BoardDay) {
  if (startZone === undefined || !first) return {}
  return {
    begins: { zone: startZone, minutes: travelBetween(Uint16Array.from(travel), startZone, first.zone) },
  }
}

function legsOf(stops: readonly Stop[], gaps: BoardRow['gaps']): Leg[] {
  return stops.slice(1).map((to, n) => {
    const from = stops[n]!
    const gap = gaps.find(({ after }) => after === from.visit.id)
    return { from, to, minutes: gap?.travel ?? 0, isShort: gap?.short ?? false }
  })
}

const radians = Math.PI / 180

/** A place in the Mercator projection, north up, in degrees of longitude. */
const groundOf = ({ latitude, longitude }: Pin): Point => ({
  x: longitude,
  y: -Math.log(Math.tan(Math.PI / 4 + (latitude * radians) / 2)) / radians,
})

const latitudeOf = (y: number) => (2 * Math.atan(Math.exp(-y * radians)) - Math.PI / 2) / radians

const grounds: readonly Point[] = municipalities.map(({ slug }) => {
  const [latitude, longitude] = centres[slug]
  return groundOf({ latitude, longitude })
})

/** What fits some places (all municipalities where there is none) into the map; `more` makes it higher. */
function frameOf(inner: readonly Point[], more: number) {
  const shown = inner.length > 0 ? inner : grounds
  const across = extentOf(shown.map(({ x }) => x))
  const down = extentOf(shown.map(({ y }) => y))
  const scale = Math.min((width - 2 * margin) / across.span, (tallest - 2 * margin) / down.span)
  const height = Math.max(lowest, Math.round(down.span * scale) + 2 * margin) + more
  const edge = { x: across.middle - width / 2 / scale, y: down.middle - height / 2 / scale }
  return {
    height,
    at: ({ x, y }: Point): Point => ({ x: (x - edge.x) * scale, y: (y - edge.y) * scale }),
    edges: {
      west: edge.x,
      north: latitudeOf(edge.y),
      east: edge.x + width / scale,
      south: latitudeOf(edge.y + height / scale),
    },
  }
}

function extentOf(values: readonly number[]) {
  const from = Math.min(...values)
  const to = Math.max(...values)
  return { middle: (from + to) / 2, span: Math.max(to - from, leastSpan) }
}

/** What takes room on the map: round, or as wide as a line of text between two round ends. */
type Body = Point & { radius: number; half: number }

const isApart = (a: Body, b: Body) =>
  Math.hypot(Math.max(0, Math.abs(a.x - b.x) - a.half - b.half), a.y - b.y) >= a.radius + b.radius

/** How many times a map grows, by so many units, until all has room; many stops begin with a few. */
const mostGrowths = 12
const growth = 80
const firstGrowths = (stops: number) => Math.max(0, Math.ceil((stops * 6 - tallest) / growth))

type Spots = Map<string, Point & Pick<Stop, 'home'>>
type Layout = Omit<BoardMap, 'ways'> & { spots: Spots }

/** Where all stands: first what has a pin, then each postal code, then names, each with the room it needs. */
function laidOut(visits: readonly BoardVisit[], growths = firstGrowths(visits.length)): Layout {
  const zones = [...new Set(visits.map(({ zone }) => zone))]
  const homes = visits.flatMap(({ pin }) => (pin ? groundOf(pin) : []))
  const { at, edges, height } = frameOf([...zones.map((zone) => grounds[zone]!), ...homes], growths * growth)
  const room = roomOn(height, growths * growth)
  const inOrder = visits.toSorted((a, b) => a.start - b.start)
  const spots: Spots = new Map()
  for (const { id, pin } of inOrder) {
    if (!pin) continue
    const home = rounded(at(groundOf(pin)))
    const spot = room.take(home, apart / 2, 2 * apart)
    spots.set(id, { ...spot, home: spot.x === home.x && spot.y === home.y ? null : home })
  }
  const clusters: CodeGroup[] = []
  const labels = new Map<number, Point>()
  for (const [zone, ofZone] of Map.groupBy(inOrder, (visit) => visit.zone)) {
    const placed = clustersOf(ofZone, at(grounds[zone]!), room, spots)
    clusters.push(...placed)
    const [first] = placed
    const above = first ? { x: first.x, y: first.y - first.radius - 10 } : at(grounds[zone]!)
    labels.set(zone, room.take(above, nameHeight, farthest, halfOf(zone, nameLetter)))
  }
  if (room.isFull() && growths < mostGrowths) return laidOut(visits, growths + 1)
  return { width, height, edges, places: placesOf(at, height, labels, room), clusters, spots }
}

const rounded = ({ x, y }: Point): Point => ({ x: Math.round(x), y: Math.round(y) })

/** How far from its place a postal code, or a name, is put at most, before the map grows. */
const farthest = 110

/** Half the height of a line of text, and the width of one letter of the names that matter, and of the others. */
const nameHeight = 7
const nameLetter = 6.2
const smallLetter = 5
const halfOf = (zone: number, letter: number) =>
  Math.max(0, (zoneShort(zone).length * letter) / 2 - nameHeight)

type Room = ReturnType<typeof roomOn>

/** The room that is left on a map; `more` widens how far around its place something may be put. */
function roomOn(height: number, more: number) {
  const taken: Body[] = []
  let isFull = false
  const find = (input: Body, reach: number): Body | null => {
    // What is in the way of one point is mostly in the way of the next.
    let inTheWay: Body | undefined
    for (let away = 0; away <= reach; away += 4) {
      const turns = Math.max(1, Math.round(away * 0.8))
      for (let turn = 0; turn < turns; turn++) {
        // Below first: above it stands the name.
        const angle = Math.PI / 2 + (2 * Math.PI * turn) / turns
        const x = input.x + away * Math.cos(angle)
        const y = input.y + away * Math.sin(angle)
        const body = { ...input, ...rounded({ x, y }) }
        if (!isWithin(body, height) || (inTheWay && !isApart(body, inTheWay))) continue
        inTheWay = taken.find((other) => !isApart(body, other))
        if (!inTheWay) return body
      }
    }
    return null
  }
  return {
    isFull: () => isFull,
    /** The free place nearest to a wanted one; null where there is none so near. */
    takeIfFree(input: Point, radius: number, reach: number, half = 0): Point | null {
      const found = find({ ...input, radius, half }, reach)
      if (found) taken.push(found)
      return found && { x: found.x, y: found.y }
    },
    /** The same for what has to stand somewhere: without room where it is wanted, and the map is full. */
    take(input: Point, radius: number, reach: number, half = 0): Point {
      const found = isFull ? null : this.takeIfFree(input, radius, reach + more, half)
      isFull ||= !found
      return found ?? rounded(input)
    },
  }
}

const isWithin = ({ half, radius, x, y }: Body, height: number) =>
  x - half - radius >= 1 && x + half + radius <= width - 1 && y - radius >= 1 && y + radius <= height - 1

/** From a stop's middle to the outline of its postal code, and on to the end of the code below it. */
const outline = 15
const codeHeight = 7

/** Puts the homes of a municipality that have no pin around its centre, each postal code together, the largest first. */
function clustersOf(visits: readonly BoardVisit[], centre: Point, room: Room, spots: Spots): CodeGroup[] {
  const byCode = Map.groupBy(
    visits.filter(({ pin }) => !pin),
    ({ postalCode }) => postalCode ?? '',
  )
  return [...byCode]
    .sort(([a, own], [b, others]) => others.length - own.length || bySpanish(a, b))
    .map(([code, own]) => {
      const places = sideBySide(own.length)
      const radius = outline + Math.max(...places.map(({ x, y }) => Math.hypot(x, y)))
      const middle = room.take(centre, radius + codeHeight, farthest)
      for (const [n, { id }] of own.entries()) {
        const { x, y } = places[n]!
        spots.set(id, { ...rounded({ x: middle.x + x, y: middle.y + y }), home: null })
      }
      return { ...middle, radius, zone: own[0]!.zone, code }
    })
}

/** So many points as near to each other as stops may be, around their middle. */
function sideBySide(count: number): Point[] {
  const reach = Math.ceil(Math.sqrt(count))
  const along = Array.from({ length: 2 * reach + 1 }, (_, n) => n - reach)
  const points = along
    .flatMap((row) =>
      along.map((column) => ({ x: (column + (row & 1) / 2) * apart, y: row * apart * 0.866 })),
    )
    .sort((a, b) => Math.hypot(a.x, a.y) - Math.hypot(b.x, b.y))
    .slice(0, count)
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / count
  const x = mean(points.map((point) => point.x))
  const y = mean(points.map((point) => point.y))
  return points.map((point) => ({ x: point.x - x, y: point.y - y }))
}

/** The municipalities on the map. The names of those without a stop stand where there is room near their centre. */
function placesOf(
  at: (ground: Point) => Point,
  height: number,
  labels: ReadonlyMap<number, Point>,
  room: Room,
): MapPlace[] {
  return municipalities
    .map(({ index }) => ({ ...rounded(at(grounds[index]!)), zone: index }))
    .filter(({ x, y }) => x > 4 && x < width - 4 && y > 10 && y < height - 10)
    .map((place) => {
      const label = labels.get(place.zone)
      if (label) return { ...place, hasStops: true, label }
      const above = { x: place.x, y: place.y - 8 }
      return {
        ...place,
        hasStops: false,
        label: room.takeIfFree(above, 5, 14, halfOf(place.zone, smallLetter)),
      }
    })
}
