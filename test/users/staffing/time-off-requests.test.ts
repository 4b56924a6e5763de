import { timeOff, users } from '../../../src/platform/database/schema/accounts.ts'
import { appointments } from '../../../src/platform/database/schema/appointments.ts'
import { hour, minute } from '../../kit/appointments.ts'
import {
  analyst,
  db,
  expectEmails,
  expectNotOnPage,
  expectRow,
  expectScreen,
  expectTrail,
  fixture,
  manager,
  markupOf,
  openEach,
  pageText,
  post,
  rowsWhere,
  rowWhere,
  sentAbout,
  setRow,
  technician,
  technician2,
} from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { expectPage, expectShown, expectStatus, expectStatuses, expectWords } from '../../kit/reading.ts'
import { at, visitFor, workday } from '../../kit/users.ts'

openEach()

const day = workday()
const account = '/admin/account'
const screen = ({ id }: Person) => `/admin/users/${id}`
const input = { from: day, to: day, reason: 'Boda de mi hermana' }

const ask = (who: Person, form: Record<string, string> = input) =>
  post(account, { intent: 'time-off-ask', ...form }, who)
const withdraw = (who: Person, timeOffId: string) =>
  post(account, { intent: 'time-off-withdraw', timeOffId }, who)
const versionOf = async ({ id }: Person) => String((await rowWhere(users, { id }))!.version)
const answer = async (of: Person, what: string, form: Record<string, string>, by = manager) =>
  post(screen(of), { intent: `staffing.${what}`, version: await versionOf(of), ...form }, by)

const offOf = ({ id }: Person) => rowsWhere(timeOff, { personId: id })
const oneOf = async (who: Person) => (await offOf(who))[0]!

test('a request waits for the manager, who alone reads its reason', async () => {
  const asked = await ask(technician)
  expect([asked.status, asked.location]).toEqual([303, `${account}#permisos`])
  const row = await oneOf(technician)
  expect(row).toMatchObject({ reason: input.reason, approvedAt: null, refusedAt: null, withdrawnAt: null })
  await expectEmails(row.id, ['time_off_asked to managers'])
  await expectScreen(account, technician, 'Por aprobar')
  expectWords(await pageText(screen(technician), manager), input.reason, 'Pidió permiso: ')
  for (const other of [technician2, analyst]) {
    expect(await markupOf(screen(technician), other)).not.toContain(input.reason)
    expect(await markupOf(account, other)).not.toContain(input.reason)
  }
})

test('of two requests at once one is stored; wrong dates are refused with what was typed', async () => {
  expectStatuses(await Promise.all([ask(technician), ask(technician)]), 303, 409)
  expect(await offOf(technician)).toHaveLength(1)
  expectPage(
    await ask(technician, { from: '2024-01-02', to: '2024-01-03', reason: 'Algo que escribí' }),
    400,
    'Esas fechas ya pasaron.',
    'Algo que escribí',
  )
})

test('a request is approved once the appointments in it are settled', async () => {
  const visit = await visitFor(technician, at(day, '10:00'))
  await ask(technician)
  const { id } = await oneOf(technician)
  expectShown(await answer(technician, 'approveTimeOff', { timeOffId: id }), 409, '1 cita por resolver')
  expect(await oneOf(technician)).toMatchObject({ approvedAt: null })
  const choice = { [`choice.${visit.id}`]: technician2.id }
  expectStatus(await answer(technician, 'approveTimeOff', { timeOffId: id, ...choice }), 303)
  expect(await oneOf(technician)).toMatchObject({ approvedBy: manager.id })
  await expectRow(appointments, { id: visit.id }, { state: 'assigned', assigneeId: technician2.id })
  expect((await sentAbout(id)).toSorted()).toEqual([
    'time_off_answered to person',
    'time_off_asked to managers',
  ])
  await expectTrail(technician, ['ask_time_off', 'approve_time_off'])
  await expectScreen(account, technician, 'Aprobado')
  expectPage(await answer(technician, 'approveTimeOff', { timeOffId: id }), 409, 'ya se respondió')
  expectStatus(await withdraw(technician, id), 409)
})

test('a request is refused once with a reason that the person reads, and asked for again', async () => {
  await ask(technician)
  const { id } = await oneOf(technician)
  expectPage(
    await answer(technician, 'refuseTimeOff', { timeOffId: id, refusal: ' ' }),
    400,
    'Escribe por qué',
  )
  const taps = await Promise.all(
    ['Ese día no hay nadie más.', 'Ese día no.'].map((refusal) =>
      answer(technician, 'refuseTimeOff', { timeOffId: id, refusal }),
    ),
  )
  expectStatuses(taps, 303, 409)
  expect(await sentAbout(id)).toContain('time_off_answered to person')
  await expectTrail(technician, ['ask_time_off', 'refuse_time_off'])
  const page = await pageText(account, technician)
  expectWords(page, 'Rechazado')
  expect(page).toMatch(/Respuesta: Ese día no/)
  expectStatus(await ask(technician), 303)
})

