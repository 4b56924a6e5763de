import { asc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { blockedAccounts, dataReads } from '../../../src/server/platform/database/schema/accounts.ts'
import { storeBlocked } from '../../kit/accounts.ts'
import { openOnce, people, world } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { expectPage, readable } from '../../kit/reading.ts'

openOnce()

const page = '/admin/users/bloqueadas'
const opens = (as: Person, customerId: string, reason: string) =>
  world.post(page, { intent: 'open-blocked', customerId, reason }, as)
const readsOf = async (id: string) =>
  (
    await world.db.select().from(dataReads).where(eq(dataReads.customerId, id)).orderBy(asc(dataReads.id))
  ).map(({ readerId, reason, subjectId, what }) => [readerId, what, subjectId, reason])

test('shows a blocked account to the manager once for each given reason, and records it', async () => {
  const { manager } = people
  const id = await storeBlocked(world)
  expect((await world.visit('/admin/users?active=blocked', manager)).location).toBe(page)
  const listed = await world.visit(page, manager)
  expect([listed.status, listed.text.includes(id), listed.text.includes('Citlali')]).toEqual([
    200,
    true,
    false,
  ])
  expect(readable(listed)).toContain('determinar posibles responsabilidades')

  const answer = await opens(manager, id, 'Oficio 123/2026 de la autoridad')
  expect(answer.status).toBe(200)
  expect(readable(answer)).toMatch(/Se muestra solo esta vez.*Citlali.*fachada\.jpg.*Oficio 123\/2026/s)
  expect(answer.headers.get('cache-control')).toContain('no-store')
  await opens(manager, id, 'Segunda consulta del mismo oficio')
  expect(await readsOf(id)).toEqual([
    [manager.id, 'blocked', id, 'Oficio 123/2026 de la autoridad'],
    [manager.id, 'blocked', id, 'Segunda consulta del mismo oficio'],
  ])
  const again = await world.visit(page, manager)
  expect(again.text).toContain('Segunda consulta')
  expect(again.text).not.toContain('Citlali')
})

test('refuses a short reason, another key and a suppressed account, and records nothing', async () => {
  const { manager } = people
  const id = await storeBlocked(world)
  const short = await opens(manager, id, 'Oficio 9')
  expectPage(short, 400, 'al menos 10 letras', '>Oficio 9</textarea>')
  expect((await opens(manager, id, ' ')).text).toContain('Escribe para qué la abres.')
  const other = await storeBlocked(world, 'another secret of thirty-two letters')
  const locked = await opens(manager, other, 'Oficio 123/2026')
  expect([locked.status, locked.text.includes('AUTH_SECRET')]).toEqual([409, true])
  await world.db
    .update(blockedAccounts)
    .set({ sealed: null, files: [], suppressedAt: new Date() })
    .where(eq(blockedAccounts.customerId, id))
  const gone = await opens(manager, id, 'Oficio 123/2026')
  expect([gone.status, gone.text.includes('ya se suprimieron')]).toEqual([404, true])
  expect((await world.visit(page, manager)).text).not.toContain(id)
  expect([await readsOf(id), await readsOf(other)]).toEqual([[], []])
})

test('shows the manager on a customer’s page who read their fiscal data', async () => {
  const { analyst, customer, manager } = people
  expect(readable(await world.visit(`/admin/users/${customer.id}`, manager))).toContain(
    'Nadie del equipo los ha leído',
  )
  await world.db
    .insert(dataReads)
    .values({ readerId: analyst.id, customerId: customer.id, what: 'constancia', subjectId: customer.id })
  const shown = readable(await world.visit(`/admin/users/${customer.id}`, manager))
  expect(shown).toMatch(/Quién leyó sus datos fiscales.*Constancia de Situación Fiscal.*Analista/s)
  expect(readable(await world.visit(`/admin/users/${analyst.id}`, manager))).not.toContain('Quién leyó')
})
