import type { Actor } from '../../domain/access/actor.ts'
import type { NoShow } from '../../domain/appointments/schema.ts'
import { asksFacade } from '../../domain/reports/photos.ts'
import { localDate, minuteAt, toDate, toMinutes } from '../../domain/shared/calendar.ts'
import { clockText } from '../../domain/shared/format.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Db, transaction } from '../platform/database/database.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { facadeOf } from '../platform/storage/queries.ts'
import { askToCallCustomer } from '../projects/call-customer.ts'
import { askForNextStep } from '../projects/next-step.ts'
import { concernedBy, type Held, hold, write } from './appointments-changes.ts'

/** The customer isn't there, and did not answer a call made at `calledAt`, a time of the appointment's day. Whoever went has put a photo of the façade beside it. */
export async function noShow(
  db: Db,
  actor: Actor,
  id: string,
  { calledAt, note }: NoShow,
  now: Date,
): Promise<Held> {
  const moved = await transaction(db, async (tx) => {
    const held = await hold(tx, actor, id)
    const called = toDate(minuteAt(localDate(toMinutes(held.startsAt)), clockText(calledAt)))
    const set = { closingReason: 'cliente_no_disponible', closingNote: note, finishedAt: now } as const
    const after = await write(tx, actor, held, 'noShow', now, set, { data: { calledAt: called } })
    if (called > now)
      refuse('invalid-argument', undefined, { errors: { calledAt: 'Esa hora todavía no llega.' } })
    if (asksFacade(actor, held.service) && !(await facadeOf(tx, actor, id)))
      refuse('invalid-argument', undefined, { errors: { photo: 'Toma una foto de la fachada.' } })
    await enqueue(tx, 'letter', { letter: 'no_show', appointmentId: id, to: 'customer' })
    await askForNextStep(tx, after, 'no_show')
    return after
  })
  announce(db, { people: concernedBy(moved) })
  return moved
}

/** Its customer says that nobody came: an urgent task, and a letter for the managers and for them. Said again, it is the same one. */
export async function nobodyCame(db: Db, actor: Actor, id: string, now: Date): Promise<Held> {
  const moved = await transaction(db, async (tx) => {
    const held = await hold(tx, actor, id)
    if (held.nobodyCameAt !== null) return held
    const after = await write(tx, actor, held, 'nobodyCame', now, { nobodyCameAt: now })
    await askToCallCustomer(tx, after, {
      subject: `Nadie llegó a la cita ${after.folio}`,
      reason: 'nobody_came',
    })
    for (const to of ['managers', 'customer'] as const)
      await enqueue(tx, 'letter', { letter: 'nobody_came', appointmentId: id, to })
    return after
  })
  announce(db, { people: concernedBy(moved) })
  return moved
}
