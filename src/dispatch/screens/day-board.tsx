import { CalendarOff, Phone, UserX } from 'lucide-react'
import { type FocusEvent, type KeyboardEvent, useEffect, useMemo, useRef } from 'react'
import { isAnalyst } from '../../access/rules/actor.ts'
import { serviceFacts, services } from '../../appointments/rules/appointment.ts'
import type { MinuteSpan } from '../../scheduling/rules/roster.ts'
import { type BoardQuery, boardPath, fromBoard } from '../../scheduling/screens/board-query.ts'
import { ServiceSwatch } from '../../scheduling/screens/service-look.tsx'
import { counted, duration, figure, minuteHands } from '../../shared/format.ts'
import { cardClass, EmptyState } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import { useSingleKeys } from '../../ui/single-keys.ts'
import {
  type BoardDay,
  type BoardFilter,
  type BoardRow,
  capacityOf,
  hoursOf,
  isAway,
  isWanted,
  type Lane,
  shownRows,
} from '../rules/board.ts'
import { BoardLane, type Picture } from './board-lane.tsx'
import { lanePositionOf } from './lane-position.ts'
import type { Moving } from './use-moving.ts'

type DayBoardProps = {
  board: BoardDay
  filter: BoardFilter
  /** The appointment whose panel is open. */
  chosen?: string | null
  /** The board to lead back to, the row under a dragged block, and what picking a block up does; a picture has neither. */
  query?: BoardQuery
  moving?: Moving
  /** The board is a picture of a change, with words for each person it concerns. */
  picture?: Picture & { people: ReadonlyMap<string, string> }
}

/** People × hours: a list of appointments for each person on a phone, lanes along the hours of the day on a desk. */
export function DayBoard({ board, filter, chosen, moving, picture, query }: DayBoardProps) {
  const rows = useMemo(() => shownRows(board, filter), [board, filter])
  const hours = useMemo(() => hoursOf(board), [board])
  const arrows = useArrows()
  if (rows.length === 0)
    return <EmptyState icon={CalendarOff}>Ese día no se trabaja. Elige otro día, servicio o zona.</EmptyState>
  return (
    <div data-wide className="grid min-w-0 content-start gap-2">
      <div className={classNames(cardClass, 'select-none lg:relative')}>
        <Hours hours={hours} />
        <ul data-roving aria-describedby={moving && keysHint} {...arrows}>
          {rows.map((row) => (
            <li key={row.person.id} id={rowAnchor(row.person.id)} className="board-row">
              <PersonHead row={row} board={board} query={query} change={picture?.people.get(row.person.id)} />
              <BoardLane
                hours={hours}
                board={board}
                moving={moving}
                query={query}
                picture={picture}
                lane={row}
                personId={row.person.id}
                faded={fadedOf(row, filter)}
                chosen={chosen}
              />
            </li>
          ))}
        </ul>
      </div>
      {picture ? <PictureLegend isAfter={picture.isAfter} /> : <Legend />}
    </div>
  )
}

/** By keys the rows are one stop of Tab, and arrows go on from there; without scripts each link is a stop. */
function useArrows() {
  const rows = useRef<HTMLUListElement>(null)
  const stop = useRef<Element | null>(null)
  const settle = () => {
    const links = [...(rows.current?.querySelectorAll('a') ?? [])]
    const kept = links.find((link) => link === stop.current) ?? links[0]
    for (const link of links) link.tabIndex = link === kept ? 0 : -1
  }
  // The rows follow each change of the day.
  useEffect(settle)
  useSingleKeys({ b: () => rows.current?.querySelector<HTMLElement>('a[tabindex="0"]')?.focus() })
  return {
    ref: rows,
    onFocus({ target }: FocusEvent<HTMLElement>) {
      stop.current = target.closest('a')
      settle()
    },
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      const from = document.activeElement?.closest('a')
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !from || !rows.current) return
      const next = neighbour(from, event.key, [...rows.current.children])
      if (!next) return
      event.preventDefault()
      next.focus()
    },
  }
}

