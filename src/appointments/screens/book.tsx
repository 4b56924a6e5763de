import { randomUUID } from 'node:crypto'
import { Clock, type LucideIcon, MapPin, Tag, UserRound, Video } from 'lucide-react'
import { useState } from 'react'
import { redirect } from 'react-router'
import { ProveSoon, VerifyOffer } from '../../accounts/screens/verify-banner.tsx'
import { onward, redirectWithToast } from '../../kit/flash.ts'
import { TextArea } from '../../kit/form/field.tsx'
import { Form, Submit } from '../../kit/form/form.tsx'
import { OwnHour } from '../../kit/own-hour.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { type LoaderContext, requestOf, signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { type Failure, submit } from '../../kit/submit.ts'
import { visitFeeFor } from '../../payments/charges.ts'
import { shareReads } from '../../platform/database/reads.ts'
import { offeredSlots } from '../../scheduling/choose.ts'
import { currentStaffing, zoneOf } from '../../scheduling/roster.ts'
import { noZone } from '../../scheduling/rules/roster.ts'
import type { Settings } from '../../settings/rules/settings-schema.ts'
import { duration, localDay, money } from '../../shared/format.ts'
import { municipalityLabel } from '../../shared/places.ts'
import { Refusal } from '../../shared/refusal.ts'
import { Alert } from '../../ui/alert.tsx'
import { ActionBar, LinkButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { bookAppointment } from '../book.ts'
import { changeTime, ownAppointment } from '../change-time.ts'
import { openFaultSince } from '../faults.ts'
import { bookableProject, bookedNow } from '../project-appointments.ts'
import { isActive, type Service, serviceFacts, services } from '../rules/appointment.ts'
import { agendaOf, agendaPageOf, justBooked, serviceNames } from '../rules/paths.ts'
import { momentFor } from '../rules/promise.ts'
import { changeUntilWords } from '../rules/rules.ts'
import { bookingInputFor, ownTimeInput } from '../rules/schema.ts'
import { standingBooking } from '../unverified.ts'
import type { Route } from './+types/book.ts'
import { ChangeScreen } from './change-screen.tsx'
import {
  AgendaPanes,
  ChooseStart,
  ChosenStart,
  DayPicker,
  NearestSlots,
  SlotPicker,
  SoonestSlot,
  useChosenStart,
} from './day-picker.tsx'
import { EquipmentFields, InterestPicker } from './equipment-fields.tsx'

export const shouldRevalidate = revalidateOnConflict

/** With its full stop, which "a. m." has already. */
const asSentence = (words: string) => words.replace(/\.?$/, '.')

/** The service whose agenda is at this address: each has a route of its own to this module. */
const serviceAt = (pattern: string) => services.find((service) => agendaOf[service].to.endsWith(pattern))!

/** What the agenda of a service offers: to book, or with `?cambiar=` another time for what is booked. */
export function loader({ context, pattern, url }: Route.LoaderArgs) {
  const service = serviceAt(pattern)
  const id = url.searchParams.get('cambiar')
  return id === null
    ? agendaFor(context, url, service)
    : refusalsAsResponses(() => agendaOfChange(context, url, service, id))
}

/** Books, or moves what is booked, by the same screen's form. */
export function action({ context, pattern, request, url }: Route.ActionArgs) {
  const service = serviceAt(pattern)
  const { db, caller } = requestOf(context)
  const here = agendaPageOf[service]
  const { address, now } = caller
  const id = url.searchParams.get('cambiar')
  if (id !== null)
    return submit(request, ownTimeInput, async (input) => {
      const moved = await changeTime(db, signedIn(context).actor, id, input, now)
      const when = momentFor(moved, (await currentStaffing(db)).settings.arrivalWindowMinutes)
      return redirectWithToast(here, 'Cambiamos tu cita', `Ahora es el ${asSentence(when)}`)
    })
  return submit(request, bookingInputFor(service, now), async (input) => {
    const { actor } = signedIn(context)
    try {
      await bookAppointment(db, actor, service, input, { address, now })
      return redirect(onward(justBooked(service)), 303)
    } catch (error) {
      shareReads()
      // Booked in another tab meanwhile: this one ends there too.
      const booked = error instanceof Refusal && (await bookedNow(db, actor, service))
      if (booked) {
        const { settings } = await currentStaffing(db)
        const moment = momentFor(booked, settings.arrivalWindowMinutes)
        const when = `${booked.folio}, el ${asSentence(moment)} Si prefieres otro horario, cámbiala aquí.`
        return redirectWithToast(here, `Ya tenías agendada tu ${serviceNames[service]}`, when, 'default')
      }
      const { hindrance } = await bookableProject(db, actor, service)
      // The loader redirects a customer who can't book: the words would be lost with the form that shows them.
      if (hindrance) return refusalsAsResponses(() => Promise.reject(error))
      throw error
    }
  })
}

/** What the booking screen of a service offers; a customer who can't book is redirected to the page that says why. */
async function agendaFor(context: LoaderContext, url: URL, service: Service) {
  const { db, actor } = signedIn(context)
  const [{ hindrance, project }, staffing, booked] = await Promise.all([
    bookableProject(db, actor, service),
    currentStaffing(db),
    actor.emailVerified ? null : standingBooking(db, actor.id),
  ])
  if (hindrance === 'address') throw redirect(onward(`/address?para=${service}`))
  if (hindrance) throw redirect(onward(agendaPageOf[service]))
  const address = service === 'videocall' ? null : (project?.address ?? null)
  const zone = address ? zoneOf(address.municipality) : noZone
  const isVisit = service === 'technical_visit'
  const { visitFee } = staffing.settings
  const [amount, slots, faultSince] = await Promise.all([
    isVisit ? visitFeeFor(db, project?.id ?? null, { visitFee }) : 0,
    offeredSlots(db, service, zone, url.searchParams.get('dia')),
    isVisit && project ? openFaultSince(db, actor.id, project.id) : null,
  ])
  return {
    /** What a visit costs; null of what has no price. */
    fee: isVisit ? { ...visitFee, amount } : null,
    ...slots,
    service,
    now: new Date(),
    freeChange: {
      freeChangeHours: staffing.settings.services[service].freeChangeHours,
      freeChangeAfterBookingMinutes: staffing.settings.freeChangeAfterBookingMinutes,
    },
    // Made here and kept by the form: sent twice, it creates one appointment.
    requestKey: randomUUID(),
    place: address && municipalityLabel(address.municipality),
    /** It answers a fault that its customer reported. */
    isWarranty: faultSince !== null,
    /** Whether the e-mail is still to be verified, without which the booking is released, and is the only one. */
    isUnproved: !actor.emailVerified,
    booked,
    asksEquipment: !project?.vehicle && !project?.charger,
  }
}

async function agendaOfChange(context: LoaderContext, url: URL, service: Service, id: string) {
  const { db, actor } = signedIn(context)
  const { row, rights } = await ownAppointment(db, actor, id, new Date())
  // It ended, or its assignee set out, while this screen was open.
  if (row.service !== service) throw redirect(onward(agendaPageOf[row.service]))
  if (!isActive(row.state) || !(rights.mayMove || rights.whyNot))
    throw await redirectWithToast(
      agendaPageOf[service],
      row.state === 'cancelled' ? 'Tu cita se canceló' : 'Tu cita ya no se puede cambiar de hora',
      'Por eso cerramos la página de cambio.',
      'default',
    )
  return {
    ...(await offeredSlots(db, service, zoneOf(row.municipality), url.searchParams.get('dia'), row)),
    service,
    place: row.municipality && municipalityLabel(row.municipality),
    changes: rights,
  }
}

export default ({ actionData, loaderData }: Route.ComponentProps) =>
  'changes' in loaderData ? (
    <ChangeScreen key={loaderData.service} agenda={loaderData} result={actionData} />
  ) : (
    <BookingScreen key={loaderData.service} agenda={loaderData} result={actionData} />
  )

/** The address of a slot on this screen: its day open and it chosen. */
const slotLink = (start: string) => `?dia=${localDay(new Date(start))}&hora=${encodeURIComponent(start)}`

type Words = { title: string; who: string; notes: string }
const words: Record<Service, Words> = {
  technical_visit: { title: '¿Cuándo te visitamos?', who: 'Va un técnico', notes: 'Notas para el técnico' },
  installation: {
    title: '¿Cuándo instalamos tu cargador?',
    who: 'Va un técnico',
    notes: 'Notas para el técnico',
  },
  videocall: {
    title: '¿Cuándo hablamos?',
    who: 'Te atiende un analista',
    notes: '¿Qué te gustaría saber?',
  },
}

type BookingAgenda = Awaited<ReturnType<typeof agendaFor>>
type BookingScreenProps = { agenda: BookingAgenda; result: Failure | undefined }

/** Where a customer books one service: the first free slot in one tap, or another day and hour. */
function BookingScreen({ agenda, result }: BookingScreenProps) {
  const { booked, chosen, fee, isUnproved, isWarranty, service, soonest } = agenda
  return (
    <>
      <PageHeader
        title={words[service].title}
        back={{ to: agendaPageOf[service], label: serviceFacts[service].label }}
      />
      {isWarranty && (
        <Alert tone="info" title="Es tu visita de garantía" className="max-w-3xl">
          No tiene costo. Tu técnico ya sabe lo que nos reportaste.
        </Alert>
      )}
      {isUnproved && <ProveSoon booked={booked} window={agenda.window} now={agenda.now} />}
      {!booked && <VerifyOffer details={result?.refusal?.details} />}
      {/* What was sent comes back with its answer, although it can't be booked. */}
      {(!booked || result) && (
        <>
          {fee && !isWarranty && <VisitPrice fee={fee} />}
          {chosen && soonest ? (
            <BookingForm agenda={agenda} chosen={chosen} soonest={soonest} result={result} />
          ) : (
            <NothingFree service={service} />
          )}
        </>
      )}
    </>
  )
}

type BookingFormProps = BookingScreenProps & {
  chosen: NonNullable<BookingAgenda['chosen']>
  soonest: string
}

function BookingForm({ agenda, chosen, soonest, result }: BookingFormProps) {
  const { service, window } = agenda
  const links = { service, window, linkTo: slotLink }
  const [requestKey] = useState(agenda.requestKey)
  const [start, pick, isTaken] = useChosenStart(chosen.starts, result?.values.startsAt)
  const isCall = service === 'videocall'
  const what = (
    <>
      <What agenda={agenda} />
      <SoonestSlot {...links} start={soonest} chosen={start} />
    </>
  )
  const hours = (
    <>
      <SlotPicker starts={chosen.starts} chosen={start} onChoose={pick} isCall={isCall} />
      <FreeChange agenda={agenda} start={start} />
    </>
  )
  return (
    <Form result={result} key={requestKey}>
      <input type="hidden" name="requestKey" value={result?.values.requestKey ?? requestKey} />
      {agenda.fee && <input type="hidden" name="fee" value={agenda.fee.amount} />}
      <NearestSlots {...links} details={result?.refusal?.details} />
      <AgendaPanes what={what} days={<DayPicker days={agenda.days} chosen={chosen.date} />} hours={hours} />
      <div className="grid max-w-3xl gap-5">
        {isCall && <InterestPicker />}
        <TextArea label={words[service].notes} name="notes" optional maxLength={500} />
        {agenda.asksEquipment && <EquipmentFields />}
      </div>
      <ActionBar stays>
        <ChosenInWords agenda={agenda} start={start} isTaken={isTaken} />
        <Submit>{agendaOf[service].label}</Submit>
      </ActionBar>
    </Form>
  )
}

/** What is booked: how long it takes, where, who comes and what it costs. */
function What({ agenda: { fee, isWarranty, minutes, place, service } }: { agenda: BookingAgenda }) {
  const isFree = service === 'videocall' || isWarranty || fee?.amount === 0
  const price = isFree ? `Tu ${serviceNames[service]} es gratis` : fee && money(fee.amount)
  const facts: [icon: LucideIcon, text: string | null][] = [
    [Clock, `Dura ${duration(minutes)}`],
    place === null ? [Video, 'Por videollamada'] : [MapPin, `En ${place}`],
    [UserRound, words[service].who],
    [Tag, price],
  ]
  return (
    <div className="grid gap-3">
      <h2 className="font-semibold max-lg:sr-only">{serviceFacts[service].label}</h2>
      <ul className="flex flex-wrap gap-x-5 gap-y-1.5 text-[0.9375rem] lg:grid lg:gap-2.5">
        {facts.map(
          ([Icon, text]) =>
            text && (
              <li key={text} className="flex items-center gap-2">
                <Icon aria-hidden className="size-4.5 shrink-0 text-mute" />
                {text}
              </li>
            ),
        )}
      </ul>
    </div>
  )
}

type ChosenProps = { agenda: BookingAgenda; start: string | null }

/** Until when the chosen time may be changed, said before it is booked. */
function FreeChange({ agenda: { freeChange, now }, start }: ChosenProps) {
  const { freeChangeHours } = freeChange
  return (
    <p className="text-sm text-mute" aria-live="polite">
      {start
        ? changeUntilWords(new Date(start), now, freeChange)
        : freeChangeHours > 0 &&
          `Puedes cambiarla o cancelarla gratis hasta ${freeChangeHours}\u00a0h antes.`}
    </p>
  )
}

const ChosenInWords = ({
  agenda: { service, window },
  isTaken,
  start,
}: ChosenProps & { isTaken: boolean }) => (
  <p className="text-[0.9375rem]" aria-live="polite">
    {start ? (
      <ChosenStart start={new Date(start)} service={service} window={window} />
    ) : (
      <ChooseStart isTaken={isTaken} />
    )}
    {start && service === 'videocall' && <OwnHour at={new Date(start)} className="block text-mute" />}
  </p>
)

function NothingFree({ service }: { service: Service }) {
  const ask = (
    <div className="flex flex-wrap justify-center gap-3">
      <Form action={agendaPageOf[service]} className="w-auto">
        <Submit name="intent" value="ask-earlier">
          Avísame si se abre uno
        </Submit>
      </Form>
      <LinkButton to={agendaPageOf[service]} variant="ghost">
        Volver
      </LinkButton>
    </div>
  )
  return (
    <EmptyState action={ask}>
      {service === 'videocall'
        ? 'Por ahora no hay horarios libres. Te avisamos en cuanto se abra uno.'
        : 'Por ahora no hay horarios libres en tu zona. Te avisamos en cuanto se abra uno.'}
    </EmptyState>
  )
}

/** What a visit costs, shown before it is booked, and when it is refunded. */
function VisitPrice({ fee }: { fee: Settings['visitFee'] }) {
  const { amount, keptOnLateCancel, keptOnNoShow, keptOnNotViable } = fee
  if (amount === 0) return null
  const kept = [
    keptOnLateCancel && 'cancelas tarde',
    keptOnNoShow && 'no hay quien reciba',
    keptOnNotViable && 'la instalación no es posible',
  ].filter((when) => when !== false)
  return (
    <Alert tone="info" title={`Tu visita cuesta ${money(amount)}, con IVA`} className="max-w-3xl">
      Se descuenta de tu anticipo. Te la devolvemos completa si cancelas a tiempo o cancelamos nosotros
      {kept.length > 0 ? `; no, si ${listed(kept)}` : ''}. Después de agendar te decimos cómo pagarla.
    </Alert>
  )
}

/** "a, b o c" */
const listed = (parts: readonly string[]) =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} o ${parts.at(-1)}`
