import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Refusal } from '../../src/domain/shared/refusal.ts'
import { clearLimits, countTry } from '../../src/server/accounts/limits.ts'
import type { Db } from '../../src/server/platform/database/client.ts'
import { freshDatabase } from '../kit/fresh-database.ts'

let db: Db
beforeAll(async () => {
  db = await freshDatabase()
})
afterAll(() => db.$client.end())

const now = new Date('2026-11-24T10:00:00Z')
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)
const attempt = (who: string, at = now) =>
  countTry(db, 'sign-in by address', who, at).then(
    () => null,
    (refusal: Refusal) => refusal,
  )

// Many tries at once: test/security/brute-force.test.ts.
test('says how long to wait, which refused tries do not prolong', async () => {
  for (let n = 0; n < 10; n++) expect(await attempt('10.0.0.2')).toBeNull()
  expect((await attempt('10.0.0.2', later(1)))?.description).toContain('Espera 59 segundos')
  expect((await attempt('10.0.0.2', later(59.5)))?.description).toContain('Espera 1 segundo ')
  expect(await attempt('10.0.0.2', later(60))).toBeNull()
})

test('counts each address and each limit apart', async () => {
  for (let n = 0; n < 11; n++) await attempt('10.0.0.3')
  expect(await attempt('10.0.0.4')).toBeNull()
  await expect(countTry(db, 'sign-up by address', '10.0.0.3', now)).resolves.toBeUndefined()
})

test('keeps no addresses, and clears what has ended', async () => {
  const { rows } = await db.execute<{ key: string }>(sql`select key from limits`)
  expect(rows.length).toBeGreaterThan(0)
  for (const { key } of rows) expect(key).toMatch(/^sign-(in|up) by address [0-9a-f]{64}$/)
  await clearLimits(db, later(61))
  const left = await db.execute<{ key: string }>(sql`select key from limits`)
  expect(left.rows.map(({ key }) => key.slice(0, 7))).toEqual(['sign-in', 'sign-up'])
  await clearLimits(db, later(3601))
  expect((await db.execute(sql`select 1 from limits`)).rowCount).toBe(0)
})

test('limits sign-ups from one wider network to 40 an hour', async () => {
  const from = (network: number, at = now) =>
    countTry(db, 'sign-up by wider network', `2001:db8:5:${network.toString(16)}::1`, at)
  for (let n = 0; n < 40; n++) await from(n)
  await expect(from(40)).rejects.toMatchObject({ code: 'resource-exhausted' })
  await expect(countTry(db, 'sign-up by wider network', '2001:db8:6::1', now)).resolves.toBeUndefined()
})