const leftOf = (link: Element) => link.getBoundingClientRect().left
const isOfPerson = (link: Element) => link.closest('.board-head') !== null

/** The link that a key leads to: along a row in the order of the hours, or at about the same hour in the next row. */
function neighbour(from: HTMLAnchorElement, key: string, rows: readonly Element[]) {
  const linksOf = (row: Element | undefined) =>
    [...(row?.querySelectorAll('a') ?? [])].sort((one, other) => leftOf(one) - leftOf(other))
  const at = rows.findIndex((row) => row.contains(from))
  const own = linksOf(rows[at])
  const other = (by: 1 | -1) => {
    const links = linksOf(rows[at + by])
    const alike = links.filter((link) => isOfPerson(link) === isOfPerson(from))
    const away = (link: Element) => Math.abs(leftOf(link) - leftOf(from))
    return (alike.length > 0 ? alike : links).sort((one, two) => away(one) - away(two))[0]
  }
  const place = own.indexOf(from)
  if (key === 'ArrowLeft') return own[place - 1]
  if (key === 'ArrowRight') return own[place + 1]
  if (key === 'ArrowUp') return other(-1)
  if (key === 'ArrowDown') return other(1)
  if (key === 'Home') return own[0]
  return key === 'End' ? own.at(-1) : undefined
}

const keysHint = 'teclas-del-tablero'

/** The place of a person's row on the page. */
export const rowAnchor = (id: string) => `persona-${id}`

const fadedOf = ({ visits }: Lane, filter: BoardFilter) =>
  visits.filter((visit) => !isWanted(visit, filter)).map(({ id }) => id)

const columnsOf = ({ start, end }: MinuteSpan) =>
  Array.from({ length: (end - start) / 60 }, (_, column) => start + column * 60)

const Hours = ({ hours }: { hours: MinuteSpan }) => (
  <div
    aria-hidden
    className="board-row sticky top-0 z-20 rounded-card border-b border-line bg-card text-xs text-mute max-lg:hidden"
  >
    <div data-lane-head className="border-r border-line" />
    <div className="relative h-8">
      {columnsOf(hours).map((start) => (
        <span
          key={start}
          className="at-hour py-2 pl-2 whitespace-nowrap"
          style={lanePositionOf({ start, end: hours.end }, hours)}
        >
          {minuteHands(start)}
        </span>
      ))}
    </div>
  </div>
)

type PersonHeadProps = {
  row: BoardRow
  board: BoardDay
  query: BoardQuery | undefined
  change: string | undefined
}

/** The person of a row, how much of their day is taken or how that changes, and the link to record their absence. */
function PersonHead({ row, board, query, change }: PersonHeadProps) {
  const { person, travel, visits } = row
  const words = dayInWords(visits.length, travel)
  const absence = isAway(row, board.now) ? 'Ver ausencia' : 'No puede venir'
  return (
    <div className="board-head relative grid bg-card">
      <h3 title={person.name} className="flex min-w-0 items-center gap-1.5 text-[0.9375rem] font-semibold">
        {isAnalyst(person) && <Phone aria-hidden className="size-4 shrink-0 text-mute" />}
        <span className="min-w-0 lg:line-clamp-2">{person.name}</span>
      </h3>
      {change ? (
        <p title={change} className="desk-tiny truncate text-sm font-semibold text-brand">
          {change}
        </p>
      ) : (
        <>
          <p className="desk-said text-sm text-mute">{words}</p>
          <Capacity row={row} board={board} title={words} />
        </>
      )}
      {query && (
        <Link
          to={fromBoard(`${boardPath}/ausencia?persona=${person.id}&dia=${board.day.date}`, query)}
          prefetch="intent"
          title={absence}
          className="inline-flex min-h-11 items-center justify-self-start rounded-control text-sm text-mute underline underline-offset-2 hover:text-ink"
        >
          <UserX aria-hidden className="size-4 max-lg:hidden" />
          <span className="desk-said">{absence}</span>
          <span className="sr-only">: {person.name}</span>
        </Link>
      )}
    </div>
  )
}

