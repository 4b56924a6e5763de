import { expect, test } from 'vitest'
import { timeOff, users } from '../../../src/server/platform/database/schema/accounts.ts'
import { hour, minute } from '../../kit/appointments.ts'
import { openEach, people, world } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { emailsAbout, expectPage, expectWords, readable, rowIn, rowsIn, trailOf } from '../../kit/reading.ts'
import { at, now, visitFor, workday } from '../../kit/users.ts'

openEach()

const day = workday()
const account = '/admin/account'
const screen = ({ id }: Person) => `/admin/users/${id}`
const input = { from: day, to: day, reason: 'Boda de mi hermana' }

const ask = (who: Person, form: Record<string, string> = input) =>
  world.post(account, { intent: 'time-off-ask', ...form }, who)
const withdraw = (who: Person, timeOffId: string) =>
  world.post(account, { intent: 'time-off-withdraw', timeOffId }, who)
const versionOf = async ({ id }: Person) => String((await rowIn(world, users, { id }))!.version)
const answer = async (of: Person, what: string, form: Record<string, string>, by = people.manager) =>
  world.post(screen(of), { intent: `staffing.${what}`, version: await versionOf(of), ...form }, by)

const offOf = ({ id }: Person) => rowsIn(world, timeOff, { personId: id })
const oneOf = async (who: Person) => (await offOf(who))[0]!

test('a request waits for the manager, who alone reads its reason', async () => {
  const { analyst, manager, technician, technician2 } = people
  const asked = await ask(technician)
  expect([asked.status, asked.location]).toEqual([303, `${account}#permisos`])
  const row = await oneOf(technician)
  expect(row).toMatchObject({ reason: input.reason, approvedAt: null, refusedAt: null, withdrawnAt: null })
  expect(await emailsAbout(world, row.id)).toEqual(['time_off_asked to managers'])
  expect(readable(await world.visit(account, technician))).toContain('Por aprobar')
  const page = readable(await world.visit(screen(technician), manager))
  expectWords(page, input.reason, 'Pidió permiso: ')
  for (const other of [technician2, analyst]) {
    expect((await world.visit(screen(technician), other)).text).not.toContain(input.reason)
    expect((await world.visit(account, other)).text).not.toContain(input.reason)
  }
})

test('asks once of two at the same time, and refuses wrong dates with what was typed', async () => {
  const { technician } = people
  const taps = await Promise.all([ask(technician), ask(technician)])
  expect(taps.map(({ status }) => status).toSorted()).toEqual([303, 409])
  expect(await offOf(technician)).toHaveLength(1)
  const past = await ask(technician, { from: '2024-01-02', to: '2024-01-03', reason: 'Algo que escribí' })
  expectPage(past, 400, 'Esas fechas ya pasaron.', 'Algo que escribí')
  const turned = await ask(technician, { from: workday(2), to: workday(1), reason: 'Algo que escribí' })
  expectPage(turned, 400, 'El final va después del inicio.')
})

test('approved once the appointments in it are settled', async () => {
  const { manager, technician, technician2 } = people
  const visit = await visitFor(world, technician, at(day, '10:00'))
  await ask(technician)
  const { id } = await oneOf(technician)
  const unsettled = await answer(technician, 'approveTimeOff', { timeOffId: id })
  expect(unsettled.status).toBe(409)
  expect(readable(unsettled)).toContain('1 cita por resolver')
  expect(await oneOf(technician)).toMatchObject({ approvedAt: null })
  const choice = { [`choice.${visit.id}`]: technician2.id }
  expect((await answer(technician, 'approveTimeOff', { timeOffId: id, ...choice })).status).toBe(303)
  expect(await oneOf(technician)).toMatchObject({ approvedBy: manager.id })
  expect(await now(visit, world)).toMatchObject({ state: 'assigned', assigneeId: technician2.id })
  expect((await emailsAbout(world, id)).toSorted()).toEqual([
    'time_off_answered to person',
    'time_off_asked to managers',
  ])
  expect(await trailOf(world, technician)).toEqual(['ask_time_off', 'approve_time_off'])
  expect(readable(await world.visit(account, technician))).toContain('Aprobado')
  expectPage(await answer(technician, 'approveTimeOff', { timeOffId: id }), 409, 'ya se respondió')
  expect((await withdraw(technician, id)).status).toBe(409)
})

test('refused once with a reason that the person reads, and asked for again', async () => {
  const { technician } = people
  await ask(technician)
  const { id } = await oneOf(technician)
  const without = await answer(technician, 'refuseTimeOff', { timeOffId: id, refusal: ' ' })
  expectPage(without, 400, 'Escribe por qué')
  const taps = await Promise.all(
    ['Ese día no hay nadie más.', 'Ese día no.'].map((refusal) =>
      answer(technician, 'refuseTimeOff', { timeOffId: id, refusal }),
    ),
  )
  expect(taps.map(({ status }) => status).toSorted()).toEqual([303, 409])
  expect(await emailsAbout(world, id)).toContain('time_off_answered to person')
  expect(await trailOf(world, technician)).toEqual(['ask_time_off', 'refuse_time_off'])
  const page = readable(await world.visit(account, technician))
  expect(page).toContain('Rechazado')
  expect(page).toMatch(/Respuesta: Ese día no/)
  expect((await ask(technician)).status).toBe(303)
})

