import { and, desc, eq, inArray, isNotNull, or, sql } from 'drizzle-orm'
import { messageStates, statesBefore } from '../../domain/whatsapp.ts'
import { users } from '../database/account-schema.ts'
import { type Db, transaction } from '../database/database.ts'
import { whatsappMessages } from '../database/whatsapp-schema.ts'
import { record } from '../events/changes.ts'
import { announce } from '../live/announcements.ts'
import { noteConsent } from '../privacy/consents.ts'
import type { ToldStatus } from './told-input.ts'

/** Notes how far a message got; what comes late or twice changes nothing. */
export async function takeStatus(
  db: Db,
  { fault, messageId, status, wamid }: ToldStatus,
  now: Date,
): Promise<void> {
  await db
    .update(whatsappMessages)
    .set({ state: status, stateAt: now, wamid, ...(fault && { fault }) })
    .where(
      and(
        or(eq(whatsappMessages.wamid, wamid), messageId ? eq(whatsappMessages.id, messageId) : undefined),
        inArray(whatsappMessages.state, [...statesBefore(status)]),
      ),
    )
}

/** Whoever answers BAJA is written to no more: each customer with that phone, once. A form that was open before says so when it is saved. */
export async function takeOptOut(db: Db, phone: string, version: string): Promise<void> {
  const gone = await transaction(db, async (tx) => {
    const rows = await tx
      .update(users)
      .set({ whatsappOptInAt: null, version: sql`${users.version} + 1` })
      .where(and(eq(users.phone, phone), isNotNull(users.whatsappOptInAt)))
      .returning({ id: users.id })
    for (const { id: userId } of rows) {
      noteConsent(tx, { userId, kind: 'whatsapp', given: false, version, source: 'whatsapp' })
      const data = { whatsapp: false }
      await record(tx, { entity: 'user', entityId: userId, actorId: userId, name: 'choose_notices', data })
    }
    return rows
  })
  announce(db, { people: gone.map(({ id }) => id), desk: false })
}

/** The messages of somebody's, the newest first, for themselves to read: what they said is kept nowhere. */
export async function ownMessages(db: Db, userId: string) {
  const rows = await db
    .select()
    .from(whatsappMessages)
    .where(eq(whatsappMessages.userId, userId))
    .orderBy(desc(whatsappMessages.id))
  return rows.map(({ createdAt, state, stateAt, template }) => ({
    Mensaje: template,
    Estado: messageStates[state],
    Pedido: createdAt,
    'Último cambio': stateAt,
  }))
}
