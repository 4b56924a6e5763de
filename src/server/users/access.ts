import { and, eq, isNull, sql } from 'drizzle-orm'
import { type Access, accessRefusal, hasShifts, hasZones } from '../../domain/users/user.ts'
import { endSessions } from '../accounts/end-sessions.ts'
import { eraseSecondFactor } from '../accounts/forget-second-factor.ts'
import { endTie } from '../agencies/attribute.ts'
import { record } from '../platform/database/changes.ts'
import type { Tx } from '../platform/database/database.ts'
import { invitations, users } from '../platform/database/schema/account-schema.ts'
import { personZones, shifts } from '../platform/database/schema/staff-schema.ts'
import { agencyIsActive, type Held, hasOpenProject, holdOtherManagers } from './hold.ts'

type By = {
  actorId: string
  now: Date
  /** They said that they know what they lose; asked only of whoever takes their own rights away. */
  confirmed: boolean
  /** The session that goes on; every other one of the person's ends. */
  keepSession?: string
}

/** Gives a held person other rights: judged, written, told to the history, their sessions ended. */
export async function writeAccess(tx: Tx, person: Held, change: Partial<Access>, by: By): Promise<void> {
  const before = pick(person)
  const after: Access = { ...before, ...change }
  if (isSame(before, after)) return
  const refusal = accessRefusal({
    before,
    after,
    emailVerified: person.emailVerified,
    openProject: await hasOpenProject(tx, person.id),
    otherManagers: await holdOtherManagers(tx, person.id),
    agencyActive: await agencyIsActive(tx, after.agencyId),
    own: by.actorId === person.id,
    confirmed: by.confirmed,
  })
  if (refusal) throw refusal
  await tx
    .update(users)
    .set({
      ...after,
      // Who asked to be forgotten as a customer and joined the team instead is not forgotten if they ever leave it.
      ...(after.role === 'staff' && { deletionRequestedAt: null }),
      version: sql`${users.version} + 1`,
    })
    .where(eq(users.id, person.id))
  await tidyUp(tx, person, after)
  if (before.role === 'customer' && after.role === 'staff')
    await endTie(tx, person.id, { reason: 'staff', actorId: by.actorId, now: by.now })
  for (const event of traces(before, after))
    await record(tx, { entity: 'user', entityId: person.id, actorId: by.actorId, ...event })
  await endSessions(tx, person.id, by.keepSession === undefined ? {} : { except: by.keepSession })
}

const pick = ({ role, kind, agencyId, active }: Access): Access => ({ role, kind, agencyId, active })
const isSame = (before: Access, after: Access) => JSON.stringify(pick(before)) === JSON.stringify(pick(after))

/** What the new rights have no use for: shifts and zones of whoever is given no appointments, an invitation overtaken. */
async function tidyUp(tx: Tx, { id, email }: Held, { role, kind }: Access): Promise<void> {
  if (!hasShifts(kind)) await tx.delete(shifts).where(eq(shifts.personId, id))
  if (!hasZones(kind)) await tx.delete(personZones).where(eq(personZones.personId, id))
  // Customers have none: they would be asked for a code, with no page to turn it off or to get new recovery codes.
  if (role !== 'staff') return eraseSecondFactor(tx, id)
  const open = and(isNull(invitations.acceptedAt), isNull(invitations.withdrawnAt))
  await tx
    .update(invitations)
    .set({ withdrawnAt: sql`now()` })
    .where(and(eq(invitations.email, email), open))
}

/** The events of a change: one for what somebody is, one for whether they may come in at all. */
function traces(before: Access, after: Access) {
  const data = after.agencyId === before.agencyId ? null : { from: before.agencyId, to: after.agencyId }
  const [fromState, toState] = [before.kind ?? before.role, after.kind ?? after.role]
  return [
    ...(fromState !== toState ? [{ name: 'change_role', fromState, toState, data }] : []),
    ...(fromState === toState && data ? [{ name: 'change_agency', data }] : []),
    ...(before.active !== after.active ? [{ name: after.active ? 'activate' : 'deactivate' }] : []),
  ]
}