/** How much of a person's day is taken: a thin bar, and "4 de 6 h". */
function Capacity({ board, row, title }: { row: BoardRow; board: BoardDay; title: string }) {
  const { total, used } = capacityOf(row, board)
  if (total === 0 && used === 0) return null
  const share = total === 0 ? 1 : Math.min(1, used / total)
  return (
    <p title={title} className="desk-tiny flex items-center gap-1.5 text-sm text-mute">
      <span aria-hidden className="h-1.5 min-w-0 flex-1 overflow-hidden rounded-full bg-track">
        <span
          className={classNames('block h-full', used > total ? 'bg-bad' : 'bg-brand')}
          style={{ width: `${share * 100}%` }}
        />
      </span>
      <span className={classNames('whitespace-nowrap', used > total && 'font-semibold text-bad')}>
        {hoursWords(used, total)}
      </span>
    </p>
  )
}

/** "4 de 6 h": the hours taken of those there are, from minutes. */
export const hoursWords = (used: number, total: number) =>
  `${figure(used / 60, 1)} de ${figure(total / 60, 1)}\u00a0h`

function dayInWords(visits: number, travel: number): string {
  if (visits === 0) return 'Sin citas'
  const count = counted(visits, 'cita', 'citas')
  return travel > 0 ? `${count} · ${duration(travel)} de traslado` : count
}

/** What the colours and marks of the lanes mean. */
const Legend = () => (
  <ul
    aria-label="Significado de los colores"
    className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-mute max-lg:hidden"
  >
    {services.map((service) => (
      <li key={service} className="flex items-center gap-1.5">
        <ServiceSwatch service={service} />
        {serviceFacts[service].label}
      </li>
    ))}
    <li className="flex items-center gap-1.5">
      <span aria-hidden className="board-swatch edge-dashed rounded-sm border-wait bg-card" />
      Por asignar
    </li>
    <li className="flex items-center gap-1.5">
      <span aria-hidden className="board-swatch edge-soft edge-late rounded-sm bg-bad-soft text-bad" />
      Tarde
    </li>
    <li className="flex items-center gap-1.5">
      <span aria-hidden className="board-swatch hatched rounded-sm border-line" />
      Minutos de traslado; en rojo si no llega a tiempo
    </li>
    <li className="flex items-center gap-1.5">
      <span aria-hidden className="board-swatch hatched-off edge-dashed rounded-sm border-edge" />
      Propuesta sin respuesta
    </li>
    <li id={keysHint} className="noscript:hidden">
      Con el teclado: b lleva al tablero y t a lo que falta por asignar; las flechas van de una cita a otra y
      Enter la abre
    </li>
  </ul>
)

/** What the marks of a picture mean. */
const PictureLegend = ({ isAfter }: { isAfter: boolean }) => (
  <ul
    aria-label="Significado de las marcas"
    className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-mute max-lg:hidden"
  >
    <li className="flex items-center gap-1.5">
      <span
        aria-hidden
        className={classNames(
          'board-swatch is-changed rounded-sm border-brand',
          isAfter ? 'bg-brand-soft' : 'edge-dashed bg-card',
        )}
      />
      {isAfter ? 'Cambia: aquí queda' : 'Cambia: aquí está'}
    </li>
    {isAfter && (
      <li className="flex items-center gap-1.5">
        <span aria-hidden className="board-swatch edge-dashed rounded-sm border-edge" />
        Aquí estaba
      </li>
    )}
    <li className="flex items-center gap-1.5">
      <span aria-hidden className="board-swatch rounded-sm border-line bg-hover" />
      No cambia
    </li>
  </ul>
)