test('withdrawn by its person while unanswered, once', async () => {
  const { manager, technician, technician2 } = people
  await ask(technician)
  const { id } = await oneOf(technician)
  expect((await withdraw(technician2, id)).status).toBe(404)
  expect((await withdraw(technician, id)).status).toBe(303)
  expectPage(await withdraw(technician, id), 409, 'ya la retiraste')
  expect((await answer(technician, 'approveTimeOff', { timeOffId: id })).status).toBe(409)
  expect(readable(await world.visit(screen(technician), manager))).not.toContain(input.reason)
  expect(readable(await world.visit(account, technician))).toContain('Retirado')
})

// The other roles: test/security/actions/time-off.ts.
test('analysts ask too; people without appointments have neither card nor form', async () => {
  const { analyst, manager } = people
  expect((await ask(analyst)).status).toBe(303)
  expect((await world.visit(account, manager)).text).not.toContain('Permisos y vacaciones')
  expect((await ask(manager)).status).toBe(403)
  const { id } = await oneOf(analyst)
  for (const what of ['approveTimeOff', 'refuseTimeOff']) {
    const form = { timeOffId: id, refusal: 'No se puede' }
    expect((await answer(analyst, what, form, analyst)).status).toBe(403)
  }
})

const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString()

async function press(who: Person, move: string, form: object, at = ago(minute)) {
  const { status, text } = await world.send('/onsite/time-off', who, {
    method: 'POST',
    headers: { origin: 'http://carga.test', 'content-type': 'application/json', 'x-person': who.id },
    body: JSON.stringify({ move, at, form }),
  })
  return { status, said: JSON.parse(text) as { description?: string } }
}

test('a request from a phone counts once however often it arrives; no event holds its reason', async () => {
  const { technician } = people
  const at = ago(20 * hour)
  expect((await press(technician, 'askTimeOff', input, at)).status).toBe(200)
  // The answer was lost; and another phone of the person asked for the same.
  expect((await press(technician, 'askTimeOff', input, at)).status).toBe(200)
  expect((await press(technician, 'askTimeOff', input)).status).toBe(200)
  const [row, ...more] = await offOf(technician)
  expect([row?.reason, more]).toEqual([input.reason, []])
  expect(await emailsAbout(world, row!.id)).toEqual(['time_off_asked to managers'])
  const { rows } = await world.db.$client.query('select data from events where name = $1', ['ask_time_off'])
  expect(rows).toMatchObject([{ data: { pressedAt: at } }])
  expect(JSON.stringify(rows)).not.toContain(input.reason)
})

test('is refused in the name of another technician, and to other roles', async () => {
  const { analyst, technician, technician2 } = people
  expect((await press(analyst, 'askTimeOff', input)).status).toBe(403)
  const { status } = await press({ ...technician2, id: technician.id }, 'askTimeOff', input)
  expect([status, await offOf(technician), await offOf(technician2)]).toEqual([403, [], []])
})

test('refuses past dates, late and future presses and overlapping days in words', async () => {
  const { technician } = people
  const cases = [
    [{ ...input, from: '2024-01-02', to: '2024-01-03' }, ago(minute), 'Esas fechas ya pasaron.'],
    [input, ago(73 * hour), 'Llama a la gerencia para registrarlo.'],
    [input, ago(-hour), 'La hora de tu teléfono va adelantada.'],
  ] as const
  for (const [sent, at, words] of cases) {
    const { said, status } = await press(technician, 'askTimeOff', sent, at)
    expect([status >= 400, said.description]).toEqual([true, expect.stringContaining(words)])
  }
  expect(await offOf(technician)).toEqual([])
  await press(technician, 'askTimeOff', input)
  const longer = await press(technician, 'askTimeOff', { ...input, to: workday(1) })
  expect([longer.status, longer.said.description]).toEqual([409, expect.stringContaining('Elige otras')])
})

test('is withdrawn once by two phones, at the first press; an answered one stays', async () => {
  const { technician, technician2 } = people
  await press(technician, 'askTimeOff', input)
  const [row] = await offOf(technician)
  const withdrawn = { timeOffId: row!.id }
  expect((await press(technician2, 'withdrawTimeOff', withdrawn)).status).toBe(404)
  const at = ago(2 * hour)
  expect((await press(technician, 'withdrawTimeOff', withdrawn, at)).status).toBe(200)
  expect((await press(technician, 'withdrawTimeOff', withdrawn)).status).toBe(200)
  expect(await offOf(technician)).toMatchObject([{ withdrawnAt: new Date(at) }])
  expect(await trailOf(world, technician)).toEqual(['ask_time_off', 'withdraw_time_off'])

  await press(technician, 'askTimeOff', input)
  const again = (await offOf(technician)).find(({ withdrawnAt }) => withdrawnAt === null)!
  await world.db.$client.query('update time_off set refused_at = now(), refused_reason = $2 where id = $1', [
    again.id,
    'Ese día no.',
  ])
  const late = await press(technician, 'withdrawTimeOff', { timeOffId: again.id })
  expect([late.status, late.said.description]).toEqual([409, expect.stringContaining('Ya te respondieron')])
})
