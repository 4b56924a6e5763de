import { useEffect, useMemo, useRef, useState } from 'react'
import { serviceFacts, stateFacts } from '../../appointments/rules/appointment.ts'
import { lateMinutes, lateWords } from '../../appointments/rules/late.ts'
import { type BoardQuery, boardLink, boardPath } from '../../scheduling/screens/board-query.ts'
import { counted, duration, minuteTime } from '../../shared/format.ts'
import { cardClass } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import type { BoardDay, BoardFilter } from '../rules/board.ts'
import {
  type CodeGroup,
  type BoardMap as DayMap,
  type MapPlace,
  mapOf,
  type Stop,
  type Way,
} from '../rules/board-map.ts'
import { zoneLabel, zoneShort } from '../rules/zone-labels.ts'
import { pageOf } from './board-lane.tsx'
import type { Moving } from './use-moving.ts'

type MapProps = {
  board: BoardDay
  filter: BoardFilter
  query: BoardQuery
  moving: Moving
  /** The appointment whose panel is open. */
  opened: string | null
  /** The street map that lies below; null where none is set. */
  tiles: { url: string; attribution: string | null } | null
}

/** Where the day's appointments are and each person's way between them: drawn, and below it in words. */
export default function BoardMap({ board, filter, query, moving, opened, tiles }: MapProps) {
  const map = useMemo(() => mapOf(board, filter), [board, filter])
  const [wanted, setWanted] = useState(query.map)
  const chosen = map.ways.some((way) => idOf(way) === wanted) ? wanted : null
  return (
    <section
      aria-labelledby="mapa"
      className={classNames(cardClass, 'board-map grid content-start gap-3 p-3')}
    >
      <h2 id="mapa" className="sr-only">
        Mapa del día
      </h2>
      <div className="board-ground">
        {tiles && <StreetMap url={tiles.url} edges={map.edges} />}
        <Drawing map={map} board={board} chosen={chosen} opened={opened} query={query} moving={moving} />
      </div>
      {tiles?.attribution && <p className="text-xs text-mute">{tiles.attribution}</p>}
      {map.ways.length === 0 && <p className="text-sm text-mute">Ese día no hay visitas a domicilio.</p>}
      <ul>
        {map.ways.map((way, n) => {
          const isChosen = chosen === idOf(way)
          const next = isChosen ? 'todos' : idOf(way)
          return (
            <li key={idOf(way)} className="border-t border-line py-1">
              <Link
                to={boardLink(query, { map: next })}
                preventScrollReset
                replace
                aria-current={isChosen || undefined}
                onClick={(event) => {
                  event.preventDefault()
                  setWanted(next)
                }}
                className="flex min-h-11 items-center gap-2 text-sm text-ink no-underline hover:underline aria-[current]:font-semibold lg:min-h-8"
              >
                <span aria-hidden className={`way-line ${lookOf(way, n)}`} />
                <span className="min-w-0 truncate">{way.person?.name ?? 'Sin persona'}</span>
                <span className="ml-auto text-xs whitespace-nowrap text-mute">{wayInWords(way)}</span>
              </Link>
              <StopList way={way} />
            </li>
          )
        })}
      </ul>
      <p className="text-xs text-mute">
        Cada visita está donde se marcó su domicilio; las que no se han marcado están juntas por código
        postal, cerca del centro de su alcaldía o municipio. Los minutos son los de tu tabla de traslados; en
        rojo si no llega a tiempo.
      </p>
    </section>
  )
}

type StreetMapProps = { url: string; edges: DayMap['edges'] }

/** The streets below what is drawn, once they have come. Without them, or while they come, the ground is plain. */
function StreetMap({ url, edges: { east, north, south, west } }: StreetMapProps) {
  const ground = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = ground
    if (!current || !isLoadedHere()) return
    let remove: (() => void) | null = null
    let isGone = false
    import('./board-tiles.ts').then(
      ({ layTiles }) => {
        if (!isGone) remove = layTiles(current, url, [west, south, east, north])
      },
      // Its file could not be fetched.
      () => undefined,
    )
    return () => {
      isGone = true
      remove?.()
    }
  }, [url, west, south, east, north])
  return <div ref={ground} aria-hidden className="board-tiles" />
}

/** Whether this document was loaded as the board: the policy of another one allows no tiles. */
const isLoadedHere = () =>
  performance.getEntriesByType('navigation').some(({ name }) => new URL(name).pathname === boardPath)

const idOf = ({ person }: Way) => person?.id ?? 'nadie'

/** The colour of a way, and how it is dashed: eight colours, then the same ones dashed. */
const lookOf = ({ person }: Way, n: number) =>
  person ? classNames(`way-${n % 8}`, n >= 8 && 'way-dashed') : 'text-bad'

const wayInWords = ({ stops, travel }: Way) =>
  [counted(stops.length, 'visita', 'visitas'), travel > 0 && `${duration(travel)} de traslado`]
    .filter(Boolean)
    .join(' · ')

