import { randomUUID } from 'node:crypto'
import { useState } from 'react'
import { type RouterContextProvider, redirect } from 'react-router'
import { isActive, type Service, serviceFacts, services } from '../../domain/appointments/appointment.ts'
import { hoursToProve } from '../../domain/appointments/rules.ts'
import { bookingInputFor, ownTimeInput } from '../../domain/appointments/schema.ts'
import { noZone } from '../../domain/scheduling/roster.ts'
import type { Settings } from '../../domain/settings/settings-schema.ts'
import { dateTime, duration, localDay, money } from '../../domain/shared/format.ts'
import { municipalityLabel } from '../../domain/shared/places.ts'
import { caller, db } from '../../server/app/context.ts'
import { bookAppointment } from '../../server/appointments/book.ts'
import { changeTime, ownAppointment } from '../../server/appointments/change-time.ts'
import { bookableProject } from '../../server/appointments/project-appointments.ts'
import { visitFeeFor } from '../../server/payments/charges.ts'
import { shareReads } from '../../server/platform/database/reads.ts'
import { openFaultSince } from '../../server/reports/faults.ts'
import { offeredSlots } from '../../server/scheduling/choose.ts'
import { currentStaffing, zoneOf } from '../../server/scheduling/roster.ts'
import { ProveSoon, VerifyOffer } from '../accounts/verify-banner.tsx'
import { redirectWithToast } from '../lib/flash.ts'
import { refusalsAsResponses } from '../lib/refusals-as-responses.ts'
import { requireActor } from '../lib/require-actor.ts'
import { revalidateOnConflict } from '../lib/revalidate-on-conflict.ts'
import { type Failure, submit } from '../lib/submit.ts'
import { Alert } from '../ui/alert.tsx'
import { ActionBar, LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/card.tsx'
import { TextArea } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import type { Route } from './+types/book.ts'
import { ChangeScreen } from './change-screen.tsx'
import {
  ChosenStart,
  DayPicker,
  InterestPicker,
  NearestSlots,
  SlotPicker,
  SoonestSlot,
  useChosenStart,
} from './day-picker.tsx'
import { EquipmentFields } from './equipment-fields.tsx'
import { agendaOf, agendaPageOf } from './paths.ts'

export const shouldRevalidate = revalidateOnConflict

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
  const [database, here] = [context.get(db), agendaPageOf[service]]
  const { address, now } = context.get(caller)
  const id = url.searchParams.get('cambiar')
  if (id !== null)
    return submit(request, ownTimeInput, async (wish) => {
      const moved = await changeTime(database, requireActor(context), id, wish, now)
      return redirectWithToast(here, 'Cambiamos tu cita', `Ahora es el ${dateTime(moved.startsAt)}`)
    })
  return submit(request, bookingInputFor(service, now), async (input) => {
    const actor = requireActor(context)
    try {
      const { folio } = await bookAppointment(database, actor, service, input, { address, now })
      const [title, then] = booked[service]
      const told = actor.emailVerified ? then : proveSoon
      return await redirectWithToast(here, title, `Folio ${folio}. ${told}`)
    } catch (error) {
      shareReads()
      const { hindrance } = await bookableProject(database, actor.id, service)
      // The loader redirects a customer who can't book: the words would be lost with the form that shows them.
      if (hindrance) return refusalsAsResponses(() => Promise.reject(error))
      throw error
    }
  })
}

const booked: Record<Service, [title: string, then: string]> = {
  technical_visit: ['Tu visita quedó agendada', 'Te confirmamos quién te visita.'],
  installation: ['Tu instalación quedó agendada', 'Te confirmamos quién te visita.'],
  videocall: ['Tu asesoría quedó agendada', 'Te mandamos los datos por correo.'],
}

const proveSoon = `Confirma tu correo antes de ${hoursToProve} horas para conservarla.`

type Context = Readonly<RouterContextProvider>

/** What the booking screen of a service offers; a customer who can't book is redirected to the page that says why. */
async function agendaFor(context: Context, url: URL, service: Service) {
  const [database, { emailVerified, id }] = [context.get(db), requireActor(context)]
  const [{ hindrance, project }, staffing] = await Promise.all([
    bookableProject(database, id, service),
    currentStaffing(database),
  ])
  if (hindrance === 'address') throw redirect(`/address?para=${service}`)
  if (hindrance) throw redirect(agendaPageOf[service])
  const address = service === 'videocall' ? null : (project?.address ?? null)
  const zone = address ? zoneOf(address.municipality) : noZone
  const [isVisit, { visitFee }] = [service === 'technical_visit', staffing.settings]
  const [amount, slots, faultSince] = await Promise.all([
    isVisit ? visitFeeFor(database, project?.id ?? null, { visitFee }) : 0,
    offeredSlots(database, service, zone, url.searchParams.get('dia')),
    isVisit && project ? openFaultSince(database, id, project.id) : null,
  ])
  return {
    /** What a visit costs; null of what has no price. */
    fee: isVisit ? { ...visitFee, amount } : null,
    ...slots,
    service,
    // Made here and kept by the form: sent twice, it creates one appointment.
    requestKey: randomUUID(),
    place: address && municipalityLabel(address.municipality),
    /** It answers a fault that its customer reported. */
    isWarranty: faultSince !== null,
    /** Whether the e-mail is still to be verified, without which the booking is released. */
    isUnproved: !emailVerified,
    asksEquipment: !project?.vehicle && !project?.charger,
  }
}

