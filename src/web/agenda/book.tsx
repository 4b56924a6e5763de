import { randomUUID } from 'node:crypto'
import { useState } from 'react'
import { Link, redirect, useLocation, useSearchParams } from 'react-router'
import { bookingInput } from '../../domain/appointment-input.ts'
import { toDate } from '../../domain/calendar.ts'
import { municipalityLabel } from '../../domain/regions.ts'
import { serviceFacts } from '../../domain/services.ts'
import { bookAppointment } from '../../server/appointments/book.ts'
import { bookableProject } from '../../server/appointments/bookable.ts'
import { db } from '../../server/context.ts'
import { offeredDays } from '../../server/scheduling/agenda.ts'
import { currentStaffing, zoneOf } from '../../server/scheduling/roster.ts'
import { VerifyOffer } from '../accounts/verify-banner.tsx'
import { afterRefusal } from '../after-refusal.ts'
import { toast } from '../flash.ts'
import { arrivalWindow, dateTime, duration, localDay } from '../format.ts'
import { load } from '../load.ts'
import { someone } from '../someone.ts'
import { submit } from '../submit.ts'
import { ActionBar } from '../ui/action-bar.tsx'
import { LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { TextArea } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Submit } from '../ui/submit.tsx'
import type { Route } from './+types/book.ts'
import { DayPicker } from './day-picker.tsx'
import { NearestSlots } from './nearest-slots.tsx'
import { SlotPicker } from './slot-picker.tsx'

const service = 'technical_visit'

export const shouldRevalidate = afterRefusal

export const loader = async ({ context, url }: Route.LoaderArgs) => {
  const database = context.get(db)
  const project = await bookableProject(database, someone(context), service)
  if (project.missing === 'address') throw redirect('/address')
  if (project.missing) throw redirect('/technics-visit')
  const now = new Date()
  const [{ settings }, days] = await Promise.all([
    currentStaffing(database),
    offeredDays(database, service, zoneOf(project.address.municipality), now),
  ])
  const free = days.filter(({ starts }) => starts.length > 0)
  const wanted = url.searchParams.get('dia')
  const chosen = free.find(({ date }) => date === wanted) ?? free[0]
  return {
    // Made here and kept by the form: sent twice, it is one appointment.
    requestKey: randomUUID(),
    place: municipalityLabel(project.address.municipality),
    minutes: settings.services[service].minutes,
    window: settings.arrivalWindowMinutes,
    days: days.map(({ date, starts }) => ({ date, free: starts.length })),
    chosen: chosen
      ? { date: chosen.date, starts: chosen.starts.map((start) => toDate(start).toISOString()) }
      : null,
    soonest: free[0]?.starts[0] === undefined ? null : toDate(free[0].starts[0]).toISOString(),
  }
}

export const action = ({ request, context }: Route.ActionArgs) =>
  submit(request, bookingInput, async (input) => {
    const [database, actor] = [context.get(db), someone(context)]
    try {
      const { folio } = await bookAppointment(database, actor, service, input, new Date())
      return await toast(
        '/technics-visit',
        'Tu visita quedó apartada',
        `Folio ${folio}. Te confirmamos quién te visita.`,
      )
    } catch (error) {
      const { missing } = await bookableProject(database, actor, service)
      // The loader leads away whoever can't book: the words would be lost with the form they stand in.
      if (missing) return load(() => Promise.reject(error))
      throw error
    }
  })

/** The address of a slot on this screen: its day open and it chosen. */
const slotLink = (start: string) => `?dia=${localDay(new Date(start))}&hora=${encodeURIComponent(start)}`

export default function BookVisit({ loaderData, actionData }: Route.ComponentProps) {
  const { chosen, soonest, minutes, window, place, days } = loaderData
  const [requestKey] = useState(loaderData.requestKey)
  const [search] = useSearchParams()
  const { key } = useLocation()
  const [picked, setPicked] = useState({ at: '', start: '' })
  // What was picked by hand holds until somebody goes on from there: by a link to a day or a slot, or by sending it.
  const asked = picked.at === key ? picked.start : (actionData?.values.startsAt ?? search.get('hora'))
  const pick = (start: string) => setPicked({ at: key, start })
  const start = chosen?.starts.find((one) => one === asked) ?? null
  return (
    <>
      <PageHeader
        title="¿Cuándo te visitamos?"
        subtitle={`Dura ${duration(minutes)}. Sin costo. En ${place}.`}
        back={{ to: '/technics-visit', label: serviceFacts[service].label }}
      />
      <VerifyOffer details={actionData?.refusal?.details} />
      {!chosen || !soonest ? (
        <EmptyState action={<LinkButton to="/technics-visit">Volver</LinkButton>}>
          Por ahora no hay horarios libres en tu zona. Vuelve mañana: cada día se abre uno nuevo.
        </EmptyState>
      ) : (
        <Form result={actionData} className="max-w-3xl" key={requestKey}>
          <input type="hidden" name="requestKey" value={actionData?.values.requestKey ?? requestKey} />
          <NearestSlots details={actionData?.refusal?.details} linkTo={slotLink} />
          <Link
            to={slotLink(soonest)}
            preventScrollReset
            className="flex items-center justify-between gap-4 rounded-card border border-brand/30 bg-brand-soft px-4 py-3 no-underline"
          >
            <span className="text-ink">
              <b className="block font-semibold">Lo más pronto</b>
              <span className="text-[0.9375rem]">{dateTime(new Date(soonest))}</span>
            </span>
            <span className="font-semibold text-brand">Elegir</span>
          </Link>
          <DayPicker days={days} chosen={chosen.date} />
          <SlotPicker starts={chosen.starts} chosen={start} onChoose={pick} />
          <TextArea label="Notas para el técnico" name="notes" optional maxLength={500} />
          <ActionBar>
            <p className="text-[0.9375rem]" aria-live="polite">
              {start ? (
                <>
                  <b className="font-semibold">{dateTime(new Date(start)).split(',')[0]}</b>.{' '}
                  {arrivalWindow(new Date(start), window)}
                </>
              ) : (
                'Elige un horario.'
              )}
            </p>
            <Submit>Agendar visita</Submit>
          </ActionBar>
        </Form>
      )}
    </>
  )
}