test('a request is withdrawn by its person while unanswered, once', async () => {
  await ask(technician)
  const { id } = await oneOf(technician)
  expectStatus(await withdraw(technician2, id), 404)
  expectStatus(await withdraw(technician, id), 303)
  expectPage(await withdraw(technician, id), 409, 'ya la retiraste')
  expectStatus(await answer(technician, 'approveTimeOff', { timeOffId: id }), 409)
  await expectNotOnPage(screen(technician), manager, input.reason)
  await expectScreen(account, technician, 'Retirado')
})

// The other roles: test/security/actions/time-off.ts.
test('analysts ask too; people without appointments have neither card nor form', async () => {
  expectStatus(await ask(analyst), 303)
  await expectNotOnPage(account, manager, 'Permisos y vacaciones')
  expectStatus(await ask(manager), 403)
  const { id } = await oneOf(analyst)
  for (const what of ['approveTimeOff', 'refuseTimeOff']) {
    expectStatus(await answer(analyst, what, { timeOffId: id, refusal: 'No se puede' }, analyst), 403)
  }
})

const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString()

async function press(who: Person, move: string, form: object, at = ago(minute)) {
  const { status, text } = await fixture.send('/onsite/time-off', who, {
    method: 'POST',
    headers: { origin: 'http://carga.test', 'content-type': 'application/json', 'x-person': who.id },
    body: JSON.stringify({ move, at, form }),
  })
  return { status, description: (JSON.parse(text) as { description?: string }).description }
}

test('a request from a phone counts once however often it arrives; no event holds its reason', async () => {
  const at = ago(20 * hour)
  expectStatus(await press(technician, 'askTimeOff', input, at), 200)
  // The answer was lost; and another phone of the person asked for the same.
  expectStatus(await press(technician, 'askTimeOff', input, at), 200)
  expectStatus(await press(technician, 'askTimeOff', input), 200)
  const [row, ...more] = await offOf(technician)
  expect([row?.reason, more]).toEqual([input.reason, []])
  await expectEmails(row!.id, ['time_off_asked to managers'])
  const { rows } = await db.$client.query('select data from events where name = $1', ['ask_time_off'])
  expect(rows).toMatchObject([{ data: { pressedAt: at } }])
  expect(JSON.stringify(rows)).not.toContain(input.reason)
})

test('a request from a phone is refused in the name of another technician, and to other roles', async () => {
  expectStatus(await press(analyst, 'askTimeOff', input), 403)
  const { status } = await press({ ...technician2, id: technician.id }, 'askTimeOff', input)
  expect([status, await offOf(technician), await offOf(technician2)]).toEqual([403, [], []])
})

test('a request from a phone is refused with past dates, a late or future press or overlapping days', async () => {
  const cases = [
    [{ ...input, from: '2024-01-02', to: '2024-01-03' }, ago(minute), 'Esas fechas ya pasaron.'],
    [input, ago(73 * hour), 'Llama a la gerencia para registrarlo.'],
    [input, ago(-hour), 'La hora de tu teléfono va adelantada.'],
  ] as const
  for (const [sent, at, words] of cases) {
    const { description, status } = await press(technician, 'askTimeOff', sent, at)
    expect([status >= 400, description]).toEqual([true, expect.stringContaining(words)])
  }
  expect(await offOf(technician)).toEqual([])
  await press(technician, 'askTimeOff', input)
  const longer = await press(technician, 'askTimeOff', { ...input, to: workday(1) })
  expect(longer).toEqual({ status: 409, description: expect.stringContaining('Elige otras') })
})

test('a request is withdrawn once by two phones, at the first press; an answered one stays', async () => {
  await press(technician, 'askTimeOff', input)
  const [row] = await offOf(technician)
  const withdrawn = { timeOffId: row!.id }
  expectStatus(await press(technician2, 'withdrawTimeOff', withdrawn), 404)
  const at = ago(2 * hour)
  expectStatus(await press(technician, 'withdrawTimeOff', withdrawn, at), 200)
  expectStatus(await press(technician, 'withdrawTimeOff', withdrawn), 200)
  expect(await offOf(technician)).toMatchObject([{ withdrawnAt: new Date(at) }])
  await expectTrail(technician, ['ask_time_off', 'withdraw_time_off'])

  await press(technician, 'askTimeOff', input)
  const again = (await offOf(technician)).find(({ withdrawnAt }) => withdrawnAt === null)!
  await setRow(timeOff, again, { refusedAt: new Date(), refusedReason: 'Ese día no.' })
  const late = await press(technician, 'withdrawTimeOff', { timeOffId: again.id })
  expect(late).toEqual({ status: 409, description: expect.stringContaining('Ya te respondieron') })
})
