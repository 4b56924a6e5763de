import { and, eq, inArray, sql } from 'drizzle-orm'
import { activeStates } from '../../domain/appointment.ts'
import { Refusal, refuse } from '../../domain/refusal.ts'
import { keptUntilHours, letGoAt } from '../../domain/unverified.ts'
import { users } from '../database/account-schema.ts'
import { appointments } from '../database/appointment-schema.ts'
import { type Db, type Tx, transaction } from '../database/database.ts'
import { enqueue } from '../jobs/jobs.ts'
import { announce } from '../live/announcements.ts'
import { log } from '../log.ts'
import { concernedBy, type Held, hold, write } from './changes.ts'
import { freedForGood } from './freed.ts'
import type { Wish } from './wish.ts'

/**
 * Whoever has not proved their mailbox has one active appointment, over all services. Their row is held, so that of two
 * bookings at once the later one sees the earlier. `false` when what they have is this very service's: that has words of its own.
 */
export async function mayHaveAnother(tx: Tx, wish: Wish): Promise<boolean> {
  const { customerId, isCaller } = wish.booker
  const [customer] = await tx
    .select({ emailVerified: users.emailVerified })
    .from(users)
    .where(eq(users.id, customerId))
    .for('no key update')
  if (customer?.emailVerified) return true
  const active = await tx
    .select({ service: appointments.service, projectId: appointments.projectId })
    .from(appointments)
    .where(and(eq(appointments.customerId, customerId), inArray(appointments.state, [...activeStates])))
  if (active.length === 0) return true
  if (active.some((one) => one.service === wish.service && one.projectId === wish.projectId)) return false
  if (isCaller)
    return refuse('failed-precondition', 'Mientras no confirme su correo puede tener una sola cita.')
  throw new Refusal('failed-precondition', {
    title: 'Confirma tu correo',
    description:
      'Mientras no confirmes tu correo puedes tener una sola cita. Abre el enlace que te mandamos, o pide otro aquí mismo.',
    details: { offers: 'verify-email' },
  })
}

/** Lets the appointments go whose customer still has not proved their mailbox when it is time. Answers how many. */
export async function letUnverifiedGo(db: Db, now: Date): Promise<number> {
  const soon = new Date(now.getTime() + keptUntilHours * 3_600_000)
  const waiting = await db
    .select({ id: appointments.id, bookedAt: appointments.createdAt, startsAt: appointments.startsAt })
    .from(appointments)
    .innerJoin(users, eq(users.id, appointments.customerId))
    .where(
      sql`${appointments.state} in ('requested', 'assigned') and not ${users.emailVerified}
        and ${appointments.startsAt} > ${now} and ${appointments.startsAt} <= ${soon}`,
    )
  let count = 0
  for (const { id } of waiting.filter(({ bookedAt, startsAt }) => letGoAt(bookedAt, startsAt) <= now)) {
    // One that fails must not keep the others waiting; the next run takes it up again.
    const gone = await letGo(db, id, now).catch((err) => {
      log.error({ err, appointment: id }, 'an appointment was not let go')
      return null
    })
    if (gone) count++
  }
  return count
}

async function letGo(db: Db, id: string, now: Date): Promise<Held | null> {
  const gone = await transaction(db, async (tx) => {
    const held = await hold(tx, 'system', id)
    const [customer] = await tx
      .select({ emailVerified: users.emailVerified })
      .from(users)
      .where(eq(users.id, held.customerId))
      .for('share')
    if (customer?.emailVerified) return null
    const closingNote = 'La cita se liberó porque el correo no se confirmó a tiempo.'
    const moved = await letGoWithin(tx, held, { closingNote, reason: 'unverified_email' }, now)
    await enqueue(tx, 'letter', { letter: 'let_go', appointmentId: id, to: 'customer' })
    return moved
  })
  if (gone) announce(db, { people: concernedBy(gone) })
  return gone
}

async function letGoWithin(
  tx: Tx,
  held: Held,
  { closingNote, reason }: { closingNote: string; reason: string },
  now: Date,
): Promise<Held> {
  const moved = await write(tx, 'system', held, 'letGo', now, { closingNote }, { reason })
  if (held.confirmedAt)
    await enqueue(tx, 'letter', { letter: 'cancelled', appointmentId: held.id, to: 'person' })
  await freedForGood(tx, held, now)
  return moved
}

/** Lets the appointments of an account go whose mailbox is somebody else's, whom no letter tells. One under way is refused. */
export async function letDisownedGo(tx: Tx, customerId: string, now: Date): Promise<Held[]> {
  const active = and(eq(appointments.customerId, customerId), inArray(appointments.state, [...activeStates]))
  const rows = await tx.select({ id: appointments.id }).from(appointments).where(active)
  const closingNote = 'La cita se liberó porque el correo no era de quien la agendó.'
  const gone: Held[] = []
  for (const { id } of rows)
    gone.push(await letGoWithin(tx, await hold(tx, 'system', id), { closingNote, reason: 'disowned' }, now))
  return gone
}
