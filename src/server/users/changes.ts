import type { Actor } from '../../domain/access/actor.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import type { Decisions } from '../../domain/users/staffing-change.ts'
import { type Access, managesPeople, type RoleChoice, roleOf } from '../../domain/users/user.ts'
import type { Db } from '../platform/database/database.ts'
import { announce } from '../platform/live/announcements.ts'
import { writeAccess } from './access.ts'
import { changeStaffing } from './change.ts'
import { type Held, holdPerson } from './hold.ts'
import { settled } from './settled.ts'

/** What comes with every change of a person: the version it was decided on, and what was said to its consequences. */
export type Terms = {
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
  terms: Terms,
) =>
  settled(() =>
    change(db, actor, uid, terms, () => ({
      ...roleOf(choice),
      agencyId: choice === 'alliate' ? agencyId : null,
    })),
  )

/** Updates the agency of an affiliate (specification §7). */
export const updateAgency = (db: Db, actor: Actor, uid: string, agencyId: string, terms: Terms) =>
  settled(() =>
    change(db, actor, uid, terms, ({ kind }) =>
      kind === 'alliate'
        ? { agencyId }
        : refuse('failed-precondition', 'Solo un aliado tiene concesionaria.'),
    ),
  )

/** Lets somebody in, or keeps them out from now on. */
export const updateActive = (db: Db, actor: Actor, uid: string, active: boolean, terms: Terms) =>
  settled(() => change(db, actor, uid, terms, () => ({ active })))

/** What it takes somebody off is settled with it, or it is refused with the list (`changeStaffing`). */
async function change(
  db: Db,
  actor: Actor,
  uid: string,
  { version, confirmed, now, decisions }: Terms,
  wish: (person: Held) => Partial<Access>,
): Promise<void> {
  if (!managesPeople(actor)) refuse('permission-denied')
  await changeStaffing(db, actor, {
    ...decisions,
    now,
    change: async (tx) => {
      const person = await holdPerson(tx, uid)
      if (person.version !== version) refuse('aborted')
      await writeAccess(tx, person, wish(person), { actorId: actor.id, confirmed, now })
    },
  })
  announce(db, { people: [uid] })
}
