import type { Actor } from '../../domain/access/actor.ts'
import { accessRefusal, type User } from '../../domain/users/user.ts'
import type { Standing } from '../../server/users/standing.ts'

/** What the manager may change of somebody now, and why not what they may not. */
export function editOf(actor: Actor, person: User, standing: Standing) {
  const { role, kind, agency: agencyId, active } = person
  const before = { role, kind, agencyId, active }
  const facts = { ...standing, before, agencyActive: true, own: person.uid === actor.id, confirmed: true }
  const otherRole =
    role === 'customer'
      ? { ...before, role: 'staff' as const, kind: 'analyst' as const }
      : { ...before, role: 'customer' as const, kind: null, agencyId: null }
  const whyNot = (after: typeof before) => accessRefusal({ ...facts, after })?.description ?? null
  return {
    own: facts.own,
    emailVerified: standing.emailVerified,
    twoFactor: standing.twoFactor,
    nextEmail: standing.nextEmail,
    takenOver: standing.takenOver,
    roleBarred: whyNot(otherRole),
    activeBarred: whyNot({ ...before, active: false }),
  }
}

export type PersonEdit = ReturnType<typeof editOf>
