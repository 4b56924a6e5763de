import { useState } from 'react'
import { useLocation, useSubmit } from 'react-router'
import type { z } from 'zod'
import { confirmChosen } from '../../appointments/assign-many.ts'
import { listToAssign } from '../../appointments/lists.ts'
import { stateFacts } from '../../appointments/rules/appointment.ts'
import { confirmingInput, movingInput } from '../../appointments/rules/schema.ts'
import { MAX_CONFIRMED } from '../../appointments/rules/undo.ts'
import { redirectAfterConfirming } from '../../appointments/screens/after-confirming.ts'
import { StateIcons } from '../../appointments/screens/state-badge.tsx'
import { redirectWithUndo } from '../../kit/flash.ts'
import { OrphanedFormError } from '../../kit/form/form.tsx'
import { later } from '../../kit/later.tsx'
import { useRefreshIn } from '../../kit/refresh-in.ts'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { type Failure, form, forms } from '../../kit/submit.ts'
import { currentStaffing } from '../../scheduling/roster.ts'
import {
  type BoardQuery,
  boardFilterOf,
  boardLink,
  boardQueryOf,
  fromBoard,
  newAppointmentPath,
  planLink,
  stepped,
} from '../../scheduling/screens/board-query.ts'
import { addDays, dayOf, isHoliday, minuteAt } from '../../shared/calendar.ts'
import { counted, dateTime, duration, longDate, minuteTime, shortDate } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { classNames, tones } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { randomId } from '../../ui/random-id.ts'
import { useToast } from '../../ui/toaster.tsx'
import {
  type BoardCounts,
  type BoardWeek,
  boardCounts,
  boardOf,
  openingDate,
  weekOf,
} from '../board-queries.ts'
import { moveOnBoard } from '../move-on-board.ts'
import { type BoardDay, dayFigures, toConfirm } from '../rules/board.ts'
import type { Route } from './+types/assignations.ts'
import { BoardFilters, BoardViews, DaySteps } from './board-filters.tsx'
import type { WantedMove } from './board-panel.tsx'
import { BoardTray } from './board-tray.tsx'
import { DayBoard } from './day-board.tsx'
import { verdictTitle, verdictTone, verdictWords } from './people-picker.tsx'
import { type Over, useMoving } from './use-moving.ts'
import { WeekBoard } from './week-board.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { db, actor, now, tiles } = signedIn(context)
    const asked = boardQueryOf(url, now)
    const query = { ...asked, date: asked.date || (await openingDate(db, actor, now)) }
    const { after, date, nobody, service, view, zones } = query
    const narrowed = { nobody, zones, ...(service && { service }), ...(after && { after }) }
    const [board, week, counts, queue] = await Promise.all([
      view === 'day' ? boardOf(db, actor, date, now) : null,
      view === 'week' ? weekOf(db, actor, mondayOf(date), boardFilterOf(query), now) : null,
      boardCounts(db, actor, query),
      listToAssign(db, actor, narrowed),
    ])
    return {
      query,
      tiles,
      board,
      week,
      counts,
      proposed: board ? toConfirm(board, boardFilterOf(query)).slice(0, MAX_CONFIRMED) : [],
      previous: stepped(query, -1),
      next: stepped(query, 1),
      queue: queue.rows,
      first: after ? boardLink(query, {}, '#por-asignar') : null,
      more: queue.next ? boardLink(query, { after: queue.next }, '#por-asignar') : null,
    }
  })

/** The day's own hours, and what keeps anyone from waiting, are judged again each minute. */
const aMinute = 60_000

const mondayOf = (date: string) => addDays(date, -dayOf(minuteAt(date, '12:00')).weekday)

