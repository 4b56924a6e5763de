import { eq } from 'drizzle-orm'
import { type Db, transaction } from '../database/database.ts'
import { events, users } from '../database/schema.ts'
import { endSessions } from './end-sessions.ts'

/** Makes an existing account a manager and ends its sessions; answers what was done, or what to do first. */
export async function promoteManager(db: Db, given: string, baseUrl: string): Promise<string> {
  const email = given.trim().toLowerCase()
  if (!/^\S+@\S+$/.test(email)) return 'Escribe el correo: npm run manager -- correo@dominio'
  return transaction(db, async (tx) => {
    const [user] = await tx.select().from(users).where(eq(users.email, email)).for('update')
    if (!user)
      return `Nadie se ha registrado con ${email}. Crea la cuenta en ${baseUrl}/signup y vuelve a correr este comando.`
    if (user.kind === 'manager') return `${email} ya es Manager.`
    await tx
      .update(users)
      .set({ role: 'staff', kind: 'manager', agencyId: null, version: user.version + 1 })
      .where(eq(users.id, user.id))
    await endSessions(tx, user.id)
    await tx.insert(events).values({
      entity: 'user',
      entityId: user.id,
      name: 'promote',
      fromState: user.kind ?? user.role,
      toState: 'manager',
    })
    return `${email} ahora es Manager. Inicia sesión en ${baseUrl}/signin`
  })
}
