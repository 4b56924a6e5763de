import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { useLocation, useSubmit } from 'react-router'
import { stateFacts } from '../../domain/appointments/appointment.ts'
import { movingInput } from '../../domain/appointments/schema.ts'
import { type BoardDay, type BoardFilter, rowsTravelOf, shownRows } from '../../domain/scheduling/board.ts'
import { isHoliday } from '../../domain/shared/calendar.ts'
import { counted, dateTime, duration, longDate, minuteTime, thousands } from '../../domain/shared/format.ts'
import { db } from '../../server/app/context.ts'
import { type ListedAppointment, listToAssign } from '../../server/appointments/lists.ts'
import { type BoardCounts, boardCounts, boardOf, moveOnBoard } from '../../server/scheduling/board-queries.ts'
import { AppointmentTable } from '../appointments/appointment-table.tsx'
import { redirectWithToast } from '../lib/flash.ts'
import { refusalsAsResponses } from '../lib/refusals-as-responses.ts'
import { requireActor } from '../lib/require-actor.ts'
import { revalidateOnConflict } from '../lib/revalidate-on-conflict.ts'
import { type Failure, submit } from '../lib/submit.ts'
import { Alert } from '../ui/alert.tsx'
import { LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/card.tsx'
import { classNames, tones } from '../ui/class-names.ts'
import { randomId } from '../ui/form.tsx'
import { Link } from '../ui/link.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Pagination } from '../ui/pagination.tsx'
import { useToast } from '../ui/toaster.tsx'
import type { Route } from './+types/assignations.ts'
import { BoardFilters, DaySteps } from './board-filters.tsx'
import {
  type BoardQuery,
  boardFilterOf,
  boardLink,
  boardQueryOf,
  newAppointmentPath,
  nextDay,
  planLink,
  previousDay,
} from './board-query.ts'
import { DayBoard } from './day-board.tsx'
import { MoveDialog, verdictTitle, verdictTone, verdictWords, type WantedMove } from './move-dialog.tsx'
import { type Over, useMoving } from './use-moving.ts'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const [database, actor, now] = [context.get(db), requireActor(context), new Date()]
    const query = boardQueryOf(url, now)
    const { nobody, service, zones } = query
    const narrowed = { nobody, zones, ...(service && { service }) }
    const [board, counts, queue] = await Promise.all([
      boardOf(database, actor, query.date, now),
      boardCounts(database, actor, query),
      listToAssign(database, actor, { ...narrowed, ...(query.after && { after: query.after }) }),
    ])
    return {
      query,
      board,
      counts,
      queue: queue.rows,
      previous: previousDay(query),
      next: nextDay(query),
      first: query.after ? boardLink(query, {}, '#por-asignar') : null,
      more: queue.next ? boardLink(query, { after: queue.next }, '#por-asignar') : null,
    }
  })

export const action = ({ request, context, url }: Route.ActionArgs) =>
  submit(request, movingInput, async ({ appointmentId, ...move }) => {
    const moved = await moveOnBoard(context.get(db), requireActor(context), appointmentId, move, new Date())
    return redirectWithToast(
      `${url.pathname}${url.search}`,
      'Cita movida',
      `${moved.folio}: ${dateTime(moved.startsAt)} Le avisamos al cliente.`,
    )
  })

export default function Assignations({ loaderData, actionData }: Route.ComponentProps) {
  const { board, counts, first, more, next, previous, query, queue } = loaderData
  const filter = boardFilterOf(query)
  return (
    <>
      <PageHeader
        title="Asignaciones de citas"
        subtitle={dayInWords(board)}
        actions={
          <>
            <DaySteps query={query} previous={previous} next={next} />
            <LinkButton variant="ghost" to={planLink(query)}>
              Optimizar el día
            </LinkButton>
            <LinkButton variant="ghost" to={newAppointmentPath}>
              Nueva cita
            </LinkButton>
          </>
        }
      />
      <Figures figures={boardFigures(board, filter, counts, query)} />
      <section aria-labelledby="tablero" className="grid grid-cols-1 gap-4">
        <h2 id="tablero" className="text-lg font-semibold">
          Tablero del día
        </h2>
        <BoardFilters query={query} />
        <MovableBoard
          key={board.day.date}
          board={board}
          filter={filter}
          result={actionData}
          action={boardLink(query)}
        />
      </section>
      <section aria-labelledby="por-asignar" className="grid grid-cols-1 gap-4">
        <h2 id="por-asignar" className="text-lg font-semibold">
          {query.nobody ? 'Sin persona' : 'Por asignar'}
        </h2>
        <Queue rows={queue} />
        <Pagination previous={first} next={more} />
      </section>
    </>
  )
}

function Queue({ rows }: { rows: readonly ListedAppointment[] }) {
  return rows.length === 0 ? (
    <EmptyState icon={CircleCheck}>No hay citas por asignar. Las nuevas aparecen aquí solas.</EmptyState>
  ) : (
    <AppointmentTable
      caption="Citas por asignar"
      rows={rows}
      pathOf={({ id }) => `/admin/assignations/${id}`}
    />
  )
}

function dayInWords({ day, settings, visits }: Route.ComponentProps['loaderData']['board']): string {
  const waiting = visits.filter(({ state }) => state === 'requested').length
  const count = counted(visits.length, 'cita', 'citas')
  const closed = isHoliday(day.date, settings.holidays) ? ' · día festivo' : ''
  return `${longDate(day.date)}${closed} · ${count}${waiting > 0 ? ` · ${waiting} por confirmar` : ''}`
}

