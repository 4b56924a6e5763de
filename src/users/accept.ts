import { and, eq, isNull, sql } from 'drizzle-orm'
import { type Actor, isCustomer, isStaff, type StaffKind } from '../access/rules/actor.ts'
import { customerBecameStaff } from '../accounts/changes.ts'
import { endSessions } from '../accounts/providers.ts'
import { activeStates } from '../appointments/rules/appointment.ts'
import { stateIn } from '../appointments/visibility.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import {
  dayStarts,
  invitations,
  personZones,
  shifts,
  users,
  visitCards,
} from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { busyCalendars } from '../platform/database/schema/staff.ts'
import { happened } from '../platform/follows.ts'
import { hashOf } from '../platform/http/sealing.ts'
import { announce } from '../platform/live/announcements.ts'
import { lockingAllStaffing } from '../scheduling/choose.ts'
import { Refusal, refuse } from '../shared/refusal.ts'
import {
  agencyIsActive,
  hasOpenProject,
  type Invitation,
  invitationOfCode,
  lockedInvitation,
  lockInvitation,
  lockOtherManagers,
  lockUser,
  openInvitationTo,
  type UserRow,
} from './invite.ts'
import {
  type AccessProfile,
  accessRefusal,
  closedInvitation,
  hasShifts,
  hasVisitCard,
  hasZones,
  type InvitationState,
  invitationState,
  roleOf,
} from './rules/user.ts'
import { dropStaffPapers } from './staff-papers.ts'

/** The proof that an invitation is the user's: the code of its letter. */
export type Claim = { code: string | null; sessionId: string | undefined; now: Date }

/** A complete account accepts its invitation: role and kind apply at once, and only this session continues. */
export async function acceptInvitation(db: Db, actor: Actor, claim: Claim): Promise<void> {
  const accepting = async (tx: Tx) => applyInvitation(tx, await lockUser(tx, actor.id), claim)
  await transaction(db, accepting, lockingAllStaffing)
  announce(db, { people: [actor.id] })
}

/**
 * Applies an invitation to a locked user, once: of two at the same time the second finds it used. The transaction began
 * with `lockingAllStaffing`, as every change of people does.
 */
export async function applyInvitation(tx: Tx, person: UserRow, claim: Claim): Promise<void> {
  const invitation = await holdClaimed(tx, person, claim)
  if (await hasAppointments(tx, person))
    refuse('failed-precondition', 'Tienes citas por atender. Pide a la gerencia que cambie tu rol.')
  await tx
    .update(invitations)
    .set({ acceptedAt: claim.now, acceptedBy: person.id, version: sql`${invitations.version} + 1` })
    .where(eq(invitations.id, invitation.id))
  await record(tx, {
    entity: 'invitation',
    entityId: invitation.id,
    actorId: person.id,
    name: 'accept',
    toState: invitation.kind,
  })
  // Only the mailbox received the code.
  if (!person.emailVerified)
    await tx.update(users).set({ emailVerified: true }).where(eq(users.id, person.id))
  const { agencyId, kind } = invitation
  await writeAccess(
    tx,
    { ...person, emailVerified: true },
    { ...roleOf(kind), agencyId },
    {
      actorId: person.id,
      now: claim.now,
      confirmed: true,
      ...(claim.sessionId && { keepSession: claim.sessionId }),
    },
  )
}

/** The user's open invitation; any other is refused with its reason. */
async function holdClaimed(tx: Tx, person: UserRow, { code, now }: Claim) {
  if (code === null)
    refuse(
      'failed-precondition',
      'Abre el enlace de la invitación que llegó a tu correo y acéptala desde ahí.',
    )
  const row = await lockInvitation(tx, eq(invitations.codeHash, hashOf(code)))
  if (!row) refuseClosed('unknown')
  if (row.email !== person.email)
    refuse('permission-denied', 'Esta invitación es para otro correo. Cierra sesión y entra con el suyo.')
  const state = invitationState(row, now)
  if (state !== 'open') refuseClosed(state)
  return row
}

/** Whether a staff member has appointments ahead: the manager decides who gets them. */
async function hasAppointments(tx: Tx, person: UserRow): Promise<boolean> {
  if (!isStaff(person)) return false
  const theirs = and(eq(appointments.assigneeId, person.id), stateIn(activeStates))
  return (await tx.select({ id: appointments.id }).from(appointments).where(theirs).limit(1)).length > 0
}

function refuseClosed(state: keyof typeof closedInvitation): never {
  throw new Refusal('failed-precondition', closedInvitation[state])
}

type By = {
  actorId: string
  now: Date
  /** The user confirmed the loss of access; asked only of a user who removes their own rights. */
  confirmed: boolean
  /** The session that continues; all other sessions of the user end. */
  keepSession?: string
}

