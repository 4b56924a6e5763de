import { randomUUID } from 'node:crypto'
import {
  blockedAccounts,
  calendarFeeds,
  consents,
  customerMerges,
  savedViews,
  users,
} from '../../../src/platform/database/schema/accounts.ts'
import {
  appointments,
  callMessages,
  calls,
  files,
  sharedVisits,
  sheetAnswers,
} from '../../../src/platform/database/schema/appointments.ts'
import { addresses, projects } from '../../../src/platform/database/schema/projects.ts'
import { keysOf, paperKey } from '../../../src/platform/storage/drive.ts'
import { sweepFiles } from '../../../src/platform/storage/keep.ts'
import { suppressDue, unsealed } from '../../../src/privacy/blocked-accounts.ts'
import { blockDue } from '../../../src/privacy/deletion.ts'
import { localDay } from '../../../src/shared/format.ts'
import { signIn, signUp } from '../../kit/accounts.ts'
import { storeVisit, visitAtHome } from '../../kit/appointments.ts'
import {
  jobsDb as db,
  expectLed,
  expectRow,
  expectRowsIn,
  expectScreen,
  expectTrail,
  expectUser,
  fixture,
  manager,
  newHome,
  newPerson,
  openJobsDbOnce,
  openOnce,
  pageText,
  post,
  realClockAfterEach,
  rowsWhere,
  rowWhere,
  setRow,
  storeRows,
  technician,
} from '../../kit/open.ts'
import { type Person, secret } from '../../kit/people.ts'
import { expectPage, expectStatus, expectWords } from '../../kit/reading.ts'
import { fileRow, writeSheet } from '../../kit/reports.ts'
import { inDays, storePaper } from '../holdings.ts'
import { lettersTo, memberOf, password, send } from '../own.ts'

openOnce()
openJobsDbOnce()
realClockAfterEach()

const keysLeft = async () => (await Array.fromAsync(fixture.drive.all())).map(({ key }) => key)
const mine = '/cuenta'
const asks = (person: Person, currentPassword = password) => send(person, 'delete', { currentPassword }, mine)
const after = (days: number) => blockDue(db, secret, inDays(days))

test('a deletion is refused with a wrong password, recorded once, announced with its day, and not done before', async () => {
  const person = await memberOf()
  expectPage(await asks(person, 'equivocada'), 400, 'La contraseña no es correcta.')
  await expectUser(person, { deletionRequestedAt: null })
  const answers = await Promise.all([asks(person), asks(person)])
  expect(answers.map(({ location }) => location)).toContain('/cuenta#eliminar')
  for (const path of [mine, '/']) await expectScreen(path, person, 'Tu cuenta se elimina el')
  await after(4.9)
  await expectUser(person, { email: person.email, deletedAt: null })
  expect(await lettersTo(person)).toEqual(['deletion_asked'])
  await expectTrail(person, ['ask_deletion'])
})

test('a deletion is taken back once', async () => {
  const person = await memberOf()
  await asks(person)
  const keep = () => send(person, 'keep', {}, mine)
  expectStatus(await keep(), 303)
  await after(6)
  await expectUser(person, { email: person.email, deletedAt: null, active: true })
  expectStatus(await keep(), 409)
  expect(await lettersTo(person)).toEqual(['deletion_asked', 'deletion_taken_back'])
})

test('a deletion with an open project is refused until the address is removed', async () => {
  const person = await memberOf()
  await newHome(person)
  await expectScreen(mine, person, 'Quita primero tu domicilio.')
  expectStatus(await asks(person), 409)
  await expectUser(person, { deletionRequestedAt: null })
  await post('/address', { intent: 'archive', version: '1' }, person)
  expectStatus(await asks(person), 303)
})

test.each(['requested', 'done'] as const)(
  'a deletion with an open project is refused with a visit that is %s',
  async (state) => {
    const person = await memberOf()
    const { id: assigneeId } = await newPerson({ kind: 'tecnician' })
    await visitAtHome(person, inDays(3), { assigneeId, state })
    await expectScreen(mine, person, 'Tienes una instalación en curso')
    expectStatus(await asks(person), 409)
    await expectUser(person, { deletionRequestedAt: null })
  },
)

test('a deletion is put off with an e-mail if a project began while waiting', async () => {
  const person = await memberOf()
  await asks(person)
  await newHome(person)
  await after(6)
  await expectUser(person, { email: person.email, deletionRequestedAt: null, deletedAt: null })
  expect(await lettersTo(person)).toEqual(['deletion_asked', 'deletion_put_off'])
})

