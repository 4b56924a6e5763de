import { dayStarts, visitCards } from '../../src/platform/database/schema/accounts.ts'
import { appointments } from '../../src/platform/database/schema/appointments.ts'
import { events } from '../../src/platform/database/schema/projects.ts'
import { dayStartInput, visitCardInput } from '../../src/users/rules/schema.ts'
import { carWords } from '../../src/users/rules/user.ts'
import { hour, storeVisit, type Visit } from '../kit/appointments.ts'
import {
  analyst,
  customer,
  expectNotOnPage,
  expectScreen,
  fixture,
  fromNow,
  manager,
  markupOf,
  openEach,
  pageText,
  post,
  rowsWhere,
  setRow,
  technician,
} from '../kit/open.ts'
import { sendForm } from '../kit/payments.ts'
import type { Person } from '../kit/people.ts'
import { expectPage, expectStatus, readable } from '../kit/reading.ts'
import { jpeg, uprightWithPlace } from '../platform/storage/samples.ts'

openEach()

const account = '/admin/account'
const car = { vehicle: 'Nissan Versa', colour: 'Gris', plates: 'abc 12 34' }
const portrait = async () =>
  new File([new Uint8Array(await uprightWithPlace())], 'yo.jpg', { type: 'image/jpeg' })
const save = async (
  by: Person,
  path = account,
  photo: File | null = null,
  more: Record<string, string> = {},
) => sendForm(fixture, path, { intent: 'visit-card', ...car, ...more }, by, photo)
const look = async (by: Person, id: string) => (await fixture.open(`/files/${id}/portrait`, by)).status
const cards = () => rowsWhere(visitCards)

async function visitOf(customer: Person, input: Partial<Visit> = {}) {
  return storeVisit(fixture, customer, await fixture.home(customer), fromNow(30 * hour), {
    assigneeId: technician.id,
    ...input,
  })
}

test('writes the words of a car, and reads plates as people type them', () => {
  const car = { vehicle: 'Nissan Versa', colour: 'Gris', plates: 'ABC-12-34' }
  const none = { vehicle: null, colour: null, plates: null }
  expect(carWords(none)).toBeNull()
  expect(carWords({ ...none, plates: 'ABC-12-34' })).toBe('placas ABC-12-34')
  expect(carWords(car)).toBe('Nissan Versa, gris, placas ABC-12-34')
  const read = [' abc 12 34 ', '', 'x', '<b>1234</b>'].map(
    (plates) => visitCardInput.safeParse({ plates }).data?.plates,
  )
  expect(read).toEqual(['ABC-12-34', null, undefined, undefined])
})

test('shows a small portrait without its place to the customer of a confirmed visit until it is over', async () => {
  expectStatus(await save(technician, account, await portrait()), 303)
  const [card] = await cards()
  expect(card).toMatchObject({ vehicle: 'Nissan Versa', colour: 'Gris', plates: 'ABC-12-34' })
  const bytes = Buffer.from(card!.photo!)
  expect(bytes.subarray(8, 12).toString()).toBe('WEBP')
  for (const trace of ['TelefonoDePrueba', 'Exif', 'EXIF', 'GPS']) expect(bytes.includes(trace)).toBe(false)
  const visit = await visitOf(customer)
  const page = () => pageText('/technics-visit', customer)
  expect(await page()).toMatch(/Nissan Versa, gris\s*Placas ABC-12-34/)
  await expectScreen('/', customer, 'Placas ABC-12-34')
  // The other roles: test/security/reads-outside.test.ts.
  expect(await look(customer, visit.id)).toBe(200)
  const change = async (set: Partial<Visit>) => {
    await setRow(appointments, visit, set)
    return [await look(customer, visit.id), (await page()).includes('ABC-12-34')]
  }
  expect(await change({ confirmedAt: null, state: 'requested' })).toEqual([404, false])
  expect(await change({ confirmedAt: new Date(), state: 'done' })).toEqual([404, false])
})

