import { createHmac } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll } from 'vitest'
import { sessions, users } from '../../src/platform/database/schema/accounts.ts'
import { everyModule } from '../kit/fixture.ts'
import { db, fixture, fromNow, newPerson, openBare, realClockAfterEach } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { setIn } from '../kit/reading.ts'
import type { Visitor } from '../kit/visitor.ts'

export type Everyone = Awaited<ReturnType<typeof openEveryone>>
export type Who = keyof Everyone

/** Whose cookie opens nothing, each for another reason. */
export const signedOut = ['anonymous', 'inactive', 'ended', 'expired', 'forged', 'closedAgency'] as const
/** Who has to complete a profile first. */
export const nameless = ['unnamed', 'unnamedStaff'] as const

/** Everybody who may ask. `people()` with a second ally, those without a name, and cookies that serve no more. */
export async function openEveryone() {
  const people = await fixture.people()
  const other = await fixture.agency({ name: 'Otra concesionaria' })
  const closed = await fixture.agency({ name: 'Concesionaria cerrada', active: false })
  const inactive = await newPerson({ kind: 'manager' })
  await setIn({ db }, users, inactive, { active: false })
  const ended = await newPerson({ kind: 'manager' })
  await db.delete(sessions).where(eq(sessions.userId, ended.id))
  const expired = await newPerson({ kind: 'manager' })
  // Twenty seconds before its end it counts as ended (specification §9).
  const soon = fromNow(20_000)
  await db.update(sessions).set({ expiresAt: soon }).where(eq(sessions.userId, expired.id))
  return {
    ...people,
    ally2: await newPerson({ kind: 'alliate', name: 'Alba', agencyId: other.id }),
    unnamed: await newPerson({ name: null }),
    unnamedStaff: await newPerson({ kind: 'manager', name: null }),
    anonymous: fixture.visitor(),
    inactive,
    ended,
    expired,
    forged: resigned(await newPerson({ kind: 'manager' })),
    closedAgency: await newPerson({ kind: 'alliate', agencyId: closed.id }),
  }
}

/** Everybody of the file's fixture. Follows `openBare`. */
export let everyone: Everyone
export const openEveryoneOnce = () =>
  beforeAll(async () => {
    everyone = await openEveryone()
  })

/** Gives the file one fixture with everybody in it, where everything is switched on, and each test the real clock back. */
export function openEveryoneFixture() {
  openBare(everyModule)
  openEveryoneOnce()
  realClockAfterEach()
}

/** A real token, signed by somebody who does not know the key. */
function resigned(person: Person): Visitor {
  const cookie = decodeURIComponent(person.cookies.get('carga.session_token')!)
  const token = cookie.slice(0, cookie.lastIndexOf('.'))
  const signature = createHmac('sha256', 'a-guessed-key-a-guessed-key').update(token).digest('base64')
  person.cookies.set('carga.session_token', encodeURIComponent(`${token}.${signature}`))
  return person
}
