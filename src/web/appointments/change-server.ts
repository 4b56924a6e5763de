import { type RouterContextProvider, redirect } from 'react-router'
import { isActive, type Service } from '../../domain/appointments/appointment.ts'
import { ownTimeInput } from '../../domain/appointments/schema.ts'
import { dateTime } from '../../domain/shared/format.ts'
import { municipalityLabel } from '../../domain/shared/places.ts'
import { db } from '../../server/app/context.ts'
import { changeTime } from '../../server/appointments/change-time.ts'
import { ownAppointment } from '../../server/appointments/own-rights.ts'
import { zoneOf } from '../../server/scheduling/roster.ts'
import { toast } from '../lib/flash.ts'
import { load } from '../lib/load.ts'
import { someone } from '../lib/someone.ts'
import { submit } from '../lib/submit.ts'
import { pageOf } from './agenda-paths.ts'
import { agendaFor, book } from './booking-server.ts'
import { offeredSlots } from './offered-slots.ts'

type Context = Readonly<RouterContextProvider>
export type ChangeAgenda = Awaited<ReturnType<typeof agendaOfChange>>

/** What the agenda of a service offers: to book, or with `?cambiar=` another time for what is booked. */
export function changeAgenda(context: Context, url: URL, service: Service) {
  const id = url.searchParams.get('cambiar')
  return id === null
    ? agendaFor(context, url, service)
    : load(() => agendaOfChange(context, url, service, id))
}

async function agendaOfChange(context: Context, url: URL, service: Service, id: string) {
  const database = context.get(db)
  const { row, rights } = await ownAppointment(database, someone(context), id, new Date())
  // It ended, or set out, while the way here was open.
  if (row.service !== service || !isActive(row.state) || !(rights.mayMove || rights.whyNot))
    throw redirect(pageOf[row.service])
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
    const moved = await changeTime(context.get(db), someone(context), id, wish, new Date())
    return toast(pageOf[service], 'Cambiamos tu cita', `Ahora es el ${dateTime(moved.startsAt)}`)
  })
}
