import { expect, test } from 'vitest'
import { dayStartInput } from '../../src/domain/users/schema.ts'
import { dayStarts } from '../../src/server/platform/database/schema/accounts.ts'
import { events } from '../../src/server/platform/database/schema/projects.ts'
import { expectNotOnPage, expectScreen, openOnce, people, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { expectPage, expectStatus, rowsIn } from '../kit/reading.ts'

openOnce()

const account = '/admin/account'
const pageOf = ({ id }: Person) => `/admin/users/${id}`
const save = (by: Person, startsFrom: string, path = account) =>
  world.post(path, { intent: 'day-start', startsFrom }, by)
const stored = async () => (await world.db.select().from(dayStarts)).map(({ municipality }) => municipality)

test('reads a zone of the list, or none', () => {
  const read = (startsFrom?: string) => dayStartInput.safeParse({ startsFrom }).data?.startsFrom
  expect([read(' coyoacan '), read(''), read(undefined), read('ecatepec'), read('06700')]).toEqual([
    'coyoacan',
    null,
    null,
    undefined,
    undefined,
  ])
})

test('a technician sets, changes and removes the start of the day', async () => {
  const { technician } = people
  await expectScreen(account, technician, 'Salgo de')
  expectStatus(await save(technician, 'coyoacan'), 303)
  expectStatus(await save(technician, 'coyoacan'), 303)
  expectStatus(await save(technician, 'tlalpan'), 303)
  expect(await stored()).toEqual(['tlalpan'])
  expect((await world.visit(account, technician)).text).toMatch(/value="tlalpan"[^>]*selected/)
  expectStatus(await save(technician, ''), 303)
  expect(await stored()).toEqual([])
  const recorded = await rowsIn(world, events, { name: 'change_day_start' })
  expect(recorded.map(({ data }) => data)).toEqual([null, null, null])
})

test('the manager sets it with the shifts; an unknown zone is refused; it ends with the account', async () => {
  const { manager, technician, analyst } = people
  const path = pageOf(technician)
  expectStatus(await save(manager, 'iztacalco', path), 303)
  expectPage(await save(technician, 'ecatepec'), 400, 'No conocemos esa zona.')
  expect(await stored()).toEqual(['iztacalco'])
  // Only those with visits have one. That no other role may: test/security/actions/people.ts.
  expectStatus(await save(manager, 'toluca', pageOf(analyst)), 403)
  await expectNotOnPage(account, analyst, 'Salgo de')
  const form = { intent: 'active', version: '1', active: 'no' }
  expectStatus(await world.post(path, form, manager), 303)
  expect(await stored()).toEqual([])
})
