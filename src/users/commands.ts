import { and, desc, eq, sql } from 'drizzle-orm'
import { type Actor, hasName, isAlly, isCustomer, isStaff } from '../access/rules/actor.ts'
import { wouldBeClaimed } from '../accounts/email-change.ts'
import { noteConsent } from '../accounts/privacy.ts'
import { forgetSecondFactor, holdSecondFactor } from '../accounts/second-factor.ts'
import type { Caller } from '../appointments/rules/schema.ts'
import { type Db, isId, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { assertVersion } from '../platform/database/versions.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { toResult } from '../platform/results.ts'
import { changeStaffing } from '../scheduling/change-staffing.ts'
import { lockingAllStaffing } from '../scheduling/choose.ts'
import { noMailbox } from '../shared/mailbox.ts'
import { Refusal, refuse } from '../shared/refusal.ts'
import { applyInvitation, type Claim, writeAccess } from './accept.ts'
import { lockedInvitation, lockUser, type UserRow } from './invite.ts'
import type { NewUser } from './rules/schema.ts'
import type { Decisions } from './rules/staffing-change.ts'
import { type AccessProfile, calledBy, managesPeople, type RoleChoice, roleOf } from './rules/user.ts'

/** A customer's consent to notices by WhatsApp, with the version of the privacy notice. */
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
    // No roster contains a user who stays a customer.
    const first = profile.role !== '' || isStaff(actor) ? lockingAllStaffing : ''
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
  else if (agreed && isCustomer(actor)) await agreeToWhatsapp(tx, actor.id, agreed, claim.now)
}

async function agreeToWhatsapp(tx: Tx, userId: string, { version }: Agreed, now: Date): Promise<void> {
  await tx.update(users).set({ whatsappOptInAt: now }).where(eq(users.id, userId))
  await noteConsent(tx, { userId, kind: 'whatsapp', given: true, version, source: 'completion' })
}

/** Whether a form's role is to be applied. Any user may be a customer; any other value must be the invitation's own. */
async function wantsInvitation(tx: Tx, person: UserRow, role: string, claim: Claim): Promise<boolean> {
  if (role === '' || isCustomer({ role })) return false
  const invitation = await lockedInvitation(tx, person, claim)
  return invitation?.kind === role || refuse('permission-denied', 'Ese rol solo lo da una invitación.')
}

/** The terms of every change of a user: the version it was decided on, and the decisions about its consequences. */
type ChangeTerms = {
  version: number
  confirmed: boolean
  /** The decisions for the appointments that the change takes from them. */
  decisions: Decisions
  now: Date
}

/** Updates role and kind (specification §7); an ally also gets an agency, anyone else none. */
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
      agencyId: isAlly(roleOf(choice)) ? agencyId : null,
    })),
  )

/** Updates the agency of an affiliate (specification §7). */
export const updateAgency = (db: Db, actor: Actor, uid: string, agencyId: string, terms: ChangeTerms) =>
  toResult(() =>
    change(db, actor, uid, terms, (person) =>
      isAlly(person) ? { agencyId } : refuse('failed-precondition', 'Solo un aliado tiene concesionaria.'),
    ),
  )

/** Activates a user, or deactivates them from now on. */
export const updateActive = (db: Db, actor: Actor, uid: string, active: boolean, terms: ChangeTerms) =>
  toResult(() => change(db, actor, uid, terms, () => ({ active })))

/** The appointments it takes from a user are settled with it, or it is refused with the list (`changeStaffing`). */
async function change(
  db: Db,
  actor: Actor,
  uid: string,
  { version, confirmed, now, decisions }: ChangeTerms,
  input: (person: UserRow) => Partial<AccessProfile>,
): Promise<void> {
  if (!managesPeople(actor)) refuse('permission-denied')
  await changeStaffing(db, actor, {
    ...decisions,
    now,
    change: async (tx) => {
      const person = await lockUser(tx, uid)
      await assertVersion(tx, actor, 'user', person, version)
      await writeAccess(tx, person, input(person), { actorId: actor.id, confirmed, now })
    },
  })
  announce(db, { people: [uid] })
}

/**
 * The manager removes the second factor and the passkeys of a user who lost their phone and their recovery codes; one's own is changed
 * on the account page.
 */
export async function removeSecondFactor(
  db: Db,
  actor: Actor,
  uid: string,
  { version, confirmed }: Pick<ChangeTerms, 'version' | 'confirmed'>,
): Promise<void> {
  if (!managesPeople(actor)) refuse('permission-denied')
  if (!isId(uid)) refuse('not-found')
  if (uid === actor.id)
    refuse('failed-precondition', 'El tuyo se desactiva en «Mi cuenta», con tu contraseña.')
  if (!confirmed)
    refuse('failed-precondition', 'Marca la casilla para confirmar que hablaste con esa persona.')
  await transaction(db, async (tx) => {
    // Locked before the user, as when users turn off their own: both lock in the same order.
    const on = await holdSecondFactor(tx, uid)
    const person = await lockUser(tx, uid)
    await assertVersion(tx, actor, 'user', person, version)
    if (!on) refuse('failed-precondition', 'Ya no tiene segundo factor ni llaves de acceso.')
    await forgetSecondFactor(tx, uid, actor.id)
    await enqueue(tx, 'account-letter', { letter: 'second_factor_off', userId: uid })
  })
  announce(db, { people: [uid], desk: false })
}