/** The board's four figures, each with the link to what it counts. */
const boardFigures = (
  board: BoardDay,
  filter: BoardFilter,
  { enRoute, waiting, withoutPerson }: BoardCounts,
  query: BoardQuery,
): Figure[] => [
  {
    label: 'Por asignar',
    value: thousands(waiting),
    to: boardLink(query, { nobody: false }, '#por-asignar'),
  },
  {
    label: stateFacts.en_route.label,
    value: thousands(enRoute),
    to: '/admin/appointments-pending?state=en_route',
  },
  {
    label: 'Traslados del día',
    value: duration(rowsTravelOf(shownRows(board, filter))),
    to: boardLink(query, {}, '#tablero'),
  },
  {
    label: 'Sin persona',
    value: thousands(withoutPerson),
    to: boardLink(query, { nobody: true }, '#por-asignar'),
    alarming: withoutPerson > 0,
  },
]

type Figure = { label: string; value: string; to: string; alarming?: boolean }

/** The figures of the day; each links to what it counts. */
function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <ul aria-label="Cifras" className="grid grid-cols-2 gap-3 lg:grid-cols-4 lg:gap-4">
      {figures.map(({ label, value, to, alarming }) => (
        <li key={label} className="grid">
          <Link
            to={to}
            prefetch="intent"
            className={classNames(
              'grid content-start gap-0.5 rounded-card border bg-card px-4 py-3 text-ink no-underline hover:bg-hover sm:px-5 sm:py-4',
              alarming ? 'border-bad' : 'border-line',
            )}
          >
            <span className={classNames('text-[0.9375rem]', alarming ? 'text-bad' : 'text-mute')}>
              {label}
            </span>
            <span className="text-2xl/tight font-semibold">{value}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

type MovableBoardProps = { board: BoardDay; filter: BoardFilter; result: Failure | undefined; action: string }

/**
 * The board with what moves a block: dropped on another person who can take it, it goes there at once; another time,
 * or what needs a reason, is asked first; a move that is not allowed is explained and not made.
 */
function MovableBoard({ board, filter, result, action }: MovableBoardProps) {
  const { key } = useLocation()
  // A form that was sent closes its dialog: the page then has another history key.
  const [opened, setOpened] = useState<{ at: string; wanted: WantedMove } | null>(null)
  const [closed, setClosed] = useState<Failure | undefined>()
  const submit = useSubmit()
  const toast = useToast()
  const open = (wanted: WantedMove) => setOpened({ at: key, wanted })
  const moving = useMoving(board, {
    onOpen: (visit) => open({ visit, personId: visit.personId, start: visit.start }),
    onDrop({ visit, over }) {
      const { barred, personId, reasons, start } = over
      if (personId === visit.personId && start === visit.start) return
      if (barred)
        toast({
          variant: 'destructive',
          title: verdictTitle(over),
          description: `${verdictWords(over).join('; ')}.`,
        })
      else if (reasons.length > 0 || start !== visit.start) open({ visit, personId, start })
      else
        submit(
          {
            appointmentId: visit.id,
            version: String(visit.version),
            assigneeId: personId,
            startsAt: String(start),
            formKey: randomId(),
          },
          { method: 'post', action, preventScrollReset: true },
        )
    },
  })
  const mine = opened?.at === key ? opened.wanted : null
  const answered = result && result !== closed ? wantedBy(result, board) : null
  const wanted = mine ?? answered
  const close = () => {
    setOpened(null)
    setClosed(result)
  }
  return (
    <>
      {result?.refusal && !wanted && (
        <Alert tone="bad" title={result.refusal.title}>
          {result.refusal.description}
        </Alert>
      )}
      <DayBoard board={board} filter={filter} moving={moving} />
      {moving.over && <MoveHint board={board} over={moving.over} />}
      {wanted && (
        <MoveDialog
          key={wanted.visit.id}
          board={board}
          wanted={wanted}
          action={action}
          result={wanted === answered ? result : undefined}
          onClose={close}
        />
      )}
    </>
  )
}

/** The move that was not accepted, for the dialog to open with it again; null when it is no longer on this day. */
function wantedBy({ values }: Failure, { visits }: BoardDay): WantedMove | null {
  const visit = visits.find(({ id }) => id === values.appointmentId)
  if (!visit) return null
  return { visit, personId: values.assigneeId ?? null, start: Number(values.startsAt) || visit.start }
}

/** Says who and when, and what is against the move, while a block is dragged. */
function MoveHint({ board, over }: { board: BoardDay; over: Over }) {
  const { icon: Icon, ink } = tones[verdictTone(over)]
  const person = board.people.find(({ id }) => id === over.personId)
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-6 z-30 mx-auto grid w-fit max-w-xl gap-1 rounded-card border border-line bg-card px-5 py-3 shadow-float"
    >
      <p className="font-semibold">
        {person?.name} · {minuteTime(over.start)}
      </p>
      <p className={`flex gap-1.5 text-[0.9375rem] ${ink}`}>
        <Icon aria-hidden className="mt-0.5 size-4.5 shrink-0" />
        {[verdictTitle(over), ...verdictWords(over)].join(' · ')}
      </p>
    </div>
  )
}
