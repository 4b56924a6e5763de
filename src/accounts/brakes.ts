import { and, eq, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { type Db, isId, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { closedNetworks, sessions, users } from '../platform/database/schema/accounts.ts'
import { networkOf } from '../platform/http/network.ts'
import { announce } from '../platform/live/announcements.ts'
import { currentContext } from '../platform/telemetry/log.ts'
import { refuse } from '../shared/refusal.ts'
import { managesPeople } from '../users/rules/user.ts'
import { endSessions } from './providers.ts'
import { brakeDays, canBeBraked, closedMinutes, type DeskAct, restoreMinutes } from './rules/security.ts'

/** What each act changes of a person, by their id, or of a network. */
const changes: Record<
  DeskAct,
  (tx: Tx, about: string, closedBy: string) => Promise<{ rowCount: number | null }>
> = {
  /** For some days the account looks, pays and calls, but does not book, move, invite or change its e-mail. */
  brake: async (tx, id) => {
    const [person] = await tx.select().from(users).where(eq(users.id, id)).for('update')
    if (!canBeBraked(person ?? refuse('not-found')))
      refuse('failed-precondition', 'A alguien del equipo no se le frena: se desactiva su cuenta.')
    const brakedUntil = sql`now() + make_interval(days => ${brakeDays})`
    return tx.update(users).set({ brakedUntil }).where(eq(users.id, id))
  },
  release_brake: (tx, id) =>
    tx
      .update(users)
      .set({ brakedUntil: null })
      .where(and(eq(users.id, id), sql`${users.brakedUntil} > now()`)),
  /** Also of a technician on site: what their phone has not sent stays on it. */
  end_sessions: async (tx, id) => {
    const rowCount = await tx.$count(
      sessions,
      and(eq(sessions.userId, id), sql`${sessions.expiresAt} > now()`),
    )
    await endSessions(tx, id, { isUndoable: true })
    return { rowCount }
  },
  /** Links that ended with the sessions stay ended. */
  restore_sessions: (tx, id) => {
    const isRecent = sql`${sessions.formerExpiresAt} > now() and ${sessions.expiresAt} > now() - make_interval(mins => ${restoreMinutes})`
    return tx
      .update(sessions)
      .set({ expiresAt: sql`${sessions.formerExpiresAt}`, formerExpiresAt: null })
      .where(and(eq(sessions.userId, id), isRecent))
  },
  /** From there no one signs in, signs up or recovers, but who is known (`countTry`). */
  close_network: async (tx, network, closedBy) => {
    if (network === currentContext().network)
      refuse('failed-precondition', 'Esa es la red desde la que estás conectado: no se puede cerrar.')
    const name = await staffAt(tx, network)
    if (name)
      refuse(
        'failed-precondition',
        `Desde esa red está conectado ${name}. Si no es quien dice ser, cierra antes sus sesiones.`,
      )
    const set = { until: sql`now() + make_interval(mins => ${closedMinutes})`, closedBy }
    return tx
      .insert(closedNetworks)
      .values({ network, ...set })
      .onConflictDoUpdate({ target: closedNetworks.network, set })
  },
  open_network: (tx, network) => tx.delete(closedNetworks).where(eq(closedNetworks.network, network)),
}

/** The name of one of the staff with an open session from a network. */
async function staffAt(tx: Tx, network: string): Promise<string | undefined> {
  const open = await tx
    .select({ address: sessions.ipAddress, name: users.fullName })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(users.role, 'staff'), sql`${sessions.expiresAt} > now()`))
  return open.find(({ address }) => address && networkOf(address) === network)?.name
}

/** Why an act changes nothing. */
const nothing: Record<DeskAct, string> = {
  brake: 'Esa cuenta ya no está.',
  release_brake: 'Esa cuenta ya no tiene freno.',
  end_sessions: 'No tiene sesiones abiertas.',
  restore_sessions: 'Ya no hay sesiones que devolver. Pídele que inicie sesión otra vez.',
  close_network: 'Esa red ya está cerrada.',
  open_network: 'Esa red ya está abierta.',
}

/** One act of the manager's at the desk; the history of that person, or for a network the manager's own, keeps it. */
export async function actAtDesk(db: Db, actor: Actor, name: DeskAct, about: string): Promise<void> {
  if (!managesPeople(actor)) refuse('permission-denied')
  if (about === actor.id) refuse('failed-precondition', 'Esto no se hace con la cuenta propia.')
  const isNetwork = name.endsWith('network')
  const entityId = isNetwork ? actor.id : about
  if (!isId(entityId)) refuse('not-found')
  await transaction(db, async (tx) => {
    const { rowCount } = await changes[name](tx, about, actor.id)
    if (rowCount === 0) refuse('failed-precondition', nothing[name])
    const reason = isNetwork ? about : null
    await record(tx, { entity: 'user', entityId, actorId: actor.id, name, reason })
  })
  announce(db, { people: [entityId], desk: false })
}
