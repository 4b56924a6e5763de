import type { NextStep } from '../../projects/rules/stages.ts'
import { fullName, localDay } from '../../shared/format.ts'
import type { Service } from './appointment.ts'

type ShownAppointment = { appointment: { folio: string; customer: Parameters<typeof fullName>[0] } }

/** What the screens of one appointment are kept as among what was opened last. */
export const visitedAppointment = ({ appointment: { customer, folio } }: ShownAppointment) => ({
  kind: 'appointment' as const,
  title: `${folio} · ${fullName(customer)}`,
})

/** Where each service is booked, and the words of the link to it. */
export const agendaOf: Record<Service, NextStep> = {
  technical_visit: { to: '/agenda-technics-visit', label: 'Agendar visita' },
  installation: { to: '/agenda-installation', label: 'Agendar instalación' },
  videocall: { to: '/agenda-videocall', label: 'Agendar asesoría' },
}

/** Where what is booked of each service is seen. */
export const agendaPageOf: Record<Service, string> = {
  technical_visit: '/technics-visit',
  installation: '/installation',
  videocall: '/videocall',
}

/** What a customer reads a booked service as, behind "tu". */
export const serviceNames: Record<Service, string> = {
  technical_visit: 'visita',
  installation: 'instalación',
  videocall: 'asesoría',
}

/** The query under which the page of a service confirms what was just booked. */
export const confirming = 'agendada'

/** Where a booking ends. */
export const justBooked = (service: Service) => `${agendaPageOf[service]}?${confirming}`

/** The agenda of a service with a slot chosen. */
export const slotPath = (service: Service, start: Date) =>
  `${agendaOf[service].to}?dia=${localDay(start)}&hora=${encodeURIComponent(start.toISOString())}`

/** Another time for what is booked. */
export const changePath = (service: Service, id: string) => `${agendaOf[service].to}?cambiar=${id}`

/** Where one of the user's own appointments is a file. */
export const calendarFileOf = (appointmentId: string) => `/calendar/${appointmentId}.ics`

/** Where a calendar is subscribed to, by its secret. */
export const feedPath = (secret: string) => `/calendar/feed/${secret}.ics`

/** Where a family sees a shared visit, by its secret. */
export const sharedVisitPath = (secret: string) => `/visita/${secret}`

/** The name in a calendar's path, without its ending; what ends otherwise names nothing. */
export const fileName = (file: string) => (file.endsWith('.ics') ? file.slice(0, -4) : '')

export const isCalendar = { 'content-type': 'text/calendar; charset=utf-8' }

/** Where a step leads back to, by what its form says in `from`: the screens that show the next stop. */
export const shownFrom: ReadonlyMap<string | undefined, string> = new Map([
  ['home', '/admin'],
  ['day', '/admin/appointments-pending'],
])