test('removes after five days everything personal, and keeps the history', async () => {
  const person = await memberOf({ name: 'Xochitlalpan', lastname: 'Irrepetible', phone: '5598761234' })
  const personal = {
    street: 'Callejón Irrepetible',
    receiverName: 'Quien Recibe',
    receiverPhone: '5511112222',
    references: 'Portón irrepetible',
    gateNotes: 'Clave 4417',
  }
  const home = await newHome(person, personal)
  await setRow(addresses, home.addressId, { latitude: 19.351177, longitude: -99.161177 })
  const visit = await storeVisit(fixture, person, home, inDays(-30), {
    assigneeId: technician.id,
    state: 'done',
    notes: 'Nota irrepetible',
  })
  await setRow(projects, home.projectId, { closedAt: new Date() })
  const words = { summary: 'Un resumen irrepetible', nextSteps: 'Algo irrepetible', notes: 'Lo irrepetible' }
  const appointmentId = visit.id
  const technicianId = technician.id
  await storeRows(calls, { appointmentId, ...words })
  const line = { side: 'analyst', text: 'Hola, Xochitlalpan' } as const
  await storeRows(callMessages, { id: randomUUID(), appointmentId, authorId: technicianId, ...line })
  const file = { ...fileRow(appointmentId, 'facade', technicianId), keptBecause: 'Casa irrepetible' }
  await storeRows(files, file)
  await writeSheet(
    fixture,
    { ...visit, state: 'approved' },
    { customerName: 'Quien Recibe', panelBrand: 'Square D' },
  )
  const keys = Object.values(keysOf(file))
  for (const key of keys) await fixture.drive.put(key, Buffer.from('x'), 'image/jpeg')
  const other = await fixture.secondBrowser(person)
  await storeRows(calendarFeeds, { userId: person.id, secretHash: 'none' })
  await storeRows(sharedVisits, {
    appointmentId: visit.id,
    secretHash: 'none',
    day: localDay(visit.startsAt),
  })
  await storeRows(savedViews, { ownerId: person.id, list: 'users', name: 'Xochitlalpan', query: 'active=no' })
  await asks(person)
  await Promise.all([after(5.01), after(5.01)])

  await expectUser(person, {
    name: null,
    lastname: null,
    phone: null,
    active: false,
    emailVerified: false,
    version: 2,
    email: `${person.id}@eliminada.invalid`,
    deletedAt: expect.any(Date),
  })
  for (const as of [person, other]) await expectLed('/', as, '/signin')
  expectStatus(await signIn(person.email), 400)
  expect(await everything()).not.toMatch(
    /irrepetible|Xochitlalpan|5598761234|5511112222|Quien Recibe|Clave 4417|19\.351177|99\.161177/i,
  )
  expect(await everything()).not.toContain(person.email)
  for (const table of [calendarFeeds, sharedVisits, savedViews, files])
    expect(await rowsWhere(table)).toEqual([])
  expect((await keysLeft()).toSorted()).toEqual(keys.toSorted())
  const left = await rowsWhere(sheetAnswers, { appointmentId: visit.id })
  expect(left.map(({ name }) => name)).toEqual(['panelBrand'])
  const municipality = 'coyoacan'
  await expectRow(addresses, { id: home.addressId }, { municipality, archivedAt: expect.any(Date) })
  await expectRow(appointments, { id: visit.id }, { folio: visit.folio, state: 'done', municipality })
  await expectTrail(person, ['ask_deletion', 'block'])
  const job = `select data->>'letter' as letter from pgboss.job where data->>'email' = $1`
  const { rows } = await fixture.db.$client.query(job, [person.email])
  expect(rows).toEqual([{ letter: 'account_deleted' }])
})

test('blocks the data, sealed and whole, until its term is over, and then suppresses it with its files', async () => {
  const person = await memberOf({ name: 'Bloqueada' })
  await setRow(users, person, { whatsappOptInAt: new Date() })
  const key = paperKey({ id: await storePaper(person, 'constancia') })
  await asks(person)
  await after(6)
  const blocked = async () => (await rowWhere(blockedAccounts, { customerId: person.id }))!
  const { sealed, suppressAt } = await blocked()
  expect(unsealed(sealed, 'another secret of thirty-two letters')).toBeNull()
  expect(JSON.stringify(unsealed(sealed, secret))).toContain('Bloqueada')
  await expectRowsIn(consents, { userId: person.id }, [
    { kind: 'whatsapp', given: false, source: 'deletion' },
  ])
  await sweepFiles(db, fixture.drive, inDays(30))
  expect(await keysLeft()).toContain(key)
  await suppressDue(db, fixture.drive, new Date(+suppressAt - 1))
  expect(await blocked()).toMatchObject({ sealed, suppressedAt: null })
  await Promise.all([suppressDue(db, fixture.drive, suppressAt), suppressDue(db, fixture.drive, suppressAt)])
  expect(await blocked()).toMatchObject({ sealed: null, files: [], suppressedAt: suppressAt })
  expect(await keysLeft()).not.toContain(key)
  await expectTrail(person, ['ask_deletion', 'block', 'erase'])
  // The e-mail is free for a new account.
  expect((await signUp(person.email)).answer.location).toBe('/completion')
})

/** Every row of every table but the queue of e-mails, as one text. */
async function everything(): Promise<string> {
  const { rows } = await fixture.db.$client.query(`select table_name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`)
  const texts = await Promise.all(
    rows.map(({ table_name }) =>
      fixture.db.$client.query(`select coalesce(jsonb_agg(t)::text, '') as text from "${table_name}" t`),
    ),
  )
  return texts.map(({ rows: [row] }) => row.text).join('\n')
}

test('shows the data of a merged account to its owner, and erases it with the account that stands', async () => {
  const kept = await newPerson()
  const other = await newPerson({ name: 'Xochitlalpan', lastname: 'Irrepetible', phone: '5598761234' })
  const ids = { keptId: kept.id, endedId: other.id }
  const form = { intent: 'merge', ...ids, nameOf: 'ended', phoneOf: 'ended', confirmed: 'on' }
  expectStatus(await post(`/admin/users/${kept.id}/cliente/unir`, form, manager), 303)
  expectWords(await pageText('/cuenta?datos', kept), 'Cuentas tuyas que unimos con esta', other.email)

  await setRow(users, kept, { deletionRequestedAt: inDays(-6) })
  await blockDue(db, secret, new Date())
  for (const { id } of [kept, other]) {
    const left = await rowWhere(users, { id })
    expect(left).toMatchObject({ name: null, lastname: null, phone: null, deletedAt: expect.any(Date) })
    expect(left!.email).toContain('@eliminada.invalid')
  }
  await expectRow(customerMerges, ids, { profile: {} })
})