/** A move says no intent; one to a free slot of another day, or proposed because someone is late, is a form of its own. */
export const action = forms(
  ({ context, url }: Route.ActionArgs) => {
    const { db, actor, now } = signedIn(context)
    const here = `${url.pathname}${url.search}`
    const moveIt = async (
      { appointmentId, ...move }: z.output<typeof movingInput>,
      exceptionsOnly = false,
    ) => {
      const { moved } = await moveOnBoard(db, actor, appointmentId, { ...move, exceptionsOnly }, now)
      const { people } = await currentStaffing(db)
      const name = people.find(({ id }) => id === moved.assigneeId)?.name ?? ''
      const words = `${moved.folio} pasó a ${name}, ${dateTime(moved.startsAt)} Le avisamos.`
      return redirectWithUndo(here, 'Cita movida', words, [moved])
    }
    return {
      move: form(movingInput, (move) => moveIt(move)),
      'take-slot': form(movingInput, (move) => moveIt(move)),
      repair: form(movingInput, (move) => moveIt(move, true)),
      'confirm-all': form(confirmingInput['confirm-all'], async ({ proposed }) =>
        redirectAfterConfirming(here, await confirmChosen(db, actor, proposed, now)),
      ),
    }
  },
  ({ intent }) => intent ?? 'move',
)

export default function Assignations({ loaderData, actionData }: Route.ComponentProps) {
  const { board, counts, next, previous, query, tiles, week } = loaderData
  useRefreshIn(board?.day.date === query.today ? aMinute : null)
  return (
    <>
      <PageHeader
        title="Asignaciones de citas"
        subtitle={board ? dayInWords(board) : week && weekInWords(week)}
        actions={
          <>
            <DaySteps query={query} previous={previous} next={next} />
            <BoardViews query={query} hasTiles={tiles !== null} />
            <LinkButton variant="ghost" to={planLink(query)}>
              <span>
                Optimizar<span className="lg:max-xl:sr-only"> el día</span>
              </span>
            </LinkButton>
            <LinkButton variant="ghost" to={fromBoard(newAppointmentPath, query)}>
              Nueva cita
            </LinkButton>
          </>
        }
      />
      <OrphanedFormError />
      <BoardFilters query={query}>
        {board && <Figures board={board} counts={counts} query={query} />}
      </BoardFilters>
      {board && <MovableBoard key={board.day.date} {...loaderData} board={board} result={actionData} />}
      {week && <WeekBoard week={week} query={query} />}
    </>
  )
}

function dayInWords({ day, settings, visits }: BoardDay): string {
  const closed = isHoliday(day.date, settings.holidays) ? ' · día festivo' : ''
  return `${longDate(day.date)}${closed} · ${counted(visits.length, 'cita', 'citas')}`
}

const weekInWords = ({ days }: BoardWeek) =>
  `Del ${shortDate(days[0]!.date)} al ${shortDate(days.at(-1)!.date)} · ${counted(
    days.reduce((sum, { visits }) => sum + visits, 0),
    'cita',
    'citas',
  )}`

type Figure = { words: string; to?: string; tone?: string }

/** The figures of the shown day; last what waits on other days. */
function figuresOf(board: BoardDay, counts: BoardCounts, query: BoardQuery): Figure[] {
  const { enRoute, late, nobody, toAssign, travel } = dayFigures(board, boardFilterOf(query))
  const elsewhere = counts.waiting - toAssign
  const here = (change: Partial<BoardQuery>) => boardLink(query, change, '#por-asignar')
  return [
    late > 0 && { words: `${late} tarde`, tone: 'text-bad' },
    nobody > 0 && { words: `${nobody} sin persona`, tone: 'text-bad', to: here({ nobody: true }) },
    toAssign > 0 && { words: `${toAssign} por asignar`, tone: 'text-wait', to: here({ nobody: false }) },
    enRoute > 0 && { words: `${enRoute} ${stateFacts.en_route.label.toLowerCase()}` },
    travel > 0 && { words: `${duration(travel)} de traslado` },
    elsewhere > 0 && {
      words: `${counted(elsewhere, 'por asignar', 'por asignar')} en otros días`,
      to: boardLink(query, { nobody: false }, '#otros-dias'),
    },
  ].filter((one) => one !== false)
}

type FiguresProps = { board: BoardDay; counts: BoardCounts; query: BoardQuery }

