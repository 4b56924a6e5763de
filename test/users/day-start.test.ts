import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { dayStartInput } from '../../src/domain/users/schema.ts'
import { dayStarts } from '../../src/server/platform/database/schema/accounts.ts'
import { events } from '../../src/server/platform/database/schema/projects.ts'
import { openEach, people, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { readable } from '../kit/reading.ts'

openEach()

const account = '/admin/account'
const pageOf = ({ id }: Person) => `/admin/users/${id}`
const save = (by: Person, startsFrom: string, path = account) =>
  world.post(path, { intent: 'day-start', startsFrom }, by)
const stored = async () => (await world.db.select().from(dayStarts)).map(({ municipality }) => municipality)

test('a zone of the list, or none', () => {
  const read = (startsFrom?: string) => dayStartInput.safeParse({ startsFrom }).data?.startsFrom
  expect([read(' coyoacan '), read(''), read(undefined), read('ecatepec'), read('06700')]).toEqual([
    'coyoacan',
    null,
    null,
    undefined,
    undefined,
  ])
})

test('a technician says where their days begin, changes it and takes it back', async () => {
  const { technician } = people
  expect(readable(await world.visit(account, technician))).toContain('Salgo de')
  expect((await save(technician, 'coyoacan')).status).toBe(303)
  expect((await save(technician, 'coyoacan')).status).toBe(303)
  expect((await save(technician, 'tlalpan')).status).toBe(303)
  expect(await stored()).toEqual(['tlalpan'])
  expect((await world.visit(account, technician)).text).toMatch(/value="tlalpan"[^>]*selected/)
  expect((await save(technician, '')).status).toBe(303)
  expect(await stored()).toEqual([])
  const told = await world.db.select().from(events).where(eq(events.name, 'change_day_start'))
  expect(told.map(({ data }) => data)).toEqual([null, null, null])
})

test('an unknown zone is refused in words, and nothing is stored', async () => {
  const answer = await save(people.technician, 'ecatepec')
  expect(answer.status).toBe(400)
  expect(readable(answer)).toContain('No conocemos esa zona. Elige una alcaldía o un municipio de la lista.')
  expect(await stored()).toEqual([])
})

test('the manager sets it where shifts are set; nobody else reads or writes it', async () => {
  const { analyst, manager, technician, technician2 } = people
  expect((await save(manager, 'iztacalco', pageOf(technician))).status).toBe(303)
  expect(await stored()).toEqual(['iztacalco'])
  expect((await world.visit(pageOf(technician), manager)).text).toMatch(/value="iztacalco"[^>]*selected/)
  for (const who of [technician2, analyst])
    expect((await save(who, 'toluca', pageOf(technician))).status).toBe(403)
  for (const who of [manager, analyst]) expect((await save(who, 'toluca')).status).toBe(403)
  expect((await save(manager, 'toluca', pageOf(analyst))).status).toBe(403)
  expect(readable(await world.visit(account, analyst))).not.toContain('Salgo de')
  expect(await stored()).toEqual(['iztacalco'])
})

test('it goes with the rights that it was for', async () => {
  await save(people.technician, 'coyoacan')
  const form = { intent: 'active', version: '1', active: 'no' }
  expect((await world.post(pageOf(people.technician), form, people.manager)).status).toBe(303)
  expect(await stored()).toEqual([])
})
