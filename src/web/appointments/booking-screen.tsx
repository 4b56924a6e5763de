import { CalendarClock } from 'lucide-react'
import { useState } from 'react'
import { type Service, serviceFacts } from '../../domain/appointments/appointment.ts'
import type { Settings } from '../../domain/settings/settings-schema.ts'
import { dateTime, duration, localDay, money } from '../../domain/shared/format.ts'
import { ProveSoon, VerifyOffer } from '../accounts/verify-banner.tsx'
import { Help } from '../app/help.tsx'
import type { Failure } from '../lib/submit.ts'
import { Alert } from '../ui/alert.tsx'
import { ActionBar, LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/card.tsx'
import { TextArea } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import type { Agenda, ChangeAgenda } from './booking-server.ts'
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

type BookingScreenProps = { agenda: Agenda; result: Failure | undefined }

/** Where a customer books one service: the first free slot in one tap, or another day and hour. */
export function BookingScreen({ agenda, result }: BookingScreenProps) {
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

type ChangeScreenProps = { agenda: ChangeAgenda; result: Failure | undefined }

/** The agenda of a service for what is booked already: another time, as long as its customer may choose one. */
export function ChangeScreen({ agenda, result }: ChangeScreenProps) {
  const { service, changes, minutes, place } = agenda
  return (
    <>
      <PageHeader
        title="¿A qué hora la cambiamos?"
        subtitle={`${serviceFacts[service].label} ${changes.folio}. Dura ${duration(minutes)}${place ? `, en ${place}` : ''}.`}
        back={{ to: agendaPageOf[service], label: serviceFacts[service].label }}
      />
      <div className="mb-5 grid max-w-3xl gap-4">
        <p className="flex items-center gap-2">
          <CalendarClock aria-hidden className="size-5 shrink-0 text-mute" />
          <span>
            Ahora la tienes el <b className="font-semibold">{dateTime(changes.startsAt)}</b>
          </span>
        </p>
        {!changes.mayMove && <NotAnyMore changes={changes} />}
      </div>
      {changes.mayMove && <OtherTimes agenda={agenda} result={result} />}
    </>
  )
}

/** Why the change is refused, and how to contact support. The appointment stays as it is. */
function NotAnyMore({ changes }: Pick<ChangeAgenda, 'changes'>) {
  return (
    <>
      <Alert tone="wait" title={changes.whyNot}>
        Tu cita sigue como está.
      </Alert>
      <Help about={`Hola, necesito cambiar mi cita ${changes.folio}`} />
    </>
  )
}

function OtherTimes({ agenda, result }: ChangeScreenProps) {
  const { changes, chosen, days, service, soonest } = agenda
  const [start, pick] = useChosenStart(chosen?.starts ?? [], result?.values.startsAt)
  const dayLink = (date: string) => `?cambiar=${changes.id}&dia=${date}`
  const slotLink = (slot: string) => `${dayLink(localDay(new Date(slot)))}&hora=${encodeURIComponent(slot)}`
  if (!chosen || !soonest)
    return (
      <EmptyState action={<LinkButton to={agendaPageOf[service]}>Dejarla como está</LinkButton>}>
        Por ahora no hay otro horario libre. Tu cita sigue como está.
      </EmptyState>
    )
  return (
    <Form result={result} className="max-w-3xl">
      <input type="hidden" name="version" value={changes.version} />
      <NearestSlots details={result?.refusal?.details} linkTo={slotLink} />
      <SoonestSlot start={soonest} linkTo={slotLink} />
      <DayPicker days={days} chosen={chosen.date} linkTo={dayLink} />
      <SlotPicker starts={chosen.starts} chosen={start} onChoose={pick} />
      <ActionBar>
        <p className="text-[0.9375rem]" aria-live="polite">
          {start ? (
            <ChosenStart start={new Date(start)} service={service} window={agenda.window} />
          ) : (
            'Elige un horario.'
          )}
        </p>
        <Submit>Cambiar mi cita</Submit>
      </ActionBar>
    </Form>
  )
}
