import { and, eq, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/actor.ts'
import { activeStates } from '../../domain/appointment.ts'
import { toDate } from '../../domain/calendar.ts'
import { Refusal, refuse } from '../../domain/refusal.ts'
import { serviceFacts } from '../../domain/services.ts'
import type { Db } from '../database/database.ts'
import { appointments } from '../database/schema.ts'
import { openProjectOf } from '../projects/queries.ts'
import { nearestSlots, type Question } from '../scheduling/choose.ts'
import type { Wish } from './wish.ts'

/** Says when the customer's own appointments are what stands in the way. */
export async function refuseOwnClash(
  db: Db,
  actor: Actor,
  { service, projectId, placement }: Wish,
  { ask }: Question,
) {
  const { minutes } = ask.settings.services[service]
  const mine = await db
    .select({ service: appointments.service, projectId: appointments.projectId, folio: appointments.folio })
    .from(appointments)
    .where(
      and(
        eq(appointments.customerId, actor.id),
        sql`${appointments.state} = any(${sql.param([...activeStates])}::text[])`,
        sql`(${appointments.service} = ${service} and ${appointments.projectId} = ${projectId} or ${appointments.during} && visit_range(${toDate(placement.start)}, ${minutes}))`,
      ),
    )
  const same = mine.find((one) => one.service === service && one.projectId === projectId)
  if (same)
    refuse(
      'already-exists',
      `Ya tienes una ${serviceFacts[service].label.toLowerCase()} en curso: ${same.folio}.`,
    )
  if (mine[0]) refuse('already-exists', `A esa hora ya tienes otra cita: ${mine[0].folio}.`)
}

/** Says when the address is no longer the one the slots were offered for. */
export async function refuseMoved(db: Db, actor: Actor, { address }: Wish) {
  const project = await openProjectOf(db, actor.id)
  if (project?.address?.id !== address.id || project.address.version !== address.version)
    refuse('aborted', 'Tu domicilio cambió mientras agendabas. Vuelve a elegir un horario.')
}

/** The refusal that helps: what is still free, nearest first. */
export async function noOneLeft(db: Db, { placement }: Wish, now: Date): Promise<never> {
  const nearest = await nearestSlots(db, placement, now)
  throw new Refusal('already-exists', {
    title: 'Ese horario ya no está libre',
    description: 'Ese horario se acaba de ocupar.',
    details: { nearest: nearest.map((start) => toDate(start).toISOString()) },
  })
}