/** A way in words: its stops in order, and the travel before each. */
const StopList = ({ way: { begins, legs, stops } }: { way: Way }) => (
  <ol className="text-xs text-mute">
    {begins && (
      <li className="inline">
        Sale de {zoneShort(begins.zone)} → {begins.minutes}&nbsp;min →{' '}
      </li>
    )}
    {stops.map((stop) => {
      const leg = legs.find(({ to }) => to === stop)
      return (
        <li key={stop.visit.id} className="inline">
          {leg && (
            <span className={leg.isShort ? 'font-semibold text-bad' : undefined}>
              {' '}
              → {leg.minutes}&nbsp;min{leg.isShort && <span className="sr-only">, no llega a tiempo</span>} →{' '}
            </span>
          )}
          {stop.order > 1 && !leg && ' · '}
          <span className="whitespace-nowrap text-ink">{minuteTime(stop.visit.start)}</span>{' '}
          {zoneShort(stop.visit.zone)}
        </li>
      )
    })}
  </ol>
)

type DrawingProps = Pick<MapProps, 'board' | 'moving' | 'opened' | 'query'> & {
  map: DayMap
  chosen: string | null
}

/** Postal codes and lines below, then the names of municipalities, then stops on top of all, that none is covered. */
function Drawing({ map, board, chosen, moving, opened, query }: DrawingProps) {
  const { clusters, height, places, ways, width } = map
  const looks = ways.map((way, n) => ({
    way,
    look: chosen === null || chosen === idOf(way) ? lookOf(way, n) : 'way-dimmed',
  }))
  return (
    <svg viewBox={`0 0 ${width} ${height}`} className="board-drawing">
      <title>Mapa del día</title>
      <g aria-hidden>
        {clusters.map((cluster) => (
          <PostalCode key={`${cluster.zone} ${cluster.code}`} {...cluster} />
        ))}
        {looks.map(({ look, way }) => (
          <Line key={idOf(way)} way={way} look={look} />
        ))}
        {clusters.map(({ code, radius, x, y, zone }) => (
          <text key={`${zone} ${code}`} x={x} y={y + radius + 5} className="map-code">
            {code}
          </text>
        ))}
        {places.map((place) => (
          <Place key={place.zone} {...place} />
        ))}
      </g>
      {looks.map(({ look, way }) => (
        <g key={idOf(way)} className={look}>
          {way.stops.map((stop) => (
            <StopMark
              key={stop.visit.id}
              stop={stop}
              way={way}
              now={board.now}
              isOpened={opened === stop.visit.id}
              query={query}
              moving={moving}
            />
          ))}
        </g>
      ))}
    </svg>
  )
}

/** The homes of a postal code whose place in it is not known. */
const PostalCode = ({ radius, x, y }: CodeGroup) => (
  <circle cx={x} cy={y} r={radius} className="map-cluster" />
)

const Place = ({ hasStops, label, x, y, zone }: MapPlace) => (
  <>
    {!hasStops && <circle cx={x} cy={y} r={2} className="map-dot" />}
    {label && (
      <text x={label.x} y={label.y + 3.5} className={classNames('map-label', hasStops && 'has-stops')}>
        {zoneShort(zone)}
      </text>
    )}
  </>
)

/** The least length of a line that has room for its minutes. */
const roomy = 48

/** A person's way, with the minutes of each part. */
const Line = ({ way: { legs }, look }: { way: Way; look: string }) => (
  <g className={look}>
    {legs.map(({ from, isShort, minutes, to }) => (
      <g key={to.visit.id} className={classNames('map-leg', isShort && 'is-short')}>
        <line x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
        {Math.hypot(to.x - from.x, to.y - from.y) >= roomy && (
          <text x={(from.x + to.x) / 2} y={(from.y + to.y) / 2 + 3}>
            {minutes}
          </text>
        )}
      </g>
    ))}
  </g>
)

type StopMarkProps = Pick<MapProps, 'moving' | 'query'> & {
  stop: Stop
  way: Way
  now: number
  isOpened: boolean
}

/** A stop: pressed, it opens as its block does. Beside the place of its pin, a line leads there. */
function StopMark({ stop, way: { person }, now, isOpened, moving, query }: StopMarkProps) {
  const { home, isFaded, order, visit, x, y } = stop
  const { customer, id, pin, postalCode, service, start, state, zone } = visit
  const late = lateMinutes(visit, now)
  const words = [
    person ? `${order}.ª visita de ${person.name}` : 'Sin persona',
    minuteTime(start),
    serviceFacts[service].label,
    customer,
    zoneLabel(zone),
    !pin && postalCode && `C.P. ${postalCode}`,
    late > 0 ? lateWords(late) : stateFacts[state].label,
  ]
    .filter(Boolean)
    .join(', ')
  return (
    <a
      href={pageOf(visit, query)}
      aria-label={words}
      aria-current={isOpened || undefined}
      data-stop={id}
      draggable={false}
      className={classNames(
        'map-stop',
        isOpened && 'is-opened',
        late > 0 && 'is-late',
        isFaded && 'is-faded',
      )}
      {...moving.handlers(visit)}
    >
      <title>{words}</title>
      {home && (
        <>
          <line x1={home.x} y1={home.y} x2={x} y2={y} />
          <circle cx={home.x} cy={home.y} r={2.5} className="map-home" />
        </>
      )}
      <circle cx={x} cy={y} r={11} />
      <text x={x} y={y + 4}>
        {person ? order : '?'}
      </text>
    </a>
  )
}
