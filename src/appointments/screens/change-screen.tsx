import { CalendarClock } from 'lucide-react'
import { Form, Submit } from '../../kit/form/form.tsx'
import { Help } from '../../kit/help.tsx'
import { OwnHour } from '../../kit/own-hour.tsx'
import type { Failure } from '../../kit/submit.ts'
import type { offeredSlots } from '../../scheduling/choose.ts'
import { duration, localDay } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { ActionBar, LinkButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import type { AllowedActions } from '../change-time.ts'
import { type Service, serviceFacts } from '../rules/appointment.ts'
import { agendaPageOf } from '../rules/paths.ts'
import { momentFor } from '../rules/promise.ts'
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

type ChangeAgenda = Awaited<ReturnType<typeof offeredSlots>> & {
  service: Service
  place: string | null
  changes: AllowedActions
}
type ChangeScreenProps = { agenda: ChangeAgenda; result: Failure | undefined }

/** The agenda of a service for what is booked already: another time, as long as its customer may choose one. */
export function ChangeScreen({ agenda, result }: ChangeScreenProps) {
  const { service, changes, minutes, place } = agenda
  return (
    <>
      <PageHeader
        title="Elige otro horario"
        subtitle={`${serviceFacts[service].label}. Dura ${duration(minutes)}${place ? `, en ${place}` : ''}.`}
        back={{ to: agendaPageOf[service], label: serviceFacts[service].label }}
      />
      <div className="mb-5 grid max-w-3xl gap-4">
        <p className="flex items-center gap-2">
          <CalendarClock aria-hidden className="size-5 shrink-0 text-mute" />
          <span>
            Tu cita actual:{' '}
            <b className="font-semibold">
              {momentFor({ service, startsAt: changes.startsAt }, agenda.window)}
            </b>
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

/** `data-follows`: reading the page again leaves the chosen start as it is. */
function OtherTimes({ agenda, result }: ChangeScreenProps) {
  const { changes, chosen, days, service, soonest, window } = agenda
  const [start, pick, isTaken] = useChosenStart(chosen?.starts ?? [], result?.values.startsAt)
  const isCall = service === 'videocall'
  const dayLink = (date: string) => `?cambiar=${changes.id}&dia=${date}`
  const slotLink = (slot: string) => `${dayLink(localDay(new Date(slot)))}&hora=${encodeURIComponent(slot)}`
  const links = { service, window, linkTo: slotLink }
  if (!chosen || !soonest)
    return (
      <EmptyState action={<LinkButton to={agendaPageOf[service]}>Dejarla como está</LinkButton>}>
        Por ahora no hay otro horario libre. Tu cita sigue como está.
      </EmptyState>
    )
  return (
    <Form result={result} data-follows="">
      <input type="hidden" name="version" value={changes.version} />
      <NearestSlots {...links} details={result?.refusal?.details} />
      <AgendaPanes
        what={<SoonestSlot {...links} start={soonest} chosen={start} />}
        days={<DayPicker days={days} chosen={chosen.date} linkTo={dayLink} />}
        hours={<SlotPicker starts={chosen.starts} chosen={start} onChoose={pick} isCall={isCall} />}
      />
      <ActionBar stays>
        <p className="text-[0.9375rem]" aria-live="polite">
          {start ? (
            <ChosenStart start={new Date(start)} service={service} window={window} />
          ) : (
            <ChooseStart isTaken={isTaken} />
          )}
          {start && isCall && <OwnHour at={new Date(start)} className="block text-mute" />}
        </p>
        <Submit>Cambiar mi cita</Submit>
      </ActionBar>
    </Form>
  )
}
