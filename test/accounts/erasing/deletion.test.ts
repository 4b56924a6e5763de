import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { localDay } from '../../../src/domain/shared/format.ts'
import { suppressDue, unsealed } from '../../../src/server/accounts/blocked-accounts.ts'
import { blockDue } from '../../../src/server/accounts/deletion.ts'
import {
  blockedAccounts,
  calendarFeeds,
  consents,
  savedViews,
  users,
} from '../../../src/server/platform/database/schema/accounts.ts'
import {
  appointments,
  callMessages,
  calls,
  files,
  sharedVisits,
  sheetAnswers,
} from '../../../src/server/platform/database/schema/appointments.ts'
import { documents } from '../../../src/server/platform/database/schema/payments.ts'
import { addresses, projects } from '../../../src/server/platform/database/schema/projects.ts'
import { keysOf, paperKey } from '../../../src/server/platform/storage/drive.ts'
import { sweepFiles } from '../../../src/server/platform/storage/intake.ts'
import { storeVisit } from '../../kit/appointments.ts'
import { jobsDb as db, openJobsDbOnce, openOnce, people, realClockAfterEach, world } from '../../kit/open.ts'
import { type Person, secret } from '../../kit/people.ts'
import { expectPage, rowIn, rowsIn, trailOf } from '../../kit/reading.ts'
import { writeSheet } from '../../kit/reports.ts'
import type { World } from '../../kit/world.ts'
import { lettersTo, memberOf, password, send } from '../own.ts'

openOnce()
openJobsDbOnce()
realClockAfterEach()

const keysLeft = async () => (await Array.fromAsync(world.drive.all())).map(({ key }) => key)
const day = 24 * 60 * 60 * 1000
const mine = '/cuenta'
const userOf = async ({ id }: Person) => (await rowIn(world, users, { id }))!
const asks = (person: Person, currentPassword = password) =>
  send(world, person, 'delete', { currentPassword }, mine)
const after = (days: number) => blockDue(db, secret, new Date(Date.now() + days * day))

test('asked for with the password, it is said when, and nothing is deleted yet', async () => {
  const person = await memberOf(world)
  const answer = await asks(person)
  expect([answer.status, answer.location]).toEqual([303, '/cuenta#eliminar'])
  expect((await world.visit('/cuenta', person)).text).toContain('Tu cuenta se elimina el')
  await after(4.9)
  expect(await userOf(person)).toMatchObject({ email: person.email, deletedAt: null })
  expect(await lettersTo(world, person)).toEqual(['deletion_asked'])
  expect(await trailOf(world, person)).toEqual(['ask_deletion'])
})

test('a wrong password, and nothing is asked for; asked twice, it is asked once', async () => {
  const person = await memberOf(world)
  const wrong = await asks(person, 'equivocada')
  expectPage(wrong, 400, 'La contraseña no es correcta.')
  expect(await userOf(person)).toMatchObject({ deletionRequestedAt: null })
  await Promise.all([asks(person), asks(person)])
  expect(await trailOf(world, person)).toEqual(['ask_deletion'])
})

test('taken back, the account stays', async () => {
  const person = await memberOf(world)
  await asks(person)
  expect((await send(world, person, 'keep', {}, mine)).status).toBe(303)
  await after(6)
  expect(await userOf(person)).toMatchObject({ email: person.email, deletedAt: null, active: true })
  expect((await send(world, person, 'keep', {}, mine)).status).toBe(409)
  expect(await lettersTo(world, person)).toEqual(['deletion_asked', 'deletion_taken_back'])
})

