import { CircleCheck } from 'lucide-react'
import { movingInput } from '../../domain/appointments/schema.ts'
import { isHoliday } from '../../domain/shared/calendar.ts'
import { counted, dateTime, longDate } from '../../domain/shared/format.ts'
import { db } from '../../server/app/context.ts'
import { type ListedAppointment, listToAssign } from '../../server/appointments/lists.ts'
import { boardOf } from '../../server/scheduling/board-queries.ts'
import { boardCounts } from '../../server/scheduling/counts.ts'
import { moveOnBoard } from '../../server/scheduling/move.ts'
import { AppointmentTable } from '../appointments/appointment-table.tsx'
import { afterRefusal } from '../lib/after-refusal.ts'
import { toast } from '../lib/flash.ts'
import { load } from '../lib/load.ts'
import { someone } from '../lib/someone.ts'
import { submit } from '../lib/submit.ts'
import { LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Pagination } from '../ui/pagination.tsx'
import type { Route } from './+types/assignations.ts'
import { boardFigures } from './board-figures.ts'
import { BoardFilters, DaySteps } from './board-filters.tsx'
import { boardFilterOf, boardLink, boardQueryOf, nextDay, previousDay } from './board-query.ts'
import { Figures } from './figures.tsx'
import { MovableBoard } from './movable-board.tsx'
import { newAppointmentPath } from './new-appointment-path.ts'
import { planLink } from './plan-link.ts'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = afterRefusal

export const loader = ({ context, url }: Route.LoaderArgs) =>
  load(async () => {
    const [database, actor, now] = [context.get(db), someone(context), new Date()]
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
    const moved = await moveOnBoard(context.get(db), someone(context), appointmentId, move, new Date())
    return toast(
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
            <DaySteps {...{ query, previous, next }} />
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
