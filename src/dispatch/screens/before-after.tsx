import { useMemo, useState } from 'react'
import { useLocation } from 'react-router'
import { toDate } from '../../shared/calendar.ts'
import { counted, dateTime, duration, minuteTime } from '../../shared/format.ts'
import { Link } from '../../ui/link.tsx'
import { type BoardDay, type BoardRow, type BoardVisit, boardRowsOf } from '../rules/board.ts'
import type { Picture } from './board-lane.tsx'
import { DayBoard } from './day-board.tsx'

type BeforeAfterProps = {
  before: BoardDay
  /** The same day as it would be; an offer is another time that its customer is asked about. */
  after: BoardDay
}

const sides = [
  { side: 'antes', label: 'Antes' },
  { side: 'despues', label: 'Después' },
] as const

const everything = { zones: [] }

/** The board of a day as it is and as a change would make it, one at a time: a press, or a link of the address, turns it over. */
export function BeforeAfter({ before, after }: BeforeAfterProps) {
  const { pathname, search } = useLocation()
  const asked = new URLSearchParams(search)
  const [pressed, setPressed] = useState<string | null>(null)
  const shown = pressed ?? (asked.get('ver') === 'antes' ? 'antes' : 'despues')
  const isAfter = shown === 'despues'
  const picture = useMemo(() => pictureOf(before, after, isAfter), [before, after, isAfter])
  const linkTo = (side: string) =>
    `${pathname}?${new URLSearchParams([...[...asked].filter(([name]) => name !== 'ver'), ['ver', side]])}`
  return (
    <div className="grid grid-cols-1 gap-2">
      <nav
        aria-label="Antes y después"
        className="board-steps grid w-fit items-center rounded-control border border-line bg-card"
      >
        {sides.map(({ label, side }) => (
          <Link
            key={side}
            to={linkTo(side)}
            replace
            preventScrollReset
            aria-current={side === shown || undefined}
            onClick={(event) => {
              event.preventDefault()
              setPressed(side)
            }}
            className="grid min-h-12 place-items-center px-4 text-ink no-underline hover:bg-hover aria-[current]:bg-hover aria-[current]:font-semibold lg:min-h-11"
          >
            {label}
          </Link>
        ))}
      </nav>
      <DayBoard board={isAfter ? after : before} filter={everything} picture={picture} />
      <Nobody visits={picture.nobody} />
    </div>
  )
}

/** What no lane shows. */
const Nobody = ({ visits }: { visits: readonly BoardVisit[] }) =>
  visits.length > 0 && (
    <p className="text-sm">
      <b className="font-semibold text-bad">Sin persona:</b>{' '}
      {visits.map(({ customer, start }) => `${minuteTime(start)} ${customer}`).join(' · ')}
    </p>
  )

function pictureOf(before: BoardDay, after: BoardDay, isAfter: boolean) {
  const then = new Map(after.visits.map(({ id, personId }) => [id, personId]))
  const moved = before.visits.filter(({ id, personId }) => then.get(id) !== personId)
  const said = (visit: BoardVisit) =>
    isAfter ? cameFrom(visit, before) : goesTo(visit, then.get(visit.id), after)
  return {
    isAfter,
    changed: new Map(moved.map((visit) => [visit.id, said(visit)])),
    ghosts: isAfter ? moved.map((visit) => ({ visit, words: goesTo(visit, then.get(visit.id), after) })) : [],
    people: changedPeople(before, after),
    nobody: moved.filter(({ id, personId }) => (isAfter ? !then.get(id) : !personId)),
  } satisfies Picture & { people: Map<string, string>; nobody: BoardVisit[] }
}

const nameIn = ({ people }: BoardDay, id: string) =>
  people.find((one) => one.id === id)?.name ?? 'otra persona'

const cameFrom = ({ personId }: BoardVisit, before: BoardDay) =>
  personId ? `Antes con ${nameIn(before, personId)}` : 'Antes sin persona'

function goesTo({ id }: BoardVisit, to: string | null | undefined, after: BoardDay): string {
  if (to) return `Pasa a ${nameIn(after, to)}`
  const offer = after.offers.find(({ appointmentId }) => appointmentId === id)
  if (!offer) return 'Queda sin persona'
  const { day } = after
  const isHere = offer.start >= day.start && offer.start < day.end
  return `Se propone ${isHere ? minuteTime(offer.start) : dateTime(toDate(offer.start))}`
}

/** Of those whose appointments or time off change, how. */
function changedPeople(before: BoardDay, after: BoardDay): Map<string, string> {
  const rows = new Map(boardRowsOf(after).map((row) => [row.person.id, row]))
  return new Map(
    boardRowsOf(before).flatMap((now) => {
      const { id } = now.person
      const then = rows.get(id) ?? { ...now, visits: [], travel: 0 }
      const offers = after.offers.filter(
        ({ personId, start }) => personId === id && start >= after.day.start && start < after.day.end,
      )
      const isSame = printOf(now) === printOf(then) && offers.length === 0
      return isSame ? [] : [[id, changeInWords(now, then, offers.length)] as const]
    }),
  )
}

const printOf = ({ off, visits }: BoardRow) => JSON.stringify([visits.map(({ id }) => id), off])

function changeInWords(now: BoardRow, then: BoardRow, offered: number): string {
  const visits =
    now.visits.length === then.visits.length
      ? counted(now.visits.length, 'cita', 'citas')
      : `${now.visits.length} → ${counted(then.visits.length, 'cita', 'citas')}`
  const travel =
    now.travel !== then.travel && `${duration(now.travel)} → ${duration(then.travel)} de traslado`
  return [visits, offered > 0 && counted(offered, 'propuesta', 'propuestas'), travel]
    .filter(Boolean)
    .join(' · ')
}
