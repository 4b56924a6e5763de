import { expect, test } from 'vitest'
import { timeOff, users } from '../../../src/server/platform/database/schema/accounts.ts'
import { openEach, people, world } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { emailsAbout, expectWords, readable, rowIn, rowsIn, trailOf } from '../../kit/reading.ts'
import { at, now, visitFor, workday } from '../../kit/users.ts'

openEach()

const day = workday()
const account = '/admin/account'
const screen = ({ id }: Person) => `/admin/users/${id}`
const wish = { from: day, to: day, reason: 'Boda de mi hermana' }

const ask = (who: Person, form: Record<string, string> = wish) =>
  world.post(account, { intent: 'time-off-ask', ...form }, who)
const withdraw = (who: Person, timeOffId: string) =>
  world.post(account, { intent: 'time-off-withdraw', timeOffId }, who)
const versionOf = async ({ id }: Person) => String((await rowIn(world, users, { id }))!.version)
const answer = async (of: Person, what: string, form: Record<string, string>, by = people.manager) =>
  world.post(screen(of), { intent: `staffing.${what}`, version: await versionOf(of), ...form }, by)

const offOf = ({ id }: Person) => rowsIn(world, timeOff, { personId: id })
const oneOf = async (who: Person) => (await offOf(who))[0]!

test('asked for, it waits: bookings go on, the manager reads why, nobody else does', async () => {
  const { analyst, manager, technician, technician2 } = people
  const asked = await ask(technician)
  expect([asked.status, asked.location]).toEqual([303, `${account}#permisos`])
  const row = await oneOf(technician)
  expect(row).toMatchObject({ reason: wish.reason, approvedAt: null, refusedAt: null, withdrawnAt: null })
  expect(await emailsAbout(world, row.id)).toEqual(['time_off_asked to managers'])
  expect(readable(await world.visit(account, technician))).toContain('Por aprobar')
  const page = readable(await world.visit(screen(technician), manager))
  expectWords(page, wish.reason, 'Pidió permiso: ')
  for (const other of [technician2, analyst]) {
    expect((await world.visit(screen(technician), other)).text).not.toContain(wish.reason)
    expect((await world.visit(account, other)).text).not.toContain(wish.reason)
  }
})

test('two taps ask once; wrong dates are said under their box, and nothing typed is lost', async () => {
  const { technician } = people
  const taps = await Promise.all([ask(technician), ask(technician)])
  expect(taps.map(({ status }) => status).toSorted()).toEqual([303, 409])
  expect(await offOf(technician)).toHaveLength(1)
  const past = await ask(technician, { from: '2024-01-02', to: '2024-01-03', reason: 'Algo que escribí' })
  expect([past.status, readable(past).includes('Esas fechas ya pasaron.')]).toEqual([400, true])
  expect(past.text).toContain('Algo que escribí')
  const turned = await ask(technician, { from: workday(2), to: workday(1), reason: 'Algo que escribí' })
  expect([turned.status, readable(turned).includes('El final va después del inicio.')]).toEqual([400, true])
  expect((await ask(technician, { from: workday(1), to: workday(1), reason: '' })).status).toBe(400)
})

test('approved through the form that settles the appointments it touches', async () => {
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
  const again = await answer(technician, 'approveTimeOff', { timeOffId: id })
  expect([again.status, readable(again).includes('ya se respondió')]).toEqual([409, true])
  expect((await withdraw(technician, id)).status).toBe(409)
})

test('refused with a reason that the person reads, and asked for again', async () => {
  const { technician } = people
  await ask(technician)
  const { id } = await oneOf(technician)
  const without = await answer(technician, 'refuseTimeOff', { timeOffId: id, refusal: ' ' })
  expect([without.status, readable(without).includes('Escribe por qué')]).toEqual([400, true])
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

test('withdrawn while nobody answered, by nobody but whoever asked', async () => {
  const { manager, technician, technician2 } = people
  await ask(technician)
  const { id } = await oneOf(technician)
  expect((await withdraw(technician2, id)).status).toBe(404)
  expect((await withdraw(manager, id)).status).toBe(403)
  expect((await withdraw(technician, id)).status).toBe(303)
  const again = await withdraw(technician, id)
  expect([again.status, readable(again).includes('ya la retiraste')]).toEqual([409, true])
  expect((await answer(technician, 'approveTimeOff', { timeOffId: id })).status).toBe(409)
  expect(readable(await world.visit(screen(technician), manager))).not.toContain(wish.reason)
  expect(readable(await world.visit(account, technician))).toContain('Retirado')
})

test('analysts ask too; those who carry nothing out have no such card, and no such form', async () => {
  const { ally, analyst, customer, gester, manager } = people
  expect((await ask(analyst)).status).toBe(303)
  for (const who of [ally, gester, manager]) {
    expect((await world.visit(account, who)).text).not.toContain('Permisos y vacaciones')
    expect((await ask(who)).status).toBe(403)
  }
  expect((await ask(customer)).status).toBe(403)
  const { id } = await oneOf(analyst)
  for (const who of [analyst, gester])
    for (const what of ['approveTimeOff', 'refuseTimeOff'])
      expect((await answer(analyst, what, { timeOffId: id, refusal: 'No se puede' }, who)).status).toBe(403)
})
