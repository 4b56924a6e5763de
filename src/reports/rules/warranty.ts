import { isActive } from '../../appointments/rules/appointment.ts'
import type { ProjectPart, ProjectStatus } from '../../projects/rules/stages.ts'
import { localDate, toMinutes } from '../../shared/calendar.ts'

/** How long an installation is under warranty, in months. */
export const warrantyMonths = 12

/** Whether an installation is under warranty; its last day, a local date, is included in full in Mexico City. */
export const isUnderWarranty = (until: string | null, now: Date): boolean =>
  until !== null && localDate(toMinutes(now)) <= until

/** The last day of a warranty that starts at the end of the work, as 2027-11-24. */
export const warrantyAfter = (end: Date): string =>
  Temporal.PlainDate.from(localDate(toMinutes(end)))
    .add({ months: warrantyMonths })
    .toString()

/** What the warranty of an installation is for, and what it is not. */
export const warrantyScope = [
  'Cubre lo que instalamos: mano de obra, cable, tubería, pastilla y conexiones.',
  'El cargador lo cubre su fabricante; si falla, te ayudamos a hacerla valer.',
  'No cubre golpes, variaciones de la red de CFE ni cambios que haga alguien más.',
]

export const warrantyLabel = 'Garantía'
type Turn = Omit<ProjectStatus, 'stage'>

/** Whose turn it is with a reported fault, and its visit, if one is booked. */
export function faultTurn(fault: { since: Date }, visit: Pick<ProjectPart, 'state' | 'since'> | null): Turn {
  if (!visit || !isActive(visit.state))
    return {
      waitingOn: 'customer',
      line: 'Recibimos tu reporte y te llamamos. También puedes agendar tu visita de garantía ahora.',
      since: fault.since,
      next: { label: 'Agendar visita', to: '/agenda-technics-visit' },
    }
  return {
    waitingOn: visit.state === 'requested' ? 'manager' : 'technician',
    line: 'Recibimos tu reporte: tu visita de garantía está agendada.',
    since: visit.since,
    next: { label: 'Ver mi visita', to: '/technics-visit' },
  }
}