/** Gives a locked user other rights: judged, written, recorded in the history, their sessions ended. */
export async function writeAccess(
  tx: Tx,
  person: UserRow,
  change: Partial<AccessProfile>,
  by: By,
): Promise<void> {
  const before = pick(person)
  const after: AccessProfile = { ...before, ...change }
  if (isSame(before, after)) return
  const refusal = accessRefusal({
    before,
    after,
    emailVerified: person.emailVerified,
    openProject: await hasOpenProject(tx, person.id),
    otherManagers: await lockOtherManagers(tx, person.id),
    agencyActive: await agencyIsActive(tx, after.agencyId),
    own: by.actorId === person.id,
    confirmed: by.confirmed,
  })
  if (refusal) throw refusal
  await tx
    .update(users)
    .set({
      ...after,
      // A customer who requested deletion and joined the team instead is not deleted if they ever leave it.
      ...(isStaff(after) && { deletionRequestedAt: null }),
      version: sql`${users.version} + 1`,
    })
    .where(eq(users.id, person.id))
  await tidyUp(tx, person, after)
  if (isCustomer(before) && isStaff(after))
    await happened(tx, customerBecameStaff, { customerId: person.id, actorId: by.actorId, now: by.now })
  for (const event of traces(before, after))
    await record(tx, { entity: 'user', entityId: person.id, actorId: by.actorId, ...event })
  await endSessions(tx, person.id, by.keepSession === undefined ? {} : { except: by.keepSession })
}

const pick = ({ role, kind, agencyId, active }: AccessProfile): AccessProfile => ({
  role,
  kind,
  agencyId,
  active,
})
const isSame = (before: AccessProfile, after: AccessProfile) =>
  JSON.stringify(pick(before)) === JSON.stringify(pick(after))

/**
 * Removes what the new rights do not need: shifts and zones of a user without appointments, the card and the day's start of
 * one who visits nobody, a superseded invitation.
 */
async function tidyUp(tx: Tx, { id, email }: UserRow, after: AccessProfile): Promise<void> {
  if (!after.active || !hasShifts(after.kind))
    await tx.delete(busyCalendars).where(eq(busyCalendars.personId, id))
  if (!hasShifts(after.kind)) await tx.delete(shifts).where(eq(shifts.personId, id))
  if (!after.active || !hasVisitCard(after.kind)) {
    await tx.delete(visitCards).where(eq(visitCards.userId, id))
    await tx.delete(dayStarts).where(eq(dayStarts.personId, id))
  }
  if (!hasZones(after.kind)) await tx.delete(personZones).where(eq(personZones.personId, id))
  if (!after.active || !hasZones(after.kind)) await dropStaffPapers(tx, id)
  if (!isStaff(after)) return
  const open = and(isNull(invitations.acceptedAt), isNull(invitations.withdrawnAt))
  await tx
    .update(invitations)
    .set({ withdrawnAt: sql`now()` })
    .where(and(eq(invitations.email, email), open))
}

/** The events of a change: one for the role, one for the active state. */
function traces(before: AccessProfile, after: AccessProfile) {
  const data = after.agencyId === before.agencyId ? null : { from: before.agencyId, to: after.agencyId }
  const fromState = before.kind ?? before.role
  const toState = after.kind ?? after.role
  return [
    ...(fromState !== toState ? [{ name: 'change_role', fromState, toState, data }] : []),
    ...(fromState === toState && data ? [{ name: 'change_agency', data }] : []),
    ...(before.active !== after.active ? [{ name: after.active ? 'activate' : 'deactivate' }] : []),
  ]
}

/** The invitation on a link's page: for whom it is, or why it cannot be accepted. */
type ShownInvitation =
  | { open: true; email: string; kind: StaffKind; agency: string | null }
  | { open: false; title: string; description: string }

const closed = (state: Exclude<InvitationState, 'open'> | 'unknown'): ShownInvitation => ({
  open: false,
  ...closedInvitation[state],
})

/** An invitation's link opened by a user who is not signed in. Reading it changes nothing. */
export async function invitationOfLink(db: Db, code: string, now: Date): Promise<ShownInvitation> {
  const found = await invitationOfCode(db, code, now)
  if (!found) return closed('unknown')
  return found.state === 'open' ? shown(found) : closed(found.state)
}

const shown = ({ email, kind, agency }: Invitation) => ({ open: true as const, email, kind, agency })

/** The invitation on a signed-in user's home page: their own, or the error of the link they opened. */
export type InvitationAtHome =
  | { is: 'yours'; kind: StaffKind; agency: string | null }
  | { is: 'anothers'; email: string }
  | { is: 'in-the-mail'; email: string }
  | { is: 'closed'; title: string; description: string }

export async function invitationAtHome(
  db: Db,
  actor: Actor,
  code: string | null,
  now: Date,
): Promise<InvitationAtHome | null> {
  const held = await lockedInvitation(db, actor, { code, now })
  if (held) return { is: 'yours', kind: held.kind, agency: held.agency }
  if (code === null) {
    const sent = actor.emailVerified ? await openInvitationTo(db, actor.email, now) : null
    return sent && { is: 'in-the-mail', email: sent.email }
  }
  const link = await invitationOfLink(db, code, now)
  return link.open ? { is: 'anothers', email: link.email } : { is: 'closed', ...link }
}

type Invited = { code: string; email: string; now: Date }

/**
 * Creates an account by an invitation's link: only for the invited e-mail, which the code from its mailbox proves. The
 * invitation stays open: completing the profile accepts it.
 */
export async function signUpInvited<Entered>(
  db: Db,
  { code, email, now }: Invited,
  signUp: () => Promise<Entered>,
): Promise<Entered> {
  const invitation = await invitationOfCode(db, code, now)
  const state = invitation?.state ?? 'unknown'
  if (state !== 'open') throw new Refusal('failed-precondition', closedInvitation[state])
  if (invitation?.email !== email) refuse('permission-denied', 'Esta invitación es para otro correo.')
  const entered = await signUp()
  // It is a new account: for a known e-mail the sign-up was refused.
  await transaction(db, async (tx) => {
    await tx.update(users).set({ emailVerified: true }).where(eq(users.email, email))
  })
  return entered
}
