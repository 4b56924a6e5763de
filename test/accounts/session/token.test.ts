import { createHmac } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { idTokenKey } from '../../../src/server/accounts/auth.ts'
import { sessions } from '../../../src/server/platform/database/schema/accounts.ts'
import { openBare, world } from '../../kit/open.ts'
import { secret } from '../../kit/people.ts'
import { expectStatus } from '../../kit/reading.ts'
import type { World } from '../../kit/world.ts'

openBare({ AUTH_SYNC_PATH: '/sincronizar' })

const tokenOf = async (...as: Parameters<World['visit']> extends [string, ...infer Rest] ? Rest : never) =>
  JSON.parse((await world.visit('/v1/token', ...as)).text).token as string | null

test('names the signed-in person, signed by our key, for 300 s', async () => {
  const person = await world.person()
  const [head, claims, signature] = ((await tokenOf(person)) ?? '').split('.')
  const expected = createHmac('sha256', idTokenKey(secret)).update(`${head}.${claims}`).digest('base64url')
  expect(signature).toBe(expected)
  const said = JSON.parse(Buffer.from(claims ?? '', 'base64url').toString())
  expect(said).toMatchObject({
    iss: 'http://carga.test',
    sub: person.id,
    email: person.email,
    email_verified: true,
  })
  expect(said.exp - said.iat).toBe(300)
})

test('is null without a session, and after 300 s', async () => {
  const person = await world.person()
  const age = (seconds: number) =>
    world.db
      .update(sessions)
      .set({ updatedAt: new Date(Date.now() - seconds * 1000) })
      .where(eq(sessions.userId, person.id))
  await age(290)
  expect(await tokenOf(person)).toMatch(/\./)
  await age(301)
  expect(await tokenOf(person)).toBeNull()
  expect(await tokenOf()).toBeNull()
})

test('does not exist without AUTH_SYNC_PATH', async () => {
  const { visit } = world.under({ AUTH_SYNC_PATH: '' })
  expectStatus(await visit('/v1/token', await world.person()), 404)
})
