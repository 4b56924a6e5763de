import { CircleCheck } from 'lucide-react'
import { useRef } from 'react'
import type { ListedAppointment } from '../../appointments/lists.ts'
import { serviceFacts } from '../../appointments/rules/appointment.ts'
import { lateMinutes } from '../../appointments/rules/late.ts'
import { CallAssignee, LateBadge } from '../../appointments/screens/office-notices.tsx'
import { Form, Submit } from '../../kit/form/form.tsx'
import { type BoardQuery, boardLink, boardPath, fromBoard } from '../../scheduling/screens/board-query.ts'
import { ServiceSwatch } from '../../scheduling/screens/service-look.tsx'
import { toDate } from '../../shared/calendar.ts'
import { counted, dateTime, localDay, minuteTime } from '../../shared/format.ts'
import { municipalityLabel } from '../../shared/places.ts'
import { buttonClass } from '../../ui/button.tsx'
import { cardClass, EmptyState } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { useSingleKeys } from '../../ui/single-keys.ts'
import {
  type BoardDay,
  type BoardFilter,
  type BoardOffer,
  type BoardVisit,
  isWanted,
} from '../rules/board.ts'
import { zoneLabel } from '../rules/zone-labels.ts'
import { pageOf } from './board-lane.tsx'
import type { Moving } from './use-moving.ts'

type TrayProps = {
  board: BoardDay
  filter: BoardFilter
  query: BoardQuery
  /** What waits on any day, a page of it. */
  queue: readonly ListedAppointment[]
  first: string | null
  more: string | null
  /** What one press confirms. */
  proposed: readonly BoardVisit[]
  moving: Moving
}

/**
 * What waits beside the board: late appointments, those of the day to be assigned, which are dragged from here as from a
 * lane, and those of other days.
 */
export function BoardTray({ board, filter, query, queue, first, more, proposed, moving }: TrayProps) {
  const { nobody } = query
  const wanted = board.visits.filter((visit) => isWanted(visit, filter))
  const late = wanted.filter((visit) => lateMinutes(visit, board.now) > 0 && visit.personId !== null)
  const own = wanted.filter(({ personId, state }) => state === 'requested' && !(nobody && personId))
  const others = queue.filter(({ startsAt }) => localDay(startsAt) !== board.day.date)
  const isEmpty = own.length + others.length === 0
  const tray = useRef<HTMLDivElement>(null)
  useSingleKeys({ t: () => tray.current?.querySelector('a')?.focus() })
  return (
    <div ref={tray} className="relative min-w-0">
      <div className="board-tray grid content-start gap-3">
        {late.length > 0 && (
          <section aria-labelledby="tarde" className="grid gap-3">
            <h2 id="tarde" className="font-semibold text-bad">
              Tarde
            </h2>
            <Rows>
              {late.map((visit) => (
                <DayRow key={visit.id} visit={visit} board={board} moving={moving} query={query} isLate />
              ))}
            </Rows>
          </section>
        )}
        <section aria-labelledby="por-asignar" className="grid gap-3">
          <h2 id="por-asignar" className="font-semibold">
            {nobody ? 'Sin persona' : 'Por asignar'}
          </h2>
          {!nobody && proposed.length > 1 && <ConfirmDay proposed={proposed} action={boardLink(query)} />}
          {isEmpty && (
            <EmptyState icon={CircleCheck}>
              No hay citas por asignar. Las nuevas aparecen aquí solas.
            </EmptyState>
          )}
          {own.length > 0 && (
            <Group title="Este día">
              {own.map((visit) => (
                <DayRow key={visit.id} visit={visit} board={board} moving={moving} query={query} />
              ))}
            </Group>
          )}
          {others.length > 0 && (
            <Group title="Otros días" id="otros-dias">
              {others.map((row) => (
                <OtherRow key={row.id} row={row} query={query} />
              ))}
            </Group>
          )}
          <Pagination previous={first} next={more} />
        </section>
      </div>
    </div>
  )
}

/** Confirms the day's assignments as they were proposed and stand below; what that does is read first. */
function ConfirmDay({ proposed, action }: Pick<TrayProps, 'proposed'> & { action: string }) {
  const listed = proposed.map(({ id, personId, version }) => `${id}:${version}:${personId}`)
  return (
    <details>
      <summary className={buttonClass('ghost', 'select-none')}>Confirmar todas</summary>
      <Form intent="confirm-all" action={action} preventScrollReset className="py-3">
        <input type="hidden" name="proposed" value={listed.join(',')} />
        <p className="text-sm">
          {counted(proposed.length, 'cita', 'citas')} de este día con la persona propuesta. Cada cliente y
          cada técnico reciben un correo.
        </p>
        <Submit>Confirmar las {proposed.length}</Submit>
      </Form>
    </details>
  )
}

