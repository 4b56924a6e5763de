import { MapPin, MessageCircle, Phone, X } from 'lucide-react'
import * as Primitive from 'radix-ui/dialog'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import { serviceFacts } from '../../appointments/rules/appointment.ts'
import { lateMinutes } from '../../appointments/rules/late.ts'
import { undoSeconds } from '../../appointments/rules/undo.ts'
import { EndForms } from '../../appointments/screens/day/appointment-ends.tsx'
import { AppointmentHistory, LateBadge, OfficeNotices } from '../../appointments/screens/office-notices.tsx'
import { StateBadge } from '../../appointments/screens/state-badge.tsx'
import { Select, TextArea } from '../../kit/form/field.tsx'
import { Form, Submit, useFormResult } from '../../kit/form/form.tsx'
import type { Failure } from '../../kit/submit.ts'
import { addressLine } from '../../projects/rules/address.ts'
import { CustomerLink } from '../../projects/screens/customer-link.tsx'
import { type BoardQuery, boardPath, fromBoard } from '../../scheduling/screens/board-query.ts'
import { toDate } from '../../shared/calendar.ts'
import {
  dayTimeIn,
  formatPhone,
  fullName,
  mapLink,
  minuteTime,
  shortDate,
  telLink,
  whatsappLink,
} from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { Details } from '../../ui/card.tsx'
import { Link } from '../../ui/link.tsx'
import {
  type BoardDay,
  type BoardVisit,
  hoursOf,
  isBarred,
  isMovable,
  rankedFor,
  startsWithin,
} from '../rules/board.ts'
import type { loader } from './assign.tsx'
import { pageOf } from './board-lane.tsx'
import { isAble, PeoplePicker, verdictTitle, verdictTone, verdictWords } from './people-picker.tsx'

/** What is asked of an appointment, and whether it was pressed on the map. */
export type WantedMove = { visit: BoardVisit; personId: string | null; start: number; isFromMap?: boolean }
type PanelProps = {
  board: BoardDay
  wanted: WantedMove
  /** The refusal of the same form. */
  result: Failure | undefined
  action: string
  /** The board that its pages lead back to. */
  query: BoardQuery
  onClose: () => void
}

/** The chosen appointment beside the board: its customer, who could take it, what can be done with it, and its history. */
export default function BoardPanel({
  onClose,
  wanted: { visit: pressed, isFromMap = false, ...place },
  ...shown
}: PanelProps) {
  const { board } = shown
  // As it stands now: others change it while the panel is open.
  const visit = board.visits.find((one) => one.id === pressed.id) ?? pressed
  const { id } = visit
  const panel = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another block was chosen while the panel is open.
  useEffect(() => panel.current?.focus(), [id])
  const data = useShown(id)
  return (
    <Primitive.Root open modal={false} onOpenChange={(next) => next || onClose()}>
      <Primitive.Portal>
        <Primitive.Content
          ref={panel}
          tabIndex={-1}
          data-side-panel
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            panel.current?.focus()
          }}
          onInteractOutside={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            // It may be in another lane by then, and the map closed.
            const stop = isFromMap && document.querySelector<SVGElement>(`[data-stop="${id}"]`)
            const back = stop || document.querySelector<HTMLElement>(`[data-block="${id}"]`)
            back?.focus()
          }}
          className="fixed inset-y-0 right-0 z-30 grid w-full content-start gap-4 overflow-y-auto border-l border-line bg-card p-5 shadow-float outline-none sm:max-w-96"
        >
          <PanelHead visit={visit} late={lateMinutes(visit, board.now)} />
          <PanelBody
            key={`${id} ${place.personId} ${place.start}`}
            {...shown}
            wanted={{ visit, ...place }}
            data={data}
          />
          <Primitive.Close
            aria-label="Cerrar"
            className="absolute top-3 right-3 grid size-11 place-items-center rounded-control text-mute hover:bg-hover hover:text-ink"
          >
            <X aria-hidden className="size-5" />
          </Primitive.Close>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

type Shown = Awaited<ReturnType<typeof loader>>

/** What the appointment's own page shows of it; undefined until it has come. */
function useShown(id: string): Shown | undefined {
  const { data, load } = useFetcher<typeof loader>()
  useEffect(() => {
    load(`/admin/assignations/${id}?panel`)
  }, [load, id])
  return data?.appointment.id === id ? data : undefined
}