async function agendaOfChange(context: Context, url: URL, service: Service, id: string) {
  const database = context.get(db)
  const { row, rights } = await ownAppointment(database, requireActor(context), id, new Date())
  // It ended, or its assignee set out, while this screen was open.
  if (row.service !== service || !isActive(row.state) || !(rights.mayMove || rights.whyNot))
    throw redirect(agendaPageOf[row.service])
  return {
    ...(await offeredSlots(database, service, zoneOf(row.municipality), url.searchParams.get('dia'), row)),
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

type Words = { title: string; subtitle: (minutes: string, place: string) => string; notes: string }
const words: Record<Service, Words> = {
  technical_visit: {
    title: '¿Cuándo te visitamos?',
    subtitle: (minutes, place) => `Dura ${minutes}. En ${place}.`,
    notes: 'Notas para el técnico',
  },
  installation: {
    title: '¿Cuándo instalamos tu cargador?',
    subtitle: (minutes, place) => `Dura ${minutes}. En ${place}.`,
    notes: 'Notas para el técnico',
  },
  videocall: {
    title: '¿Cuándo hablamos?',
    subtitle: (minutes) => `Dura ${minutes}, por videollamada.`,
    notes: '¿Qué te gustaría saber?',
  },
}

type BookingScreenProps = { agenda: Awaited<ReturnType<typeof agendaFor>>; result: Failure | undefined }

/** Where a customer books one service: the first free slot in one tap, or another day and hour. */
function BookingScreen({ agenda, result }: BookingScreenProps) {
  const { service, chosen, soonest, minutes, place, days } = agenda
  const [requestKey] = useState(agenda.requestKey)
  const [start, pick] = useChosenStart(chosen?.starts ?? [], result?.values.startsAt)
  const { title, subtitle, notes } = words[service]
  return (
    <>
      <PageHeader
        title={title}
        subtitle={subtitle(duration(minutes), place ?? '')}
        back={{ to: agendaPageOf[service], label: serviceFacts[service].label }}
      />
      {agenda.isWarranty && (
        <Alert tone="info" title="Es tu visita de garantía" className="mb-5 max-w-3xl">
          No tiene costo. Tu técnico ya sabe lo que nos reportaste.
        </Alert>
      )}
      {agenda.fee && !agenda.isWarranty && <VisitPrice fee={agenda.fee} />}
      {agenda.isUnproved && <ProveSoon />}
      <VerifyOffer details={result?.refusal?.details} />
      {!chosen || !soonest ? (
        <NothingFree service={service} />
      ) : (
        <Form result={result} className="max-w-3xl" key={requestKey}>
          <input type="hidden" name="requestKey" value={result?.values.requestKey ?? requestKey} />
          {agenda.fee && <input type="hidden" name="fee" value={agenda.fee.amount} />}
          <NearestSlots details={result?.refusal?.details} linkTo={slotLink} />
          <SoonestSlot start={soonest} linkTo={slotLink} />
          <DayPicker days={days} chosen={chosen.date} />
          <SlotPicker starts={chosen.starts} chosen={start} onChoose={pick} />
          {service === 'videocall' && <InterestPicker />}
          <TextArea label={notes} name="notes" optional maxLength={500} />
          {agenda.asksEquipment && <EquipmentFields />}
          <ActionBar>
            <p className="text-[0.9375rem]" aria-live="polite">
              {start ? (
                <ChosenStart start={new Date(start)} service={service} window={agenda.window} />
              ) : (
                'Elige un horario.'
              )}
            </p>
            <Submit>{agendaOf[service].label}</Submit>
          </ActionBar>
        </Form>
      )}
    </>
  )
}

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
  if (amount === 0) return <p className="mb-5 max-w-3xl font-medium">Tu visita es gratis.</p>
  const kept = [
    keptOnLateCancel && 'cancelas tarde',
    keptOnNoShow && 'no hay quien reciba',
    keptOnNotViable && 'la instalación no es posible',
  ].filter((when) => when !== false)
  return (
    <Alert tone="info" title={`Tu visita cuesta ${money(amount)}, con IVA`} className="mb-5 max-w-3xl">
      Se descuenta de tu anticipo. Te la devolvemos completa si cancelas a tiempo o cancelamos nosotros
      {kept.length > 0 ? `; no, si ${listed(kept)}` : ''}. Después de agendar te decimos cómo pagarla.
    </Alert>
  )
}

/** "a, b o c" */
const listed = (parts: readonly string[]) =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} o ${parts.at(-1)}`
