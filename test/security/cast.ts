import { createHmac } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll } from 'vitest'
import { sessions, users } from '../../src/platform/database/schema/accounts.ts'
import { db, fromNow, newPerson, openBare, realClockAfterEach, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { setIn } from '../kit/reading.ts'
import type { Visitor } from '../kit/visitor.ts'
import { everyModule } from '../kit/world.ts'

export type Cast = Awaited<ReturnType<typeof openCast>>
export type Who = keyof Cast

/** Whose cookie opens nothing, each for another reason. */
export const signedOut = ['anonymous', 'inactive', 'ended', 'expired', 'forged', 'closedAgency'] as const
/** Who has to complete a profile first. */
export const nameless = ['unnamed', 'unnamedStaff'] as const

/** Everybody who may ask. `people()` with a second ally, those without a name, and cookies that serve no more. */
export async function openCast() {
  const people = await world.people()
  const other = await world.agency({ name: 'Otra concesionaria' })
  const closed = await world.agency({ name: 'Concesionaria cerrada', active: false })
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
    anonymous: world.visitor(),
    inactive,
    ended,
    expired,
    forged: resigned(await newPerson({ kind: 'manager' })),
    closedAgency: await newPerson({ kind: 'alliate', agencyId: closed.id }),
  }
}

/** Everybody of the file's world. Follows `openBare`. */
export let cast: Cast
export const openCastOnce = () =>
  beforeAll(async () => {
    cast = await openCast()
  })

/** Gives the file one world with everybody in it, where everything is switched on, and each test the real clock back. */
export function openCastWorld() {
  openBare(everyModule)
  openCastOnce()
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