/**
 * The same for the operator of the server, by e-mail: the only manager has no other user to ask. A command sends no
 * letters.
 */
export async function removeSecondFactorOf(db: Db, given: string): Promise<void> {
  const email = given.trim().toLowerCase()
  await transaction(db, async (tx) => {
    const [person] = await tx.select({ id: users.id }).from(users).where(eq(users.email, email))
    if (!person || !(await holdSecondFactor(tx, person.id)))
      refuse('failed-precondition', `${email} has no second factor.`)
    await forgetSecondFactor(tx, person.id, null)
  })
}

/**
 * Creates an account for a caller, and has the letter sent by which its owner claims it; without a mailbox the office
 * hands over a link. The same caller sent twice is
 * one; a known e-mail under another name is refused, and a known phone until the caller is said to be another person.
 * Returns the customer's id.
 */
export async function createCustomer(
  tx: Tx,
  actor: Actor,
  { another, ...caller }: Caller,
  now: Date,
): Promise<string> {
  if (!managesPeople(actor)) refuse('permission-denied')
  const stamps = { signedUpAt: now, createdAt: now, updatedAt: now }
  // Of two who register one phone at once the second reads the first's record.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${caller.phone}, 726012))`)
  const mailbox = caller.email === null ? await withoutOne(tx) : { email: caller.email }
  const [made] = await tx
    .insert(users)
    .values({ ...caller, ...mailbox, ...stamps })
    .onConflictDoNothing()
    .returning({ id: users.id })
  if (made) {
    if (!another) await refuseKnownPhone(tx, { ...caller, ...mailbox })
    await record(tx, { entity: 'user', entityId: made.id, actorId: actor.id, name: 'create_for_caller' })
    if (caller.email !== null)
      await enqueue(tx, 'account-letter', { letter: 'claim_account', userId: made.id })
    return made.id
  }
  const ofEmail = sql`select coalesce(merged_into_id, id) from users where email = ${mailbox.email}`
  const [known] = await tx.select().from(users).where(sql`${users.id} in (${ofEmail})`)
  const isSame = isCustomer(known) && known.active && known.phone === caller.phone
  return isSame && known.name === caller.name && known.lastname === caller.lastname
    ? known.id
    : taken(known, known !== undefined && (await wouldBeClaimed(tx, known)))
}

/** The id and the e-mail of an account without a mailbox. */
async function withoutOne(tx: Tx) {
  const { rows } = await tx.execute<{ id: string }>(sql`select uuidv7() as id`)
  const { id } = rows[0]!
  return { id, email: noMailbox(id) }
}

type Known = Pick<UserRow, 'id' | 'name' | 'lastname' | 'email' | 'active' | 'role'>

/** The customers whom a refused form may have meant: the screen offers to go on with one of them. */
export type KnownCallers = { known: { id: string; name: string }[]; byPhone: boolean }

const asKnown = (known: readonly Known[]) => known.map((one) => ({ id: one.id, name: calledBy(one) }))
const mostKnown = 3

/** By the phone of a record that was merged, the customer that stands is meant. */
async function refuseKnownPhone(tx: Tx, { email, phone }: { email: string; phone: string }): Promise<void> {
  const ofPhone = sql`select coalesce(merged_into_id, id) from users where phone = ${phone} and email <> ${email}`
  const same = and(sql`${users.id} in (${ofPhone})`, eq(users.role, 'customer'), users.active)
  const found = await tx.select().from(users).where(same).orderBy(desc(users.createdAt)).limit(mostKnown)
  const [first] = found
  if (!first) return
  const details: KnownCallers = { known: asKnown(found), byPhone: true }
  throw new Refusal('already-exists', {
    title: 'Ya es cliente',
    description: `Ya existe ${calledBy(first)} con este teléfono: ¿es la misma persona?`,
    details,
  })
}

function taken(known: Known | undefined, isAnybodys: boolean): never {
  const errors = { email: `Ya hay una cuenta con este correo. ${whatNow(known, isAnybodys)}` }
  const found = isCustomer(known) && known.active ? asKnown([known]) : []
  throw new Refusal('already-exists', {
    title: 'Ya tiene cuenta',
    description: errors.email,
    details: { errors, known: found, byPhone: false } satisfies KnownCallers & { errors: object },
  })
}

/** Only an active customer can be booked for. */
function whatNow(known: Known | undefined, isAnybodys: boolean): string {
  if (isStaff(known)) return 'Es de alguien del equipo: pide otro correo.'
  if (known?.active === false) return 'Está desactivada: actívala en Usuarios.'
  return isAnybodys
    ? 'Nadie ha confirmado ese correo: al guardar la pasamos a quien llama.'
    : 'Sigue con esa persona, o pide otro correo.'
}
