import { and, eq, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { type QuoteKind, quoteKindFrom, whyNoQuote } from '../../domain/quotes/quote.ts'
import type { Answers } from '../../domain/reports/report.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { customer } from '../appointments/people.ts'
import { visibleTo } from '../appointments/visible.ts'
import type { Queryable, Tx } from '../platform/database/database.ts'
import { isId } from '../platform/database/ids.ts'
import { appointments } from '../platform/database/schema/appointment-schema.ts'
import { projects } from '../platform/database/schema/project-schema.ts'
import { sheets } from '../platform/database/schema/sheet-schema.ts'
import { answersOf } from '../reports/prefilled.ts'

/** The visit or installation that a quote is written from, as the office sees it. */
export type Ground = {
  appointment: Pick<typeof appointments.$inferSelect, 'id' | 'folio' | 'service' | 'state'>
  kind: QuoteKind
  projectId: string
  customerId: string
  customer: string
  /** What the visit's report says; nothing of an installation. */
  answers: Answers
  /** Why no quote can be written, in words; null when one can. */
  why: string | null
}

/** What a quote is written from, as far as the actor may see it; null where there is nothing to write from. */
export async function groundFor(db: Queryable, actor: Actor, appointmentId: string): Promise<Ground | null> {
  if (!isId(appointmentId)) return null
  const isAlly = actor.kind === 'alliate'
  const [found] = await db
    .select({
      appointment: appointments,
      project: projects,
      // An ally is told a first name, and nothing to speak for a client with.
      customer: isAlly ? sql<string>`coalesce(${customer.name}, '')` : customer.fullName,
      report: sheets.state,
    })
    .from(appointments)
    .innerJoin(projects, eq(projects.id, appointments.projectId))
    .innerJoin(customer, eq(customer.id, appointments.customerId))
    .leftJoin(sheets, eq(sheets.appointmentId, appointments.id))
    .where(and(eq(appointments.id, appointmentId), visibleTo(actor)))
  const kind = found && quoteKindFrom[found.appointment.service]
  if (!kind) return null
  const { id, service, state } = found.appointment
  const folio = isAlly ? '' : found.appointment.folio
  const answers = service === 'technical_visit' ? await answersOf(db, id) : {}
  const { closedAt, customerId, id: projectId } = found.project
  return {
    ...{ appointment: { id, folio, service, state }, kind, projectId, customerId, answers },
    customer: found.customer,
    why: whyNoQuote({
      ...{ service, state, report: found.report },
      isViable: answers.feasibility !== 'not_viable',
      isProjectClosed: closedAt !== null,
    }),
  }
}

/** The same with its project held, as every writer of money holds it first; refuses where no quote can be written. */
export async function holdGround(tx: Tx, actor: Actor, appointmentId: string): Promise<Ground> {
  const seen = (await groundFor(tx, actor, appointmentId)) ?? refuse('not-found')
  await tx.select({ id: projects.id }).from(projects).where(eq(projects.id, seen.projectId)).for('update')
  // What was true before it was held may not be any more.
  const ground = (await groundFor(tx, actor, appointmentId)) ?? refuse('not-found')
  return ground.why === null ? ground : refuse('failed-precondition', ground.why)
}
