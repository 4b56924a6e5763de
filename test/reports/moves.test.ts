import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { sheets } from '../../src/platform/database/schema/appointments.ts'
import { approveSheet } from '../../src/reports/review.ts'
import { riskNames } from '../../src/reports/rules/installation-record.ts'
import {
  around,
  assignVisit,
  bookVisit,
  customer,
  expectVisit,
  hour,
  minute,
  move,
  readAgain,
  visit,
  visitAtHome,
  visitOf,
} from '../kit/appointments.ts'
import {
  analyst,
  db,
  eventsAbout,
  expectTrail,
  fixture,
  openEach,
  sendJobs,
  sentAbout,
  storeRows,
  technician,
} from '../kit/open.ts'
import { expectAnswered } from '../kit/reading.ts'
import { answersOf, completeSheet, sheetOf } from '../kit/reports.ts'
import { answer, expectRefused, press } from './phone.ts'

openEach(bookVisit, assignVisit)
sendJobs()

const at = (minutes: number) => around(visit, minutes * minute)
const send = (name: string, minutes: number, more = {}) => press(technician, visit, name, at(minutes), more)

test('stores the steps of a day without a network once, at their times', async () => {
  fixture.at(at(180))
  await completeSheet({ ...visit, assigneeId: technician.id })
  const day = [
    ['setOut', -30],
    ['start', -2],
    ['pause', 10, { reason: 'Fui por material' }],
    ['resume', 25],
    ['submit', 50],
  ] as const
  // The first time the answers were lost on their way.
  for (let times = 0; times < 2; times++)
    for (const [name, minutes, more] of day)
      expect([name, (await send(name, minutes, more)).status]).toEqual([name, 200])
  await expectVisit({
    state: 'done',
    setOutAt: at(-30),
    startedAt: at(-2),
    finishedAt: at(50),
    version: 7,
  })
  const told = (await eventsAbout(visit.id, 'appointment')).slice(2)
  expect(told.map(({ data, name }) => [name, (data as { pressedAt: string }).pressedAt])).toEqual(
    day.map(([name, minutes]) => [name === 'submit' ? 'finish' : name, at(minutes).toISOString()]),
  )
  expect(told[2]!.reason).toBe('Fui por material')
  expect((await sheetOf(visit))!.submittedAt).toEqual(at(180))
  expect(await sentAbout(visit, 'on_the_way')).toHaveLength(1)
})

test('judges a step by the hour at which it was pressed', async () => {
  fixture.at(at(5))
  await expectRefused(send('start', -31), /Desde .* podrás iniciar/)
  await expectAnswered(send('start', -30), 200)
})

test('refuses a step pressed before one that was stored', async () => {
  fixture.at(at(30))
  await send('start', 20)
  await expectRefused(send('pause', 10), /La cita cambió a/)
  await expectTrail(visit, ['book', 'assign', 'start'], 'appointment')
})

test('refuses steps of the future and older than three days, not of a clock a minute ahead', async () => {
  fixture.at(at(0))
  await expectAnswered(send('start', 3), 400)
  await expectAnswered(send('start', 1), 200)
  await expectAnswered(send('start', 1), 200)
  expect((await visitOf(customer)).startedAt).toEqual(at(0))
  fixture.at(at(73 * 60))
  expect((await send('pause', 1)).json.description).toContain('hace más de tres días')
})

test('refuses unknown moves and visits', async () => {
  fixture.at(at(0))
  for (const name of ['undoStart', 'finish', 'callOff', 'noShow', ''])
    await expectAnswered(press(technician, visit, name, at(0)), 400)
  for (const id of [randomUUID(), 'nada'])
    await expectAnswered(press(technician, { id }, 'start', at(0)), 404)
  await readAgain()
  expect(visit.state).toBe('assigned')
})

/** An installation of another customer's with the technician, whose time has come. */
async function installationNow() {
  const owner = await fixture.person()
  const start = new Date(visit.startsAt.getTime() - 5 * hour)
  const input = { service: 'installation', minutes: 240, assigneeId: technician.id } as const
  const installation = await visitAtHome(owner, start, input)
  fixture.at(start)
  return { owner, installation }
}

