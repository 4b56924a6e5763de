import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { type Actor, isAlly, isManager, isStaff, type StaffKind } from '../access/rules/actor.ts'
import { newCode } from '../accounts/limits.ts'
import { email as emailInput } from '../accounts/rules/schema.ts'
import { type Db, isId, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { invitations, users } from '../platform/database/schema/accounts.ts'
import { agencies, projects } from '../platform/database/schema/projects.ts'
import { hashOf } from '../platform/http/sealing.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { Refusal, refuse } from '../shared/refusal.ts'
import type { Invite } from './rules/schema.ts'
import { type InvitationState, invitationDays, invitationState, managesPeople } from './rules/user.ts'

const day = 24 * 60 * 60 * 1000
const endOf = (now: Date) => new Date(now.getTime() + invitationDays * day)

/** Invites a user to the team. The letter carries the code; only its hash is stored. */
export const invite = (db: Db, actor: Actor, { email, kind, agencyId }: Invite, now: Date) =>
  byManager(db, actor, async (tx) => {
    const input = { email, kind, agencyId: isAlly({ kind }) ? agencyId : null }
    await refuseUseless(tx, input)
    await tx
      .update(invitations)
      .set({ withdrawnAt: now })
      .where(and(eq(invitations.email, input.email), isPending, sql`${invitations.expiresAt} <= ${now}`))
    const { id, code } = await writeInvitation(tx, input, actor.id, now)
    await enqueue(tx, 'account-letter', { letter: 'invitation', invitationId: id, code })
  })

/** Writes an invitation and returns its code, which is stored nowhere else. */
export async function writeInvitation(tx: Tx, input: Invite, invitedBy: string | null, now: Date) {
  const { code, hash } = newCode()
  const [made] = await tx
    .insert(invitations)
    .values({ ...input, codeHash: hash, invitedBy, expiresAt: endOf(now) })
    .onConflictDoNothing()
    .returning({ id: invitations.id })
  if (!made) refuseEmail('already-exists', 'Ya hay una invitación abierta para este correo. Reenvíala.')
  await trace(tx, made.id, invitedBy, 'invite')
  return { id: made.id, code }
}

/** Sends it again with a new code and seven more days; the previous link stops working. */
export const resendInvitation = (db: Db, actor: Actor, id: string, now: Date) =>
  byManager(db, actor, async (tx) => {
    await refuseUseless(tx, await lockPending(tx, id))
    const { code, hash } = newCode()
    await write(tx, id, { codeHash: hash, expiresAt: endOf(now) })
    await trace(tx, id, actor.id, 'resend')
    await enqueue(tx, 'account-letter', { letter: 'invitation', invitationId: id, code })
  })

/** Withdraws it: its link says so from now on. */
export const withdrawInvitation = (db: Db, actor: Actor, id: string, now: Date) =>
  byManager(db, actor, async (tx) => {
    await lockPending(tx, id)
    await write(tx, id, { withdrawnAt: now })
    await trace(tx, id, actor.id, 'withdraw')
  })

async function byManager(db: Db, actor: Actor, run: (tx: Tx) => Promise<void>): Promise<void> {
  if (!managesPeople(actor)) refuse('permission-denied')
  await transaction(db, run)
  // No user is named: those who see every invitation are notified.
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
  if (isStaff(user))
    refuseEmail('already-exists', 'Esta persona ya es del equipo. Cambia su rol en su página.')
  if (!user.active)
    refuseEmail('failed-precondition', 'Esta persona tiene una cuenta inactiva. Actívala primero.')
  if (await hasOpenProject(tx, user.id))
    refuseEmail('failed-precondition', 'Esta persona es cliente y tiene un proyecto abierto.')
}

function refuseEmail(code: 'already-exists' | 'failed-precondition', email: string): never {
  throw new Refusal(code, { description: email, details: { errors: { email } } })
}

async function lockPending(tx: Tx, id: string) {
  const row = isId(id) ? await lockInvitation(tx, eq(invitations.id, id)) : undefined
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

/** The command's option for a manager who lost phone and recovery codes. */
export const withoutSecondFactor = '--without-second-factor'

/**
 * Invites a manager from the command line and returns the link, which works once. It replaces any pending invitation to
 * that e-mail. Refused when accepting it would change nothing.
 */
export async function inviteManager(db: Db, given: string, baseUrl: string, now: Date): Promise<string> {
  const parsed = emailInput.safeParse(given)
  if (!parsed.success) refuse('invalid-argument', 'Name the e-mail: npm run manager -- email@example.com')
  const email = parsed.data
  return transaction(db, async (tx) => {
    await refuseUselessManager(tx, email)
    await tx
      .update(invitations)
      .set({ withdrawnAt: now })
      .where(and(eq(invitations.email, email), isPending))
    const { code } = await writeInvitation(tx, { email, kind: 'manager', agencyId: null }, null, now)
    return `${baseUrl}/signup?invitacion=${code}`
  })
}

async function refuseUselessManager(tx: Tx, email: string): Promise<void> {
  const [user] = await tx.select().from(users).where(eq(users.email, email))
  if (!user) return
  if (!user.active) refuse('failed-precondition', `The account ${email} is inactive.`)
  if (isManager(user)) {
    const way = user.twoFactorEnabled
      ? ` If phone and recovery codes are lost: npm run manager -- ${email} ${withoutSecondFactor}`
      : ''
    refuse('already-exists', `${email} is already a manager.${way}`)
  }
  if (await hasOpenProject(tx, user.id))
    refuse('failed-precondition', `${email} is a customer with an open project: use another e-mail.`)
}

/** A user's row, held until the transaction ends. */
export type UserRow = typeof users.$inferSelect

/** Locks a user. Before a change of rights, the transaction began with `lockingAllStaffing`. */
export async function lockUser(tx: Tx, id: string): Promise<UserRow> {
  if (!isId(id)) refuse('not-found')
  const [person] = await tx
    .select()
    .from(users)
    .where(and(eq(users.id, id), isNull(users.deletedAt)))
    .for('no key update')
  if (person?.mergedIntoId)
    refuse('failed-precondition', 'Esta cuenta se unió con otra ficha: lo que cambies va en la que quedó.')
  return person ?? refuse('not-found')
}

/**
 * The number of active managers other than this user. They are locked in the order of their ids: of two changes that
 * would remove the last two at once, the second waits, and counts again.
 */
export async function lockOtherManagers(tx: Tx, id: string): Promise<number> {
  const managers = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.kind, 'manager'), users.active))
    .orderBy(users.id)
    .for('no key update')
  return managers.filter((manager) => manager.id !== id).length
}