type GroupProps = { title: string; id?: string; children: React.ReactNode }

const Group = ({ title, id, children }: GroupProps) => (
  <div id={id} className="grid gap-1.5">
    <h3 className="text-[0.8125rem] font-semibold text-mute">{title}</h3>
    <Rows>{children}</Rows>
  </div>
)

const Rows = ({ children }: Pick<GroupProps, 'children'>) => (
  <ul className="grid gap-1.5" style={{ gridTemplateColumns: 'repeat(auto-fill, minmax(10rem, 1fr))' }}>
    {children}
  </ul>
)

const rowLook =
  'grid grid-cols-1 min-h-11 gap-0.5 px-3 py-2 text-[0.8125rem] text-ink no-underline hover:bg-hover'

/** An appointment of the shown day: pressed, its panel opens; dragged, it goes to a lane. */
function DayRow({
  visit,
  board,
  moving,
  query,
  isLate = false,
}: { visit: BoardVisit; isLate?: boolean } & Pick<TrayProps, 'board' | 'moving' | 'query'>) {
  const { customer, folio, id, personId, personPhone, service, start, zone } = visit
  const name = board.people.find((person) => person.id === personId)?.name
  const offer = board.offers.find(({ appointmentId }) => appointmentId === id)
  return (
    <li className={classNames(cardClass, 'overflow-hidden', !personId && 'edge-late')}>
      <Link
        to={pageOf(visit, query)}
        discover="none"
        draggable={false}
        className={classNames(rowLook, 'is-movable select-none', moving.id === id && 'is-carried')}
        {...moving.handlers(visit)}
      >
        <RowHead service={service} customer={customer} when={[minuteTime(start), zoneLabel(zone)]} />
        <span className="whitespace-nowrap text-mute">{folio}</span>
        {!isLate && <Assignee name={name} />}
        {offer && <span className="text-wait">{offerInWords(offer, board)}</span>}
        {isLate && (
          <span className="mt-0.5">
            <LateBadge minutes={lateMinutes(visit, board.now)} />
          </span>
        )}
      </Link>
      {isLate && name && personPhone && (
        <CallAssignee
          name={name}
          phone={personPhone}
          className="flex min-h-11 items-center gap-1.5 border-t border-line px-3 text-[0.8125rem] font-semibold text-brand hover:bg-hover lg:min-h-9"
        />
      )}
    </li>
  )
}

/** "Propuesta 11:00 a. m. con Roberto, vence 8:30 a. m.", with its day where that is another one. */
function offerInWords({ expiresAt, personId, start }: BoardOffer, { day, people }: BoardDay): string {
  const name = people.find(({ id }) => id === personId)?.name.split(' ')[0]
  const when = start >= day.start && start < day.end ? minuteTime(start) : dateTime(toDate(start))
  return `Propuesta ${when}${name ? ` con ${name}` : ''}, vence ${minuteTime(expiresAt)}`
}

/** An appointment of another day: a link to its page. */
const OtherRow = ({
  query,
  row: { assignee, customer, folio, id, municipality, service, startsAt },
}: {
  query: BoardQuery
  row: ListedAppointment
}) => (
  <li className={classNames(cardClass, 'overflow-hidden', !assignee && 'edge-late')}>
    <Link to={fromBoard(`${boardPath}/${id}`, query)} prefetch="intent" discover="none" className={rowLook}>
      <RowHead
        service={service}
        customer={customer}
        when={[dateTime(startsAt), municipality && municipalityLabel(municipality)]}
      />
      <span className="whitespace-nowrap text-mute">{folio}</span>
      <Assignee name={assignee ?? undefined} />
    </Link>
  </li>
)

function RowHead({
  service,
  customer,
  when,
}: Pick<BoardVisit, 'service' | 'customer'> & { when: (string | null)[] }) {
  return (
    <>
      <span className="flex items-center gap-1.5 font-semibold">
        <ServiceSwatch service={service} />
        <span className="sr-only">{serviceFacts[service].label}, </span>
        <span className="truncate">{customer}</span>
      </span>
      <span>{when.filter(Boolean).join(' · ')}</span>
    </>
  )
}

const Assignee = ({ name }: { name: string | undefined }) =>
  name ? (
    <span className="text-mute">{name} (provisional)</span>
  ) : (
    <span className="font-semibold text-bad">Sin persona</span>
  )
