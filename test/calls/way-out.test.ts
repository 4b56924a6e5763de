import { expect, test } from 'vitest'
import { shortDate } from '../../src/domain/shared/format.ts'
import { calls } from '../../src/server/platform/database/schema/appointments.ts'
import { tasks } from '../../src/server/platform/database/schema/projects.ts'
import { around, minute, move, type Visit, visitOf } from '../kit/appointments.ts'
import { openEach, people, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { eventsOf, loaded, readable, rowsIn, trailOf } from '../kit/reading.ts'
import { at, workday } from '../kit/users.ts'
import { comes, goes, storeCall } from './waiting.ts'

let call: Visit
let customer: Person
openEach(async () => {
  customer = people.customer
  call = await storeCall(world, customer, at(workday(), '11:00'), people.analyst)
})

const page = '/videocall'
const clock = (after: number) => world.at(around(call, after * minute))
const now = () => visitOf(world, customer)
const say = (intent: string, by: Person | undefined = customer, path = page) =>
  world.post(path, { intent, appointmentId: call.id }, by)
const seen = async () => readable(await world.visit(page, customer))
type Turn = { call: { turn: string | null; changesIn: number | null } }
const turn = async () => {
  const { call } = loaded<Turn>(await world.data(page, customer), 'appointments/videocall')
  return [call.turn, call.changesIn === null ? null : call.changesIn / minute]
}

test('the page says what it is time for, and when it will be something else', async () => {
  clock(-24 * 60)
  expect(await seen()).toContain(`La sala abre el ${shortDate(call.startsAt)} a las 10:45 a. m.`)
  clock(-60)
  expect(await turn()).toEqual([null, 45])
  expect(await seen()).toContain('La sala abre a las 10:45 a. m.')
  clock(-15)
  expect(await turn()).toEqual(['open', null])
  expect(await seen()).toContain('Tu llamada ya está abierta.')
  expect((await world.visit('/', customer)).text).toContain('href="/videocall?llamada"')
  await comes(world, call, people.analyst, -10)
  clock(-9)
  expect(await turn()).toEqual(['expected', null])
  expect(readable(await world.visit('/', customer))).toContain('Tu analista ya te espera en la sala')
  await goes(world, call, people.analyst, -8)
  await comes(world, call, customer, -5)
  clock(-5)
  expect(await turn()).toEqual(['waiting', 15])
  clock(9.5)
  expect(await turn()).toEqual(['waiting', 0.5])
  expect(await seen()).not.toContain('Seguir esperando')
  clock(10)
  expect(await turn()).toEqual(['left_alone', 20])
  const choices = await seen()
  for (const words of ['Tu analista no ha llegado', 'Seguir esperando', 'Otro horario', 'Llámenme al 551'])
    expect(choices).toContain(words)
})

test('whoever waits on is asked again ten minutes later; the call can still be taken over meanwhile', async () => {
  await comes(world, call, customer, -5)
  clock(9)
  const early = await say('keep-waiting')
  expect([early.status, readable(early).includes('Tu analista todavía puede llegar.')]).toEqual([409, true])
  clock(11)
  expect((await say('keep-waiting')).location).toBe(page)
  expect(await turn()).toEqual(['waiting', 10])
  expect(await now()).toMatchObject({ state: 'assigned', version: call.version })
  expect(await trailOf(world, call, 'appointment')).toEqual(['keepWaiting'])
  const analyst2 = await world.person({ kind: 'analyst', name: 'Ana' })
  expect((await move(world, analyst2, call, 'takeOver', { version: String(call.version) })).status).toBe(303)
  clock(20.9)
  expect((await turn())[0]).toBe('waiting')
  clock(21)
  expect((await turn())[0]).toBe('left_alone')
})

test('a form of the room leads back into the room', async () => {
  await comes(world, call, customer, -5)
  clock(11)
  expect((await say('keep-waiting', customer, `${page}?llamada`)).location).toBe(`${page}?llamada`)
  expect((await say('ask-call-back', customer, `${page}?llamada`)).location).toBe(`${page}?llamada`)
})

test('another time after the cut-off is free of charge: ours to answer for, and the room is empty again', async () => {
  await world.db.$client.query('update appointments set moved_by_customer = 2 where id = $1', [call.id])
  await comes(world, call, customer, -5)
  clock(9)
  const agenda = `/agenda-videocall?cambiar=${call.id}`
  expect(readable(await world.visit(agenda, customer))).toContain('Ya pasó el plazo')
  clock(11)
  await say('keep-waiting')
  const { chosen } = loaded<{ chosen: { starts: string[] } }>(
    await world.data(agenda, customer),
    'book-videocall',
  )
  const [startsAt] = chosen.starts
  const answer = await world.post(agenda, { startsAt: startsAt!, version: String(call.version) }, customer)
  expect(answer.location).toBe(page)
  expect(await now()).toMatchObject({
    startsAt: new Date(startsAt!),
    state: 'assigned',
    movedByCustomer: 2,
    movedByUs: 1,
    customerWaitingSince: null,
    customerCameAt: null,
  })
  const [row] = await rowsIn(world, calls, { appointmentId: call.id })
  expect(row!.keepsWaitingAt).toBeNull()
  expect((await turn())[0]).toBeNull()
})

test('not of a call that goes on; nor does having waited make a cancellation late', async () => {
  await comes(world, call, customer, -5)
  clock(11)
  expect(await seen()).not.toContain('Cancelar de todos modos')
  await move(world, people.analyst, call, 'start')
  const { version } = await now()
  const form = { startsAt: at(workday(2), '11:00').toISOString(), version: String(version) }
  // Refused; and its screen leads to what goes on.
  expect((await world.post(`/agenda-videocall?cambiar=${call.id}`, form, customer)).location).toBe(page)
  expect(await now()).toMatchObject({ state: 'in_progress', startsAt: call.startsAt, version })
})

test('who gave up may cancel without being late', async () => {
  await comes(world, call, customer, 0)
  await goes(world, call, customer, 4)
  clock(12)
  await say('keep-waiting')
  expect(await seen()).toContain('sin que cuente entre tus cambios')
  const form = {
    appointmentId: call.id,
    version: String(call.version),
    reason: 'cliente_no_disponible',
    note: '',
  }
  expect((await world.post(page, { intent: 'cancel', ...form }, customer)).status).toBe(303)
  expect(await now()).toMatchObject({ state: 'cancelled', late: false })
})

test('"Te llamamos" is one urgent task, however often it is said, and the customer reads where', async () => {
  clock(-16)
  const early = await say('ask-call-back')
  expect([early.status, readable(early).includes('podrás pedir que te llamemos')]).toEqual([409, true])
  clock(12)
  await comes(world, call, customer, 0)
  const taps = await Promise.all([say('ask-call-back'), say('ask-call-back')])
  expect(taps.map(({ location }) => location)).toEqual([page, page])
  expect(await now()).toMatchObject({ state: 'assigned', callBackAskedAt: around(call, 12 * minute) })
  expect(await world.db.select().from(tasks)).toMatchObject([
    {
      reason: 'call_back',
      urgent: true,
      phone: '5512345678',
      personId: customer.id,
      projectId: call.projectId,
      appointmentId: call.id,
      doneAt: null,
    },
  ])
  expect((await eventsOf(world, call.id, 'appointment')).map(({ name }) => name)).toEqual(['askCallBack'])
  expect(await seen()).toContain('Te llamamos al 551 234 56 78 lo antes posible')
  expect(readable(await world.visit('/', customer))).toContain('Te llamamos por teléfono')
  for (const person of [people.manager, people.analyst])
    expect(readable(await world.visit('/admin', person))).toContain(
      `Llamar por teléfono: el cliente lo pidió en su videollamada ${call.folio}`,
    )
  const screen = await world.visit(`/admin/appointment-pending-videocall/${call.id}`, people.analyst)
  expect(readable(screen)).toContain('Pidió que le llamemos por teléfono')
})

test('picture and sound without a way: also in the middle of a call', async () => {
  await comes(world, call, customer, -2)
  await comes(world, call, people.analyst, -1)
  clock(0)
  await move(world, people.analyst, call, 'start')
  clock(3)
  expect((await say('ask-call-back')).location).toBe(page)
  expect(await now()).toMatchObject({ state: 'in_progress', callBackAskedAt: around(call, 3 * minute) })
  expect(await seen()).toContain('Te llamamos al 551 234 56 78 lo antes posible')
})

test('nothing of it changes what is over', async () => {
  await comes(world, call, customer, 0)
  clock(12)
  for (const intent of ['keep-waiting', 'ask-call-back']) {
    expect((await world.post(page, { intent, appointmentId: 'x' }, customer)).status).toBe(400)
  }
  await world.db.$client.query(`update appointments set state = 'cancelled' where id = $1`, [call.id])
  for (const intent of ['keep-waiting', 'ask-call-back']) expect((await say(intent)).status).toBe(409)
  expect(await world.db.select().from(tasks)).toEqual([])
})
