import { municipalities } from '../shared/places.ts'
import { bySpanish } from '../shared/text.ts'
import {
  type BoardDay,
  type BoardFilter,
  type BoardPerson,
  type BoardRow,
  type BoardVisit,
  isWanted,
  shownRows,
} from './board.ts'
import { centres, noZone } from './roster.ts'

/** A point of the map in its own units, about the pixels of a phone. */
type Point = { x: number; y: number }

/** An appointment on the map; `order` counts along its person's way, from 1. */
export type Stop = Point & { visit: BoardVisit; order: number; isFaded: boolean }

/** The straight line between two stops of a person, its travel minutes, and whether the time between is too short. */
type Leg = { from: Stop; to: Stop; minutes: number; isShort: boolean }

/** A person's stops in order; without a person, appointments of nobody, which no line joins. */
export type Way = { person: BoardPerson | null; stops: Stop[]; legs: Leg[]; travel: number }

/** The places of a board's day, with the municipalities around them. */
export type BoardMap = {
  width: number
  height: number
  places: (Point & { zone: number; hasStops: boolean })[]
  ways: Way[]
}

const width = 360
const [lowest, tallest] = [240, 440]
/** From the edge to the outermost municipality, for what stands around its centre. */
const margin = 48
/** The least a map shows, in degrees: one municipality and its neighbours. */
const leastSpan = 0.09
/** Between two stops, so that each can be pressed. */
const apart = 27

/**
 * The map of a board's day under a filter: municipalities where they are, cut out to those with an appointment. Homes
 * stand around the centre of their municipality, those of a postal code side by side: no coordinates of homes are kept.
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
  const shown = [...rows.flatMap(({ visits }) => visits), ...open]
  const { at, height, places } = frameOf(new Set(shown.map(({ zone }) => zone)))
  const spots = spotsOf(shown, at, height)
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
      return { person, stops, legs: legsOf(stops, gaps), travel }
    })
  const without = open.length > 0 ? [{ person: null, stops: stopsOf(open), legs: [], travel: 0 }] : []
  return { width, height, places, ways: [...ways, ...without] }
}

function legsOf(stops: readonly Stop[], gaps: BoardRow['gaps']): Leg[] {
  return stops.slice(1).map((to, n) => {
    const from = stops[n]!
    const gap = gaps.find(({ after }) => after === from.visit.id)
    return { from, to, minutes: gap?.travel ?? 0, isShort: gap?.short ?? false }
  })
}

/** At the latitude of Mexico City a degree of longitude is this much of one of latitude. */
const narrower = Math.cos((19.37 * Math.PI) / 180)

/** Municipalities as points, north up, in degrees of latitude. */
const grounds: readonly Point[] = municipalities.map(({ slug }) => {
  const [latitude, longitude] = centres[slug]
  return { x: longitude * narrower, y: -latitude }
})

/** Fits some municipalities (all of them where none is given) into the map. */
function frameOf(zones: ReadonlySet<number>) {
  const inner = zones.size > 0 ? grounds.filter((_, zone) => zones.has(zone)) : grounds
  const [across, down] = [extentOf(inner.map(({ x }) => x)), extentOf(inner.map(({ y }) => y))]
  const scale = Math.min((width - 2 * margin) / across.span, (tallest - 2 * margin) / down.span)
  const height = Math.max(lowest, Math.round(down.span * scale) + 2 * margin)
  const at = (zone: number): Point => ({
    x: width / 2 + (grounds[zone]!.x - across.middle) * scale,
    y: height / 2 + (grounds[zone]!.y - down.middle) * scale,
  })
  const places = municipalities
    .map(({ index }) => ({ ...at(index), zone: index, hasStops: zones.has(index) }))
    .filter(({ x, y }) => x > 4 && x < width - 4 && y > 10 && y < height - 10)
  return { at, height, places }
}

function extentOf(values: readonly number[]) {
  const [from, to] = [Math.min(...values), Math.max(...values)]
  return { middle: (from + to) / 2, span: Math.max(to - from, leastSpan) }
}

/** The turn from one seed of a sunflower to the next, in radians: neighbours in the list stay near each other. */
const turn = 0.6

/** Where each appointment stands: around its municipality's centre by postal code, then moved until none covers another. */
function spotsOf(visits: readonly BoardVisit[], at: (zone: number) => Point, height: number) {
  const seen = new Map<number, number>()
  const spots = visits
    .toSorted((a, b) => a.zone - b.zone || bySpanish(codeOf(a), codeOf(b)) || a.start - b.start)
    .map(({ id, zone }) => {
      const n = seen.get(zone) ?? 0
      seen.set(zone, n + 1)
      const [centre, reach] = [at(zone), 7 * Math.sqrt(n)]
      return { id, x: centre.x + reach * Math.cos(n * turn), y: centre.y + reach * Math.sin(n * turn) }
    })
  for (let round = 0; round < 60 && spread(spots); round++)
    for (const spot of spots) {
      spot.x = Math.min(Math.max(spot.x, apart / 2), width - apart / 2)
      spot.y = Math.min(Math.max(spot.y, apart), height - apart / 2)
    }
  return new Map(spots.map(({ id, x, y }) => [id, { x: Math.round(x), y: Math.round(y) }]))
}

const codeOf = ({ postalCode }: BoardVisit) => postalCode ?? ''

/** Moves those that are too near to each other apart, half the way each. Returns whether any was. */
function spread(spots: Point[]): boolean {
  let isMoved = false
  for (const [n, a] of spots.entries())
    for (const b of spots.slice(n + 1)) {
      const [x, y] = [b.x - a.x || 0.1, b.y - a.y]
      const distance = Math.hypot(x, y)
      if (distance >= apart) continue
      const push = (apart + 0.5 - distance) / distance / 2
      a.x -= x * push
      a.y -= y * push
      b.x += x * push
      b.y += y * push
      isMoved = true
    }
  return isMoved
}