/** The day in words; what waits links to where it is. */
const Figures = ({ board, counts, query }: FiguresProps) => (
  <ul aria-label="Cifras del día" className="flex flex-wrap items-center gap-x-3 text-sm">
    {figuresOf(board, counts, query).map(({ words, to, tone = 'text-mute' }) => (
      <li key={words} className={classNames('whitespace-nowrap', tone)}>
        {to ? (
          <Link
            to={to}
            style={{ minHeight: '1.5rem' }}
            className="inline-flex items-center font-semibold underline underline-offset-2"
          >
            {words}
          </Link>
        ) : (
          <span className={tone === 'text-bad' ? 'font-semibold' : undefined}>{words}</span>
        )}
      </li>
    ))}
  </ul>
)

type MovableBoardProps = Pick<
  Route.ComponentProps['loaderData'],
  'query' | 'queue' | 'first' | 'more' | 'proposed' | 'tiles'
> & {
  board: BoardDay
  result: Failure | undefined
}

/**
 * The board with what moves a block: dropped on another person who can take it, it goes there at once; another time,
 * or what needs a reason, is asked first; a move that is not allowed is explained and not made.
 */
function MovableBoard({ board, query, result, tiles, ...tray }: MovableBoardProps) {
  const { key } = useLocation()
  const action = boardLink(query)
  const filter = boardFilterOf(query)
  // A form that was sent closes its panel: the page then has another history key.
  const [opened, setOpened] = useState<{ at: string; wanted: WantedMove } | null>(null)
  const [closed, setClosed] = useState<Failure | undefined>()
  const submit = useSubmit()
  const toast = useToast()
  const open = (wanted: WantedMove) => setOpened({ at: key, wanted })
  const moving = useMoving(board, {
    onOpen: (visit, pressed) =>
      open({ visit, personId: visit.personId, start: visit.start, isFromMap: 'stop' in pressed.dataset }),
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
  const isRepair = result?.values.intent === 'repair'
  const answered = result && result !== closed && !isRepair ? wantedBy(result, board) : null
  const wanted = mine ?? answered
  const close = () => {
    setOpened(null)
    setClosed(result)
  }
  return (
    <>
      <BoardRepairs board={board} query={query} />
      {result?.refusal && !wanted && !isRepair && (
        <Alert tone="bad" title={result.refusal.title}>
          {result.refusal.description}
        </Alert>
      )}
      <div className="board-room">
        <div
          data-board
          ref={moving.frame}
          className={classNames('board-frame grid grid-cols-1 gap-4', query.map && 'with-map')}
        >
          <h2 className="sr-only">Tablero del día</h2>
          <StateIcons />
          {query.map && (
            <BoardMap
              board={board}
              filter={filter}
              query={query}
              moving={moving}
              tiles={tiles}
              opened={wanted?.visit.id ?? null}
            />
          )}
          <DayBoard
            board={board}
            filter={filter}
            query={query}
            chosen={wanted?.visit.id ?? null}
            moving={moving}
          />
          <BoardTray {...tray} board={board} filter={filter} query={query} moving={moving} />
        </div>
      </div>
      {moving.over && <MoveHint board={board} over={moving.over} />}
      {wanted && (
        <BoardPanel
          board={board}
          wanted={wanted}
          action={action}
          query={query}
          result={wanted === answered && result?.values.intent !== 'take-slot' ? result : undefined}
          onClose={close}
        />
      )}
    </>
  )
}

const BoardRepairs = later(() => import('./board-repairs.tsx').then((part) => part.BoardRepairs))

const BoardMap = later(() => import('./board-map.tsx').then((part) => part.default))

/** Comes with the first press on a block. */
const BoardPanel = later(() => import('./board-panel.tsx').then((part) => part.default))

/** The move that was not accepted, for the panel to open with it again; null when it is no longer on this day. */
function wantedBy({ values }: Failure, { visits }: BoardDay): WantedMove | null {
  const visit = visits.find(({ id }) => id === values.appointmentId)
  if (!visit) return null
  if (values.intent === 'take-slot') return { visit, personId: visit.personId, start: visit.start }
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
