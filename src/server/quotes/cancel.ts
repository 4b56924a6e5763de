import { and, asc, eq } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { isActive } from '../../domain/appointments/appointment.ts'
import { appointmentMachine } from '../../domain/appointments/transitions.ts'
import type { Settings } from '../../domain/settings/settings-schema.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { cancelHeld } from '../appointments/cancel.ts'
import { type AppointmentRow, affectedUserIds, factsOf, lockAppointment } from '../appointments/transition.ts'
import { endUnfiledCases } from '../cfe/commands.ts'
import { cancelCharges } from '../payments/charges.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { quotes } from '../platform/database/schema/payments.ts'
import { projects } from '../platform/database/schema/projects.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { currentStaffing } from '../scheduling/roster.ts'
import {
  factsOfQuote,
  freeBenefit,
  judge,
  type LockedQuote,
  lockQuote,
  type QuoteRow,
  quoteAffectedUserIds,
  transitionQuote,
} from './changes.ts'

export type CancellingQuote = { version: number; reason: string }

/**
 * Ends what was accepted, before its installation begins: by its customer or a manager. A booked installation is cancelled
 * with it, and so is its extra work; what was still asked for is asked for no more, and what was paid is proposed for a
 * refund. The same form sent twice is one change.
 */
export async function cancelQuote(
  db: Db,
  actor: Actor,
  id: string,
  { reason, version }: CancellingQuote,
  now: Date,
): Promise<QuoteRow> {
  const { settings } = await currentStaffing(db)
  const [cancelled, freed] = await transaction(db, async (tx) => {
    const held = await lockQuote(tx, actor, id)
    const { quote } = held
    if (quote.state === 'cancelled' && quote.version > version && quote.reason === reason)
      return [quote, []] as const
    judge('cancel', actor, held, version, now)
    const freed =
      quote.kind === 'installation' ? await cancelInstallation(tx, actor, quote, reason, now, settings) : []
    const moved = await transitionQuote(tx, actor, held, 'cancel', now, { endedAt: now, reason }, { reason })
    const extra = quote.kind === 'installation' ? await cancelExtraWork(tx, actor, held, reason, now) : []
    if (quote.kind === 'installation') {
      await tx.update(projects).set({ quoteAcceptedAt: null }).where(eq(projects.id, quote.projectId))
      await freeBenefit(tx, quote.projectId)
      await endUnfiledCases(tx, quote.projectId, `Se canceló la cotización: ${reason}`, now)
    }
    // Its own first: a refund is judged by the terms of the quote that it names.
    for (const ended of [id, ...extra])
      await cancelCharges(tx, ended, `Se canceló la cotización: ${reason}`, now)
    await enqueue(tx, 'letter', { letter: 'quote_cancelled', quoteId: id, to: 'customer' })
    await enqueue(tx, 'letter', { letter: 'quote_cancelled', quoteId: id, to: 'maker' })
    return [moved, freed] as const
  })
  announce(db, { people: [...quoteAffectedUserIds(cancelled), ...freed.flatMap(affectedUserIds)] })
  return cancelled
}

/** What is booked of it. Past the limit it counts as cancelled late; whoever is on the way already has to be called. */
async function cancelInstallation(
  tx: Tx,
  actor: Actor,
  { projectId }: QuoteRow,
  reason: string,
  now: Date,
  settings: Settings,
): Promise<AppointmentRow[]> {
  const booked = await tx
    .select({ id: appointments.id, state: appointments.state })
    .from(appointments)
    .where(and(eq(appointments.projectId, projectId), eq(appointments.service, 'installation')))
  const cancelled: AppointmentRow[] = []
  for (const { id } of booked.filter(({ state }) => isActive(state))) {
    const held = await lockAppointment(tx, actor, id)
    if (held.state === 'en_route') refuse('failed-precondition', onTheWay)
    const late =
      actor.role === 'customer' && !appointmentMachine.can('cancel', actor, factsOf(held, settings), now)
    const why = actor.role === 'customer' ? ('cliente_se_arrepiente' as const) : ('otro' as const)
    const wish = { reason: why, note: `Se canceló la cotización: ${reason}`, late }
    cancelled.push(held, await cancelHeld(tx, actor, held, wish, now, settings))
  }
  return cancelled
}

/** What was agreed for an installation that is not made any more. Answers the ids. */
async function cancelExtraWork(
  tx: Tx,
  actor: Actor,
  { project }: LockedQuote,
  reason: string,
  now: Date,
): Promise<string[]> {
  const ofProject = and(eq(quotes.projectId, project.id), eq(quotes.kind, 'extra_work'))
  const agreed = await tx
    .select()
    .from(quotes)
    .where(and(ofProject, eq(quotes.state, 'accepted')))
    .orderBy(asc(quotes.acceptedAt))
    .for('update')
  for (const quote of agreed) {
    const held = { quote, facts: await factsOfQuote(tx, quote, project) }
    await transitionQuote(tx, actor, held, 'cancel', now, { endedAt: now, reason }, { reason })
  }
  return agreed.map(({ id }) => id)
}

const onTheWay = 'El técnico ya va en camino a instalar. Llámanos y lo vemos contigo.'