describe('with an open project it is refused, with the way out', () => {
  test('an address', async () => {
    const person = await memberOf(world)
    await world.home(person)
    const page = await world.visit('/cuenta', person)
    expect(page.text).toContain('Quita primero tu domicilio.')
    expect((await asks(person)).status).toBe(409)
    expect(await userOf(person)).toMatchObject({ deletionRequestedAt: null })
    await world.post('/address', { intent: 'archive', version: '1' }, person)
    expect((await asks(person)).status).toBe(303)
  })

  test.each([
    ['requested', 3],
    ['assigned', 4],
    ['done', 5],
  ] as const)('a visit that is %s', async (state, days) => {
    const person = await memberOf(world)
    const home = await world.home(person)
    await storeVisit(world, person, home, new Date(Date.now() + days * day), {
      assigneeId: people.technician.id,
      state,
    })
    expect((await world.visit('/cuenta', person)).text).toContain('Tienes una instalación en curso')
    const answer = await asks(person)
    expect(answer.status).toBe(409)
    expect(await userOf(person)).toMatchObject({ deletionRequestedAt: null })
  })

  test('begun while waiting: the account stays, and its person is told', async () => {
    const person = await memberOf(world)
    await asks(person)
    await world.home(person)
    await after(6)
    expect(await userOf(person)).toMatchObject({
      email: person.email,
      deletionRequestedAt: null,
      deletedAt: null,
    })
    expect(await lettersTo(world, person)).toEqual(['deletion_asked', 'deletion_put_off'])
  })
})

test('five days later nothing says who it was, and the history stays', async () => {
  const person = await memberOf(world, { name: 'Xochitlalpan', lastname: 'Irrepetible', phone: '5598761234' })
  const personal = {
    street: 'Callejón Irrepetible',
    receiverName: 'Quien Recibe',
    receiverPhone: '5511112222',
    references: 'Portón irrepetible',
    gateNotes: 'Clave 4417',
  }
  const home = await world.home(person, personal)
  await world.db
    .update(addresses)
    .set({ latitude: 19.351177, longitude: -99.161177 })
    .where(eq(addresses.id, home.addressId))
  const visit = await storeVisit(world, person, home, new Date(Date.now() - 30 * day), {
    assigneeId: people.technician.id,
    state: 'done',
    notes: 'Nota irrepetible',
  })
  await world.db.update(projects).set({ closedAt: new Date() }).where(eq(projects.id, home.projectId))
  const words = { summary: 'Un resumen irrepetible', nextSteps: 'Algo irrepetible', notes: 'Lo irrepetible' }
  await world.db.insert(calls).values({ appointmentId: visit.id, ...words })
  const said = {
    id: randomUUID(),
    appointmentId: visit.id,
    authorId: people.technician.id,
    side: 'analyst' as const,
  }
  await world.db.insert(callMessages).values({ ...said, text: 'Hola, Xochitlalpan' })
  const keys = { appointmentId: visit.id, id: randomUUID(), sentSha256: 'a'.repeat(64) }
  await world.db.insert(files).values({
    ...keys,
    slot: 'facade',
    sha256: 'b'.repeat(64),
    type: 'image/jpeg',
    bytes: 9,
    width: 9,
    height: 9,
    capturedAt: new Date(),
    uploadedBy: people.technician.id,
    keptBecause: 'Casa irrepetible',
  })
  await writeSheet(
    world,
    { ...visit, state: 'approved' },
    { customerName: 'Quien Recibe', panelBrand: 'Square D' },
  )
  for (const key of Object.values(keysOf(keys))) await world.drive.put(key, Buffer.from('x'), 'image/jpeg')
  const other = await world.secondBrowser(person)
  await world.db.insert(calendarFeeds).values({ userId: person.id, secretHash: 'none' })
  await world.db
    .insert(sharedVisits)
    .values({ appointmentId: visit.id, secretHash: 'none', day: localDay(visit.startsAt) })
  await world.db
    .insert(savedViews)
    .values({ ownerId: person.id, list: 'users', name: 'Xochitlalpan', query: 'active=no' })
  await asks(person)
  await Promise.all([after(5.01), after(5.01)])

  expect(await userOf(person)).toMatchObject({
    name: null,
    lastname: null,
    phone: null,
    active: false,
    emailVerified: false,
    version: 2,
    email: `${person.id}@eliminada.invalid`,
    deletedAt: expect.any(Date),
  })
  for (const as of [person, other]) expect((await world.visit('/', as)).location).toBe('/signin')
  expect((await world.post('/signin', { email: person.email, password })).status).toBe(400)
  expect(await everything(world)).not.toMatch(
    /irrepetible|Xochitlalpan|5598761234|5511112222|Quien Recibe|Clave 4417|19\.351177|99\.161177/i,
  )
  expect(await everything(world)).not.toContain(person.email)
  expect(await world.db.select().from(calendarFeeds)).toEqual([])
  expect(await world.db.select().from(sharedVisits)).toEqual([])
  expect(await world.db.select().from(savedViews)).toEqual([])
  expect(await world.db.select().from(files)).toEqual([])
  expect((await keysLeft()).toSorted()).toEqual(Object.values(keysOf(keys)).toSorted())
  const left = await rowsIn(world, sheetAnswers, { appointmentId: visit.id })
  expect(left.map(({ name }) => name)).toEqual(['panelBrand'])
  const [place] = await rowsIn(world, addresses, { id: home.addressId })
  expect(place).toMatchObject({ municipality: 'coyoacan', archivedAt: expect.any(Date) })
  const [kept] = await rowsIn(world, appointments, { id: visit.id })
  expect(kept).toMatchObject({ folio: visit.folio, state: 'done', municipality: 'coyoacan' })
  expect(await trailOf(world, person)).toEqual(['ask_deletion', 'block'])
  const { rows } = await world.db.$client.query(
    `select data from pgboss.job where name = 'account-letter' and data->>'email' = $1`,
    [person.email],
  )
  expect(rows.map(({ data }) => data.letter)).toEqual(['account_deleted'])
})