/** Whether a customer has a project that is not closed. */
export async function hasOpenProject(tx: Tx, customerId: string): Promise<boolean> {
  const open = and(eq(projects.customerId, customerId), isNull(projects.closedAt))
  return (await tx.select({ id: projects.id }).from(projects).where(open).limit(1)).length > 0
}

/** Whether an agency takes allies; true without one. It can't be deactivated before this transaction ends. */
export async function agencyIsActive(tx: Tx, id: string | null): Promise<boolean> {
  if (id === null) return true
  const [agency] = await tx
    .select({ active: agencies.active })
    .from(agencies)
    .where(eq(agencies.id, id))
    .for('share')
  return agency?.active ?? false
}

export type Invitation = {
  id: string
  email: string
  kind: StaffKind
  agencyId: string | null
  agency: string | null
  invitedBy: string | null
  expiresAt: Date
  state: InvitationState
}

/** Neither accepted nor withdrawn: it can be accepted, or sent again once it has expired. */
const isPending = and(isNull(invitations.acceptedAt), isNull(invitations.withdrawnAt))

/** The open invitations, the first to expire first. Only the manager sees them. */
export async function pendingInvitations(db: Queryable, actor: Actor, now: Date): Promise<Invitation[]> {
  return managesPeople(actor) ? read(db, isPending, now) : []
}

/** The invitation of a link; null for an unknown or replaced code. */
export async function invitationOfCode(db: Queryable, code: string, now: Date): Promise<Invitation | null> {
  return (await read(db, eq(invitations.codeHash, hashOf(code)), now))[0] ?? null
}

/**
 * The open invitation that a user holds: to their e-mail, with the code of its letter. A verified e-mail is not enough,
 * since another user may have caused its verification.
 */
export async function lockedInvitation(
  db: Queryable,
  { email }: Pick<Actor, 'email'>,
  { code, now }: { code: string | null; now: Date },
): Promise<Invitation | null> {
  const byCode = code === null ? null : await invitationOfCode(db, code, now)
  return byCode?.state === 'open' && byCode.email === email ? byCode : null
}

/** The open invitation to an e-mail: its owner may learn that there is one; that gives no access. */
export async function openInvitationTo(db: Queryable, email: string, now: Date): Promise<Invitation | null> {
  const [found] = await read(db, and(eq(invitations.email, email), isPending), now)
  return found?.state === 'open' ? found : null
}

/** The row of an invitation, held until the transaction ends. */
export async function lockInvitation(tx: Tx, which: SQL | undefined) {
  const [row] = await tx.select().from(invitations).where(which).for('update')
  return row
}

async function read(db: Queryable, which: SQL | undefined, now: Date): Promise<Invitation[]> {
  const rows = await db
    .select({ invitation: invitations, agency: agencies.name })
    .from(invitations)
    .leftJoin(agencies, eq(agencies.id, invitations.agencyId))
    .where(which)
    .orderBy(asc(invitations.expiresAt), asc(invitations.id))
  return rows.map(({ invitation: { id, email, kind, agencyId, invitedBy, expiresAt, ...life }, agency }) => ({
    id,
    email,
    kind,
    agencyId,
    agency,
    invitedBy,
    expiresAt,
    state: invitationState({ ...life, expiresAt }, now),
  }))
}