test('starts an installation only with every risk of its checklist', async () => {
  const { installation } = await installationNow()
  const begin = (checklist: string[]) =>
    press(technician, installation, 'start', installation.startsAt, { checklist })
  const [first, ...rest] = riskNames
  expect((await begin(rest)).json.details.errors).toEqual({ [first!]: 'Falta marcarlo.' })
  expect(await answersOf(installation)).toEqual({})
  await answer(technician, installation, { name: first!, value: true })
  await expectAnswered(begin(rest), 200)
  expect(Object.values(await answersOf(installation)).map(({ value }) => value)).toEqual(
    riskNames.map(() => true),
  )
})

test('an installation ends with its record: its charger is nobody else’s, and a year of warranty begins once it is approved', async () => {
  const { installation, owner } = await installationNow()
  await completeSheet(installation, { chargerSerial: 'wb-1', chargerBrand: 'Wallbox' })
  await move(technician, installation, 'start')
  await storeRows(sheets, {
    appointmentId: visit.id,
    kind: 'installation',
    chargerBrand: 'WALLBOX',
    chargerSerial: 'WB-1',
  })
  const end = around(installation, 2 * hour)
  fixture.at(end)
  const taken = await press(technician, installation, 'submit', end)
  const errors = { chargerSerial: expect.stringContaining('ya está en otra instalación') }
  expect(taken).toMatchObject({ status: 409, json: { code: 'already-exists', details: { errors } } })
  expect((await visitOf(owner)).state).toBe('in_progress')
  await db.delete(sheets).where(eq(sheets.appointmentId, visit.id))
  await expectAnswered(press(technician, installation, 'submit', end), 200)
  const sent = (await sheetOf(installation))!
  expect(sent.warrantyUntil).toBeNull()
  await approveSheet(db, analyst.actor, installation.id, sent, new Date())
  const { chargerSerial, warrantyUntil } = (await sheetOf(installation))!
  const lastDay = Temporal.Instant.fromEpochMilliseconds(end.getTime())
    .toZonedDateTimeISO('America/Mexico_City')
    .toPlainDate()
    .add({ years: 1 })
  expect([chargerSerial, warrantyUntil]).toEqual(['wb-1', lastDay.toString()])
})

test('accepts the steps of a phone whose clock is a minute ahead', async () => {
  for (const [minutes, name] of [
    [-20, 'setOut'],
    [-19.5, 'undoSetOut'],
    [-19, 'setOut'],
    [0, 'start'],
    [0.5, 'pause'],
    [0.75, 'resume'],
  ] as const) {
    fixture.at(at(minutes))
    if (name === 'undoSetOut') await expectAnswered(move(technician, visit, name), 303)
    else expect([name, (await send(name, minutes + 1)).status]).toEqual([name, 200])
  }
  // Heard of again, it is the one it was.
  await expectAnswered(send('start', 1), 200)
})

test('applies the rules of the form to an end without a network, and names the invalid field', async () => {
  fixture.at(at(40))
  const refused = async (name: string, minutes: number, form: object) => {
    const { json, status } = await send(name, minutes, { form })
    return [status, json.description ?? json.details]
  }
  const called = { called: 'yes', calledAt: '00:00' }
  await expectAnswered(send('start', 0), 200)
  expect(await refused('noShow', 14, called)).toEqual([409, expect.stringContaining('A partir de')])
  expect(await refused('noShow', 16, called)).toEqual([400, 'Toma una foto de la fachada.'])
  expect((await refused('noShow', 16, { ...called, called: '' }))[0]).toBe(400)
  expect((await refused('finish', 20, { outcome: 'partial', reason: 'otro', closingNote: 'corta' }))[0]).toBe(
    400,
  )
  expect(await refused('finish', 20, { outcome: 'completed' })).toEqual([
    409,
    expect.stringContaining('Envía tu'),
  ])
  await expectTrail(visit, ['book', 'assign', 'start'], 'appointment')
})