test('what was held is blocked: sealed, whole, and suppressed with its files when its term is over', async () => {
  const person = await memberOf(world, { name: 'Bloqueada' })
  await world.db.update(users).set({ whatsappOptInAt: new Date() }).where(eq(users.id, person.id))
  const id = randomUUID()
  const paper = { id, customerId: person.id, purpose: 'constancia', uploadedBy: person.id } as const
  await world.db
    .insert(documents)
    .values({ ...paper, type: 'application/pdf', name: 'c.pdf', bytes: 1, sha256: 'e'.repeat(64) })
  await world.drive.put(paperKey({ id }), Buffer.from('x'), 'application/pdf')
  await asks(person)
  await after(6)
  const blocked = async () => (await rowIn(world, blockedAccounts, { customerId: person.id }))!
  const { sealed, suppressAt } = await blocked()
  expect(unsealed(sealed, 'another secret of thirty-two letters')).toBeNull()
  expect(JSON.stringify(unsealed(sealed, secret))).toContain('Bloqueada')
  const said = await rowsIn(world, consents, { userId: person.id })
  expect(said.map(({ given, kind, source }) => [kind, given, source])).toEqual([
    ['whatsapp', false, 'deletion'],
  ])
  const inAWhile = new Date(Date.now() + 30 * day)
  await sweepFiles(db, world.drive, inAWhile)
  expect(await keysLeft()).toContain(paperKey({ id }))
  await suppressDue(db, world.drive, new Date(+suppressAt - 1))
  expect(await blocked()).toMatchObject({ sealed, suppressedAt: null })
  await Promise.all([suppressDue(db, world.drive, suppressAt), suppressDue(db, world.drive, suppressAt)])
  expect(await blocked()).toMatchObject({ sealed: null, files: [], suppressedAt: suppressAt })
  expect(await keysLeft()).not.toContain(paperKey({ id }))
  expect(await trailOf(world, person)).toEqual(['ask_deletion', 'block', 'erase'])
})

test('the e-mail is free for a new account', async () => {
  const person = await memberOf(world)
  await asks(person)
  await after(6)
  expect((await world.post('/signup', { email: person.email, password })).location).toBe('/completion')
})

/** Every row of every table but the queue of letters, as one text. */
async function everything({ db }: World): Promise<string> {
  const { rows } = await db.$client.query(`select table_name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`)
  const texts = await Promise.all(
    rows.map(({ table_name }) =>
      db.$client.query(`select coalesce(jsonb_agg(t)::text, '') as text from "${table_name}" t`),
    ),
  )
  return texts.map(({ rows: [row] }) => row.text).join('\n')
}