test('lets the manager write it, and no one without visits have one', async () => {
  const path = `/admin/users/${technician.id}`
  expectStatus(await save(manager, path, await portrait()), 303)
  await expectScreen(path, manager, 'Cambio de su foto o su vehículo')
  // That no other role may: test/security/actions/people.ts.
  expectStatus(await save(manager, `/admin/users/${analyst.id}`), 403)
  // Without another photo the stored one stays, until it is taken away.
  await save(technician, account, null, { colour: '' })
  expect((await cards())[0]).toMatchObject({ colour: null, photoTag: expect.any(String) })
  await save(technician, account, null, { withoutPhoto: 'yes' })
  expect((await cards())[0]).toMatchObject({ photo: null, photoTag: null, plates: 'ABC-12-34' })
})

test('lets only the manager write a credential, which the customer sees until the visit is over', async () => {
  const path = `/admin/users/${technician.id}`
  const credential = 'Electricista certificado EC0118, folio D-0000123'
  await save(technician, account, null, { credential })
  expect(await cards()).toMatchObject([{ credential: null }])
  const short = await save(manager, path, null, { credential: 'Electricista' })
  expectPage(short, 400, 'Escríbelo con su folio o número.', 'value="Electricista"')
  expectStatus(await save(manager, path, null, { credential }), 303)
  // Saving the own card leaves it as it is, and shows it.
  await save(technician)
  expect(await cards()).toMatchObject([{ credential }])
  const own = await fixture.visit(account, technician)
  expect([readable(own).includes(credential), own.text.includes('name="credential"')]).toEqual([true, false])
  const visit = await visitOf(customer)
  await expectScreen('/technics-visit', customer, credential)
  await setRow(appointments, visit, { state: 'done' })
  await expectNotOnPage('/technics-visit', customer, credential)
})

test('refuses a file that is no picture, with what was typed; ends with the account', async () => {
  const file = new File(['hola'], 'yo.jpg', { type: 'image/jpeg' })
  expectPage(await save(technician, account, file), 400, 'no es una foto que podamos leer', 'abc 12 34')
  expect(await cards()).toEqual([])
  await save(technician, account, new File([new Uint8Array(await jpeg())], 'yo.jpg'))
  expect(await cards()).toHaveLength(1)
  await post(`/admin/users/${technician.id}`, { intent: 'active', version: '1', active: 'no' }, manager)
  expect(await cards()).toEqual([])
})

const saveStart = (by: Person, startsFrom: string, path = account) =>
  post(path, { intent: 'day-start', startsFrom }, by)
const startsNow = async () => (await rowsWhere(dayStarts)).map(({ municipality }) => municipality)

test('the start of the day is a zone of the list, or none', () => {
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
  await expectScreen(account, technician, 'Salgo de')
  expectStatus(await saveStart(technician, 'coyoacan'), 303)
  expectStatus(await saveStart(technician, 'coyoacan'), 303)
  expectStatus(await saveStart(technician, 'tlalpan'), 303)
  expect(await startsNow()).toEqual(['tlalpan'])
  expect(await markupOf(account, technician)).toMatch(/value="tlalpan"[^>]*selected/)
  expectStatus(await saveStart(technician, ''), 303)
  expect(await startsNow()).toEqual([])
  const recorded = await rowsWhere(events, { name: 'change_day_start' })
  expect(recorded.map(({ data }) => data)).toEqual([null, null, null])
})

test('the manager sets the start of the day with the shifts; an unknown zone is refused; it ends with the account', async () => {
  const path = `/admin/users/${technician.id}`
  expectStatus(await saveStart(manager, 'iztacalco', path), 303)
  expectPage(await saveStart(technician, 'ecatepec'), 400, 'No conocemos esa zona.')
  expect(await startsNow()).toEqual(['iztacalco'])
  // Only those with visits have one. That no other role may: test/security/actions/people.ts.
  expectStatus(await saveStart(manager, 'toluca', `/admin/users/${analyst.id}`), 403)
  await expectNotOnPage(account, analyst, 'Salgo de')
  expectStatus(await post(path, { intent: 'active', version: '1', active: 'no' }, manager), 303)
  expect(await startsNow()).toEqual([])
})