const PanelHead = ({
  visit: { customer, folio, service, state },
  late,
}: {
  visit: BoardVisit
  late: number
}) => (
  <div className="grid gap-1.5 pr-12">
    <Primitive.Title className="text-lg font-semibold">
      {customer} · {serviceFacts[service].label}
    </Primitive.Title>
    <p className="flex flex-wrap items-center gap-2 text-sm text-mute">
      <StateBadge state={state} service={service} />
      {late > 0 && <LateBadge minutes={late} />}
      <span className="whitespace-nowrap">{folio}</span>
    </p>
  </div>
)

/** What the server adds to the board's own data comes a moment later. */
function PanelBody({ data, ...shown }: Omit<PanelProps, 'onClose'> & { data: Shown | undefined }) {
  const { board, wanted } = shown
  const { visit } = wanted
  return (
    <>
      {data && <OfficeNotices {...data} now={toDate(board.now)} />}
      <p className="text-[0.9375rem]">{whenInWords(board, visit)}</p>
      {/* Not the row itself: with a least height of its own a long address would not make it higher. */}
      <div>
        <div className="min-h-24">{data && <Contact {...data} />}</div>
      </div>
      {isMovable(visit) && (
        <NextSlots
          query={shown.query}
          visit={visit}
          next={data?.next}
          now={board.now}
          action={shown.action}
        />
      )}
      {isMovable(visit) && <MoveForm {...shown} />}
      {data && <EndForms {...data} at={fromBoard(`${boardPath}/${visit.id}`, shown.query)} />}
      <Link
        to={pageOf(visit, shown.query)}
        className="inline-flex min-h-11 items-center justify-self-start font-semibold text-brand underline underline-offset-2"
      >
        Ver la cita
      </Link>
      {data && <AppointmentHistory events={data.history} />}
    </>
  )
}

function whenInWords({ people }: BoardDay, { confirmed, personId, start }: BoardVisit): string {
  const name = people.find(({ id }) => id === personId)?.name
  const who = name ? `con ${name}${confirmed ? '' : ' (provisional)'}` : 'sin persona'
  return `${shortDate(toDate(start))}, ${minuteTime(start)}, ${who}.`
}

const line = 'flex min-h-11 items-center gap-2 text-[0.9375rem]'

/** Who the customer is, how to reach them, and where. */
function Contact({ appointment }: Pick<Shown, 'appointment'>) {
  const { address, customer, folio, pin, service } = appointment
  const { phone } = customer
  const place = address && addressLine(address)
  return (
    <div className="grid gap-1">
      <p className="font-semibold">
        <CustomerLink id={customer.fileId}>{fullName(customer)}</CustomerLink>
      </p>
      {phone && (
        <p className="flex flex-wrap gap-x-4">
          <IconLink icon={<Phone aria-hidden className="size-4" />} href={telLink(phone)}>
            <span className="sr-only">Llamar al</span> {formatPhone(phone)}
          </IconLink>
          <IconLink
            icon={<MessageCircle aria-hidden className="size-4" />}
            href={whatsappLink(
              phone,
              `Hola, te escribo por tu ${serviceFacts[service].label.toLowerCase()} ${folio}.`,
            )}
          >
            WhatsApp
          </IconLink>
        </p>
      )}
      {place && (
        <IconLink icon={<MapPin aria-hidden className="size-4 shrink-0" />} href={mapLink(place, pin)}>
          {place}
        </IconLink>
      )}
    </div>
  )
}

const IconLink = ({ icon, href, children }: { icon: ReactNode; href: string; children: ReactNode }) => (
  <a href={href} className={`${line} text-ink hover:underline`}>
    {icon}
    <span>{children}</span>
  </a>
)

type NextSlotsProps = {
  visit: BoardVisit
  next: Shown['next'] | undefined
  now: number
  action: string
  query: BoardQuery
}

