import { eq, sql } from 'drizzle-orm'
import { type Actor, hasName } from '../../domain/access/actor.ts'
import { failed, Refusal, type Result, refuse } from '../../domain/shared/refusal.ts'
import type { NewUser } from '../../domain/users/schema.ts'
import type { Decisions } from '../../domain/users/staffing-change.ts'
import { type AccessProfile, managesPeople, type RoleChoice, roleOf } from '../../domain/users/user.ts'
import { noteConsent } from '../accounts/provider.ts'
import { log } from '../app/stop.ts'
import { type Db, databaseRefusal, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { announce } from '../platform/live/announcements.ts'
import { lockingAllStaffing } from '../scheduling/choose.ts'
import { applyInvitation, type Claim, writeAccess } from './accept.ts'
import { changeStaffing } from './change.ts'
import { lockedInvitation, lockUser, type UserRow } from './invite.ts'

/** That a customer wants notices by WhatsApp, with the version of the privacy notice that said how. */
type Agreed = { version: string }

/**
 * Creates the user with profile data (specification §7): name, last name and phone, and createdAt by the database's own
 * clock, in one transaction. With an invitation, and only then, the role is its.
 */
export const createUser = (
  db: Db,
  actor: Actor,
  profile: NewUser,
  claim: Claim,
  agreed: Agreed | null = null,
) =>
  toResult(async () => {
    const creating = (tx: Tx) => create(tx, actor, profile, claim, agreed)
    // Of somebody who stays a customer no roster speaks.
    const first = profile.role !== '' || actor.role === 'staff' ? lockingAllStaffing : ''
    await transaction(db, creating, first)
    announce(db, { people: [actor.id] })
  })

async function create(
  tx: Tx,
  actor: Actor,
  profile: NewUser,
  claim: Claim,
  agreed: Agreed | null,
): Promise<void> {
  const person = await lockUser(tx, actor.id)
  if (hasName(person)) refuse('failed-precondition', 'Tu perfil ya estaba completo.')
  const invited = await wantsInvitation(tx, person, profile.role, claim)
  const { name, lastname, phone } = profile
  await tx
    .update(users)
    .set({ name, lastname, phone, createdAt: sql`now()`, version: sql`${users.version} + 1` })
    .where(eq(users.id, actor.id))
  await record(tx, { entity: 'user', entityId: actor.id, actorId: actor.id, name: 'complete_profile' })
  if (invited) await applyInvitation(tx, person, claim)
  else if (agreed && actor.role === 'customer') await agreeToWhatsapp(tx, actor.id, agreed, claim.now)
}

async function agreeToWhatsapp(tx: Tx, userId: string, { version }: Agreed, now: Date): Promise<void> {
  await tx.update(users).set({ whatsappOptInAt: now }).where(eq(users.id, userId))
  noteConsent(tx, { userId, kind: 'whatsapp', given: true, version, source: 'completion' })
}

/** Whether a form's role is to be applied. Customer is everybody's; any other value must be the invitation's own. */
async function wantsInvitation(tx: Tx, person: UserRow, role: string, claim: Claim): Promise<boolean> {
  if (role === '' || role === 'customer') return false
  const invitation = await lockedInvitation(tx, person, claim)
  return invitation?.kind === role || refuse('permission-denied', 'Ese rol solo lo da una invitación.')
}

/** Runs an operation of the store: whatever it throws becomes its answer, a bug too, which goes to the log. */
export async function toResult<T>(run: () => Promise<T>): Promise<Result<T>> {
  try {
    return { ok: true, value: await run() }
  } catch (error) {
    if (error instanceof Refusal) return failed(error)
    const refusal = databaseRefusal(error)
    if (refusal) return failed(refusal)
    log.error({ err: error }, 'an operation of the store failed')
    return failed(new Refusal('unknown'))
  }
}

/** What comes with every change of a person: the version it was decided on, and what was said to its consequences. */
export type ChangeTerms = {
  version: number
  confirmed: boolean
  /** What becomes of the appointments that it takes them off. */
  decisions: Decisions
  now: Date
}

/** Updates role and kind (specification §7); an ally also gets an agency, anybody else none. */
export const updateRoleAndKind = (
  db: Db,
  actor: Actor,
  uid: string,
  { choice, agencyId }: { choice: RoleChoice; agencyId: string | null },
  terms: ChangeTerms,
) =>
  toResult(() =>
    change(db, actor, uid, terms, () => ({
      ...roleOf(choice),
      agencyId: choice === 'alliate' ? agencyId : null,
    })),
  )

/** Updates the agency of an affiliate (specification §7). */
export const updateAgency = (db: Db, actor: Actor, uid: string, agencyId: string, terms: ChangeTerms) =>
  toResult(() =>
    change(db, actor, uid, terms, ({ kind }) =>
      kind === 'alliate'
        ? { agencyId }
        : refuse('failed-precondition', 'Solo un aliado tiene concesionaria.'),
    ),
  )

/** Lets somebody in, or keeps them out from now on. */
export const updateActive = (db: Db, actor: Actor, uid: string, active: boolean, terms: ChangeTerms) =>
  toResult(() => change(db, actor, uid, terms, () => ({ active })))

/** What it takes somebody off is settled with it, or it is refused with the list (`changeStaffing`). */
async function change(
  db: Db,
  actor: Actor,
  uid: string,
  { version, confirmed, now, decisions }: ChangeTerms,
  wish: (person: UserRow) => Partial<AccessProfile>,
): Promise<void> {
  if (!managesPeople(actor)) refuse('permission-denied')
  await changeStaffing(db, actor, {
    ...decisions,
    now,
    change: async (tx) => {
      const person = await lockUser(tx, uid)
      if (person.version !== version) refuse('aborted')
      await writeAccess(tx, person, wish(person), { actorId: actor.id, confirmed, now })
    },
  })
  announce(db, { people: [uid] })
}
