import { randomUUID } from 'node:crypto'
import { type RouterContextProvider, redirect } from 'react-router'
import { isActive, type Service } from '../../domain/appointments/appointment.ts'
import { hoursToProve } from '../../domain/appointments/rules.ts'
import { bookingInputFor, ownTimeInput } from '../../domain/appointments/schema.ts'
import { noZone } from '../../domain/scheduling/roster.ts'
import { toDate, toMinutes } from '../../domain/shared/calendar.ts'
import { dateTime } from '../../domain/shared/format.ts'
import { municipalityLabel } from '../../domain/shared/places.ts'
import { caller, db } from '../../server/app/context.ts'
import { bookAppointment } from '../../server/appointments/book.ts'
import { changeTime, ownAppointment } from '../../server/appointments/change-time.ts'
import { bookableProject } from '../../server/appointments/project-appointments.ts'
import { visitFeeFor } from '../../server/payments/charges.ts'
import type { Db } from '../../server/platform/database/client.ts'
import { openFaultSince } from '../../server/reports/faults.ts'
import { offeredDays } from '../../server/scheduling/choose.ts'
import { currentStaffing, zoneOf } from '../../server/scheduling/roster.ts'
import { redirectWithToast } from '../lib/flash.ts'
import { refusalsAsResponses } from '../lib/refusals-as-responses.ts'
import { requireActor } from '../lib/require-actor.ts'
import { submit } from '../lib/submit.ts'
import { agendaPageOf } from './paths.ts'

type Context = Readonly<RouterContextProvider>
export type Agenda = Awaited<ReturnType<typeof agendaFor>>

/** What the booking screen of a service offers; a customer who can't book is redirected to the page that says why. */
async function agendaFor(context: Context, url: URL, service: Service) {
  const database = context.get(db)
  const { hindrance, project } = await bookableProject(database, requireActor(context).id, service)
  if (hindrance === 'address') throw redirect('/address')
  if (hindrance) throw redirect(agendaPageOf[service])
  const address = service === 'videocall' ? null : (project?.address ?? null)
  const zone = address ? zoneOf(address.municipality) : noZone
  const isVisit = service === 'technical_visit' && project !== null
  const { visitFee } = (await currentStaffing(database)).settings
  return {
    /** What a visit costs; null of what has no price. */
    fee:
      service === 'technical_visit'
        ? { ...visitFee, amount: await visitFeeFor(database, project?.id ?? null, { visitFee }) }
        : null,
    ...(await offeredSlots(database, service, zone, url.searchParams.get('dia'))),
    service,
    // Made here and kept by the form: sent twice, it creates one appointment.
    requestKey: randomUUID(),
    place: address && municipalityLabel(address.municipality),
    /** It answers a fault that its customer reported. */
    isWarranty: isVisit && (await openFaultSince(database, requireActor(context).id, project.id)) !== null,
    /** Whether the e-mail is still to be verified, without which the booking is released. */
    isUnproved: !requireActor(context).emailVerified,
    asksEquipment: !project?.vehicle && !project?.charger,
  }
}

const booked: Record<Service, [title: string, then: string]> = {
  technical_visit: ['Tu visita quedó apartada', 'Te confirmamos quién te visita.'],
  installation: ['Tu instalación quedó apartada', 'Te confirmamos quién te visita.'],
  videocall: ['Tu asesoría quedó agendada', 'Te mandamos los datos por correo.'],
}

const proveSoon = `Confirma tu correo antes de ${hoursToProve} horas para conservarla.`

/** Books what the form of a service's booking screen says. */
function book(request: Request, context: Context, service: Service) {
  const { address, now } = context.get(caller)
  return submit(request, bookingInputFor(service, now), async (input) => {
    const [database, actor] = [context.get(db), requireActor(context)]
    try {
      const { folio } = await bookAppointment(database, actor, service, input, { address, now })
      const [title, then] = booked[service]
      const told = actor.emailVerified ? then : proveSoon
      return await redirectWithToast(agendaPageOf[service], title, `Folio ${folio}. ${told}`)
    } catch (error) {
      const { hindrance } = await bookableProject(database, actor.id, service)
      // The loader redirects a customer who can't book: the words would be lost with the form that shows them.
      if (hindrance) return refusalsAsResponses(() => Promise.reject(error))
      throw error
    }
  })
}

export type ChangeAgenda = Awaited<ReturnType<typeof agendaOfChange>>

/** What the agenda of a service offers: to book, or with `?cambiar=` another time for what is booked. */
export function changeAgenda(context: Context, url: URL, service: Service) {
  const id = url.searchParams.get('cambiar')
  return id === null
    ? agendaFor(context, url, service)
    : refusalsAsResponses(() => agendaOfChange(context, url, service, id))
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

/** Books, or moves what is booked, by the same screen's form. */
export function changeOrBook(request: Request, context: Context, service: Service) {
  const id = new URL(request.url).searchParams.get('cambiar')
  if (id === null) return book(request, context, service)
  return submit(request, ownTimeInput, async (wish) => {
    const moved = await changeTime(context.get(db), requireActor(context), id, wish, new Date())
    return redirectWithToast(
      agendaPageOf[service],
      'Cambiamos tu cita',
      `Ahora es el ${dateTime(moved.startsAt)}`,
    )
  })
}

/** The days of a service and the free starts of one of them, the wanted one or the first, for a slot to be chosen from;
 * `without` is an appointment that would be moved there: its own start is no other one. */
export async function offeredSlots(
  db: Db,
  service: Service,
  zone: number,
  wanted: string | null,
  without?: { id: string; startsAt: Date },
) {
  const [{ settings }, open] = await Promise.all([
    currentStaffing(db),
    offeredDays(db, service, zone, new Date(), without?.id),
  ])
  const own = without && toMinutes(without.startsAt)
  const days = open.map(({ date, starts }) => ({ date, starts: starts.filter((start) => start !== own) }))
  const free = days.filter(({ starts }) => starts.length > 0)
  const chosen = free.find(({ date }) => date === wanted) ?? free[0]
  return {
    minutes: settings.services[service].minutes,
    window: settings.arrivalWindowMinutes,
    days: days.map(({ date, starts }) => ({ date, free: starts.length })),
    chosen: chosen
      ? { date: chosen.date, starts: chosen.starts.map((start) => toDate(start).toISOString()) }
      : null,
    soonest: free[0]?.starts[0] === undefined ? null : toDate(free[0].starts[0]).toISOString(),
  }
}