/** When each person could take it next, on any day: one press moves it there. The whole calendar is a link away. */
function NextSlots({ visit, next, now, action, query }: NextSlotsProps) {
  const { customer, id, version } = visit
  const when = (start: number) => dayTimeIn(toDate(start), toDate(now))
  const isRefused = useFormResult('take-slot')?.values.appointmentId === id
  return (
    <Details summary={next?.[0] ? `Otro horario: ${when(next[0].start)}` : 'Otro horario'} open={isRefused}>
      {next && next.length > 0 && (
        <>
          <p className="text-sm text-mute">
            El próximo horario libre de cada persona. Al moverla, {customer} y quien la lleva reciben un
            correo. Durante {undoSeconds} segundos puedes deshacerlo: en el aviso, o abriendo otra vez la
            cita.
          </p>
          <ul className="grid gap-2">
            {next.slice(0, mostShown).map(({ name, personId, start }) => (
              <li key={personId}>
                <Form
                  intent="take-slot"
                  target={{ appointmentId: id, assigneeId: personId, startsAt: String(start) }}
                  action={action}
                  preventScrollReset
                >
                  <input type="hidden" name="version" value={version} />
                  <Submit variant="ghost" className="w-full">
                    <span className="flex w-full flex-wrap items-baseline justify-between gap-x-3 text-left text-[0.9375rem]">
                      <span>
                        <span className="sr-only">Mover al </span>
                        {when(start)}
                      </span>
                      <span className="text-sm font-normal text-mute">
                        <span className="sr-only">con </span>
                        {name}
                      </span>
                    </span>
                  </Submit>
                </Form>
              </li>
            ))}
          </ul>
        </>
      )}
      {next?.length === 0 && (
        <p className="text-sm text-mute">Nadie tiene horarios libres en los próximos días.</p>
      )}
      <Link
        to={fromBoard(`/admin/assignations/${id}/mover`, query)}
        className="inline-flex min-h-11 items-center justify-self-start font-semibold text-brand underline underline-offset-2"
      >
        Ver todo el calendario
      </Link>
    </Details>
  )
}

/** How many people's next slots are shown. */
const mostShown = 6

/** The assignee of an appointment, and its time on that day: judged as it is chosen, before anything is sent. */
function MoveForm({ board, wanted, result, action }: Omit<PanelProps, 'onClose'>) {
  const { visit } = wanted
  const [start, setStart] = useState(wanted.start)
  const ranked = useMemo(() => rankedFor(board, visit, start), [board, visit, start])
  const hours = useMemo(() => hoursOf(board), [board])
  const [personId, setPersonId] = useState(wanted.personId ?? ranked.find(isAble)?.id ?? '')
  const verdict = ranked.find(({ id }) => id === personId)?.verdict
  const [opened] = useState(visit.version)
  const version = result?.refusal?.code === 'aborted' ? visit.version : opened
  const moves = start !== visit.start
  return (
    <Form result={result} action={action} preventScrollReset>
      <input type="hidden" name="appointmentId" value={visit.id} />
      <input type="hidden" name="version" value={version} />
      <Select
        label="Hora"
        name="startsAt"
        options={hoursFor(board, visit)}
        defaultValue={String(start)}
        onChange={({ currentTarget }) => setStart(Number(currentTarget.value))}
      />
      <PeoplePicker
        ranked={ranked}
        span={{ start, end: start + visit.end - visit.start }}
        hours={hours}
        current={personId}
        onChoose={setPersonId}
      />
      {verdict && !isBarred(verdict) && (verdict.reasons.length > 0 || result?.errors.overrideReason) && (
        <TextArea label="¿Por qué lo haces de todos modos?" name="overrideReason" maxLength={300} />
      )}
      <div className="sticky -bottom-5 z-10 -mx-5 grid gap-2 border-t border-line bg-card px-5 py-3">
        {verdict && (
          <div aria-live="polite">
            <Alert tone={verdictTone(verdict)} title={verdictTitle(verdict)}>
              <p>{verdictWords(verdict).join('; ')}</p>
              {moves && !isBarred(verdict) && <p>A {visit.customer} le avisamos de su nueva hora.</p>}
            </Alert>
          </div>
        )}
        <Submit>
          {moves ? 'Mover y avisar' : visit.state === 'requested' ? 'Confirmar asignación' : 'Guardar'}
        </Submit>
      </div>
    </Form>
  )
}

function hoursFor(board: BoardDay, visit: BoardVisit) {
  const starts = startsWithin(board, hoursOf(board))
  const all = starts.includes(visit.start) ? starts : [...starts, visit.start].sort((a, b) => a - b)
  return all.map((start) => ({
    value: String(start),
    label: start === visit.start ? `${minuteTime(start)} (como está)` : minuteTime(start),
  }))
}
