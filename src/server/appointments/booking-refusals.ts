import { and, eq, sql } from 'drizzle-orm'
import { activeStates, serviceFacts } from '../../domain/appointments/appointment.ts'
import { type ReasonCode, whyNotThen } from '../../domain/scheduling/eligibility.ts'
import { toDate } from '../../domain/shared/calendar.ts'
import { Refusal, refuse } from '../../domain/shared/refusal.ts'
import type { Db } from '../platform/database/database.ts'
import { appointments } from '../platform/database/schema/appointment-schema.ts'
import { openProjectOf } from '../projects/queries.ts'
import { nearestSlots, type Question } from '../scheduling/choose.ts'
import type { Booker, Wish } from './wish.ts'

/** Says when the customer's own appointments are what stands in the way. */
export async function refuseOwnClash(
  db: Db,
  { service, booker, projectId, placement }: Wish,
  { ask }: Question,
) {
  const { minutes } = ask.settings.services[service]
  const mine = await db
    .select({ service: appointments.service, projectId: appointments.projectId, folio: appointments.folio })
    .from(appointments)
    .where(
      and(
        eq(appointments.customerId, booker.customerId),
        sql`${appointments.state} = any(${sql.param([...activeStates])}::text[])`,
        sql`(${appointments.service} = ${service} and ${appointments.projectId} = ${projectId}::uuid or ${appointments.during} && visit_range(${toDate(placement.start)}, ${minutes}))`,
      ),
    )
  const same = mine.find((one) => one.service === service && one.projectId === projectId)
  if (same)
    refuse(
      'already-exists',
      `Ya ${have(booker)} una ${serviceFacts[service].label.toLowerCase()} en curso: ${same.folio}.`,
    )
  if (mine[0]) refuse('already-exists', `A esa hora ya ${have(booker)} otra cita: ${mine[0].folio}.`)
}

const have = ({ isCaller }: Booker) => (isCaller ? 'tiene' : 'tienes')

/** Says when the address is no longer the one the slots were offered for. */
export async function refuseMoved(db: Db, { address, booker }: Wish) {
  if (!address) return
  const project = await openProjectOf(db, booker.customerId)
  if (project?.address?.id !== address.id || project.address.version !== address.version)
    refuse(
      'aborted',
      booker.isCaller
        ? 'El domicilio cambió mientras agendabas.'
        : 'Tu domicilio cambió mientras agendabas. Vuelve a elegir un horario.',
    )
}

/** The refusal that helps: why it can't be, and what is still free, nearest first. */
export async function noOneLeft(
  db: Db,
  { placement }: Pick<Wish, 'placement'>,
  { ask }: Question,
  now: Date,
): Promise<never> {
  const nearest = await nearestSlots(db, placement, now)
  const details = { nearest: nearest.map((start) => toDate(start).toISOString()) }
  const [wrong] = whyNotThen(placement.start, ask)
  if (wrong)
    throw new Refusal('out-of-range', {
      title: 'Ese horario no se puede agendar',
      description: neverOffered(wrong.code, placement.start, ask),
      details,
    })
  throw new Refusal('already-exists', {
    title: 'Ese horario ya no está libre',
    description: 'Ese horario se acaba de ocupar.',
    details,
  })
}

/** Why a time is nobody's to offer, as its customer reads it. */
function neverOffered(code: ReasonCode, start: number, { now, service, settings }: Question['ask']): string {
  const { horizonDays, noticeHours } = settings.services[service]
  if (start < now) return 'Esa hora ya pasó. Elige otra de la lista.'
  if (code === 'notice') return `Falta muy poco: agenda con al menos ${noticeHours} horas de anticipación.`
  if (code === 'horizon') return `Esa fecha es muy lejana: puedes agendar hasta ${horizonDays} días adelante.`
  if (code === 'holiday') return 'Ese día es festivo y no damos servicio.'
  return code === 'hours' ? 'A esa hora no damos servicio.' : 'Elige uno de los horarios de la lista.'
}
