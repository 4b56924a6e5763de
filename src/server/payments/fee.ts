import { and, eq, inArray, isNull, notInArray, sql } from 'drizzle-orm'
import { activeStates } from '../../domain/appointments/appointment.ts'
import type { MoveName } from '../../domain/appointments/transitions.ts'
import type { FeeOutcome } from '../../domain/payments/ledger.ts'
import { openPaymentStates } from '../../domain/payments/payment.ts'
import type { Settings } from '../../domain/settings/settings-schema.ts'
import { money } from '../../domain/shared/format.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { hasFreeVisit } from '../agencies/client-invitations.ts'
import type { Queryable, Tx } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { appointments, faults } from '../platform/database/schema/appointments.ts'
import { payments, quotes } from '../platform/database/schema/payments.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { editedSettings } from '../settings/queries.ts'
import { cancelChargeRows, syncCharges } from './apply-ledger.ts'
import { insertPayment, lockProject, type PaymentRow, updatePayment } from './payments-rows.ts'

const undecided = and(
  eq(payments.concept, 'visit_fee'),
  isNull(payments.feeOutcome),
  inArray(payments.state, [...openPaymentStates, 'paid']),
)

/**
 * What a visit would cost if it were booked now, IVA included, in centavos: nothing under warranty, by a code that makes it
 * free or once a quote is accepted, and nothing again where the fee of one that could not be finished goes on with the next.
 */
export async function visitFeeFor(
  db: Queryable,
  projectId: string | null,
  { visitFee }: Pick<Settings, 'visitFee'>,
): Promise<number> {
  if (visitFee.amount === 0 || projectId === null) return visitFee.amount
  const isFree =
    (await carriedFee(db, projectId)) ??
    ((await isPaidOtherwise(db, projectId)) || (await hasFreeVisit(db, projectId)))
  return isFree ? 0 : visitFee.amount
}

/** The fee of a visit that came to nothing of itself, and was not given back. */
async function carriedFee(db: Queryable, projectId: string): Promise<PaymentRow | null> {
  const active = db
    .select({ id: appointments.id })
    .from(appointments)
    .where(and(eq(appointments.projectId, projectId), inArray(appointments.state, [...activeStates])))
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.projectId, projectId), undecided, notInArray(payments.appointmentId, active)))
    .limit(1)
  return row ?? null
}

async function isPaidOtherwise(db: Queryable, projectId: string): Promise<boolean> {
  const accepted = and(eq(quotes.projectId, projectId), eq(quotes.state, 'accepted'))
  const installed = eq(appointments.projectId, projectId)
  const [quote] = await db.select({ id: quotes.id }).from(quotes).where(accepted).limit(1)
  const [fault] = await db
    .select({ id: faults.id })
    .from(faults)
    .innerJoin(appointments, eq(appointments.id, faults.appointmentId))
    .where(and(installed, isNull(faults.closedAt)))
    .limit(1)
  return quote !== undefined || fault !== undefined
}

type Visit = { id: string; projectId: string; customerId: string; startsAt: Date }

/** Asks for the fee of a visit that is being booked. `shown` is what its form said; a caller is told by whoever books. */
export async function createFeeCharge(
  tx: Tx,
  visit: Visit,
  settings: Pick<Settings, 'visitFee'>,
  shown: number | undefined,
  now: Date,
): Promise<void> {
  if (settings.visitFee.amount === 0 && !shown) return
  const { customerId, id: appointmentId, projectId } = visit
  await lockProject(tx, projectId)
  const carried = await carriedFee(tx, projectId)
  if (carried) await updatePayment(tx, carried, { appointmentId, dueAt: visit.startsAt })
  const amount = carried ? 0 : await visitFeeFor(tx, projectId, settings)
  if (shown !== undefined && shown !== amount)
    refuse(
      'aborted',
      `El precio de la visita cambió: ahora es ${amount === 0 ? 'gratis' : money(amount)}. Revísalo y vuelve a agendar.`,
    )
  if (amount === 0) return
  const asked = { concept: 'visit_fee', amount, dueAt: visit.startsAt } as const
  const row = await insertPayment(tx, { projectId, customerId, appointmentId, ...asked }, now)
  await record(tx, {
    ...{ entity: 'payment', entityId: row.id, actorId: null, name: 'demand', toState: 'pending' },
    data: { amount },
  })
  await enqueue(tx, 'letter', { letter: 'payment_due', paymentId: row.id, to: 'customer' })
}

type Ending = MoveName | 'notViable'
type Rule = (fee: Settings['visitFee']) => boolean
const givenBack: Rule = () => false
/** Whether the fee is kept, by how its visit ended. One that was begun and not finished goes on with the next visit. */
const kept: Partial<Record<Ending, Rule>> = {
  cancel: givenBack,
  letGo: givenBack,
  callOff: givenBack,
  cancelLate: ({ keptOnLateCancel }) => keptOnLateCancel,
  noShow: ({ keptOnNoShow }) => keptOnNoShow,
  notViable: ({ keptOnNotViable }) => keptOnNotViable,
}

/** A visit ended in a way that decides on its fee: what was paid is kept, or given back; what was not is asked for no more. */
export async function endFee(
  tx: Tx,
  { id, projectId }: Pick<Visit, 'id' | 'projectId'>,
  ending: Ending,
  now: Date,
): Promise<void> {
  const rule = kept[ending]
  const ofVisit = and(eq(payments.appointmentId, id), undecided)
  if (!rule || (await tx.$count(payments, ofVisit)) === 0) return
  await lockProject(tx, projectId)
  const { settings } = await editedSettings(tx)
  const feeOutcome: FeeOutcome = rule(settings.visitFee) ? 'kept' : 'returned'
  await cancelChargeRows(tx, and(ofVisit, eq(payments.state, 'pending')), 'La visita ya no se hace.', now)
  const decided = await tx
    .update(payments)
    .set({ feeOutcome, version: sql`${payments.version} + 1` })
    .where(ofVisit)
    .returning({ id: payments.id })
  for (const row of decided)
    await record(tx, {
      ...{ entity: 'payment', entityId: row.id, actorId: null, name: 'end_fee', reason: ending },
      data: { feeOutcome },
    })
  await syncCharges(tx, projectId, { reason: 'Te devolvemos lo que pagaste por tu visita.' }, now)
}
