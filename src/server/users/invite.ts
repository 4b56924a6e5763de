import { and, eq, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { Refusal, refuse } from '../../domain/shared/refusal.ts'
import type { Invite } from '../../domain/users/schema.ts'
import { invitationDays, managesPeople } from '../../domain/users/user.ts'
import { newCode } from '../accounts/code.ts'
import { record } from '../platform/database/changes.ts'
import { type Db, type Tx, transaction } from '../platform/database/database.ts'
import { isId } from '../platform/database/ids.ts'
import { invitations, users } from '../platform/database/schema/account-schema.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { agencyIsActive, hasOpenProject } from './hold.ts'
import { holdInvitation, isPending } from './invitations.ts'

const day = 24 * 60 * 60 * 1000
const endOf = (now: Date) => new Date(now.getTime() + invitationDays * day)

/** Invites somebody to the team. The letter carries the code; here only its hash is kept. */
export const invite = (db: Db, actor: Actor, { email, kind, agencyId }: Invite, now: Date) =>
  byManager(db, actor, async (tx) => {
    const wish = { email, kind, agencyId: kind === 'alliate' ? agencyId : null }
    await refuseUseless(tx, wish)
    await tx
      .update(invitations)
      .set({ withdrawnAt: now })
      .where(and(eq(invitations.email, wish.email), isPending, sql`${invitations.expiresAt} <= ${now}`))
    const { id, code } = await writeInvitation(tx, wish, actor.id, now)
    await enqueue(tx, 'account-letter', { letter: 'invitation', invitationId: id, code })
  })

/** Writes an invitation and answers its code, which is kept nowhere else. */
export async function writeInvitation(tx: Tx, wish: Invite, invitedBy: string | null, now: Date) {
  const { code, hash } = newCode()
  const [made] = await tx
    .insert(invitations)
    .values({ ...wish, codeHash: hash, invitedBy, expiresAt: endOf(now) })
    .onConflictDoNothing()
    .returning({ id: invitations.id })
  if (!made) refuseEmail('already-exists', 'Ya hay una invitación abierta para este correo. Reenvíala.')
  await trace(tx, made.id, invitedBy, 'invite')
  return { id: made.id, code }
}

/** Sends it again with a new code and seven more days; the link before no longer serves. */
export const resendInvitation = (db: Db, actor: Actor, id: string, now: Date) =>
  byManager(db, actor, async (tx) => {
    await refuseUseless(tx, await holdPending(tx, id))
    const { code, hash } = newCode()
    await write(tx, id, { codeHash: hash, expiresAt: endOf(now) })
    await trace(tx, id, actor.id, 'resend')
    await enqueue(tx, 'account-letter', { letter: 'invitation', invitationId: id, code })
  })

/** Takes it back: its link says so from now on. */
export const withdrawInvitation = (db: Db, actor: Actor, id: string, now: Date) =>
  byManager(db, actor, async (tx) => {
    await holdPending(tx, id)
    await write(tx, id, { withdrawnAt: now })
    await trace(tx, id, actor.id, 'withdraw')
  })

async function byManager(db: Db, actor: Actor, run: (tx: Tx) => Promise<void>): Promise<void> {
  if (!managesPeople(actor)) refuse('permission-denied')
  await transaction(db, run)
  // Nobody is named: whoever sees every invitation hears of it.
  announce(db, { people: [], desk: false })
}

/** An invitation that could never be accepted is not sent. */
async function refuseUseless(tx: Tx, { email, agencyId }: Pick<Invite, 'email' | 'agencyId'>): Promise<void> {
  if (!(await agencyIsActive(tx, agencyId))) {
    const errors = { agencyId: 'Esa concesionaria no existe o está inactiva.' }
    refuse('failed-precondition', errors.agencyId, { errors })
  }
  const [user] = await tx.select().from(users).where(eq(users.email, email))
  if (!user) return
  if (user.role === 'staff')
    refuseEmail('already-exists', 'Esta persona ya es del equipo. Cambia su rol en su página.')
  if (!user.active)
    refuseEmail('failed-precondition', 'Esta persona tiene una cuenta inactiva. Actívala primero.')
  if (await hasOpenProject(tx, user.id))
    refuseEmail('failed-precondition', 'Esta persona es cliente y tiene un proyecto abierto.')
}

function refuseEmail(code: 'already-exists' | 'failed-precondition', email: string): never {
  throw new Refusal(code, { description: email, details: { errors: { email } } })
}

async function holdPending(tx: Tx, id: string) {
  const row = isId(id) ? await holdInvitation(tx, eq(invitations.id, id)) : undefined
  if (!row) refuse('not-found')
  if (row.acceptedAt) refuse('failed-precondition', 'Esta invitación ya se aceptó.')
  if (row.withdrawnAt) refuse('failed-precondition', 'Esta invitación ya se había retirado.')
  return row
}

const write = (tx: Tx, id: string, set: Partial<typeof invitations.$inferInsert>) =>
  tx
    .update(invitations)
    .set({ ...set, version: sql`${invitations.version} + 1` })
    .where(eq(invitations.id, id))

const trace = (tx: Tx, entityId: string, actorId: string | null, name: string) =>
  record(tx, { entity: 'invitation', entityId, actorId, name })
