import { beforeEach, expect, test } from 'vitest'
import {
  agenda,
  around,
  assign,
  book,
  customerWithVisit,
  hour,
  minute,
  occupy,
  slots,
  storeVisit,
  type Visit,
  visitOf,
} from '../kit/appointments.ts'
import { openEach, people, world } from '../kit/open.ts'
import type { Home, Person } from '../kit/people.ts'
import { emailsAbout, eventsOf, expectWords, readable } from '../kit/reading.ts'

const page = '/technics-visit'
openEach()
let customer: Person
let visit: Visit
let free: string[]
let home: Home
beforeEach(async () => {
  // Whoever has booked sees no agenda of their own any more.
  const scout = await world.person()
  home = await world.home(scout)
  free = await slots(world, scout, 1)
  ;({ customer, visit } = await customerWithVisit(world))
})

const change = (startsAt: string, form: Record<string, string> = {}, as = customer, id = visit.id) =>
  world.post(`${agenda}?cambiar=${id}`, { startsAt, version: String(visit.version), ...form }, as)
const cancelling = (form: Record<string, string> = {}, as: Person | undefined = customer) =>
  world.post(
    page,
    {
      intent: 'cancel',
      appointmentId: visit.id,
      version: String(visit.version),
      reason: 'cliente_no_disponible',
      ...form,
    },
    as,
  )
const unchanged = async () => expect(await visitOf(world, customer)).toEqual(visit)
/** The clock stands so long before the visit; the half hour after booking is over. */
async function before(hours: number) {
  await world.db.$client.query(
    `update appointments set created_at = now() - interval '40 days' where id = $1`,
    [visit.id],
  )
  visit = await visitOf(world, customer)
  world.at(around(visit, -hours * hour))
}

test('another time: the screen says the present one, and the person who is free then stays', async () => {
  const seen = readable(await world.visit(`${agenda}?cambiar=${visit.id}`, customer))
  expect(seen).toContain('Tu cita actual:')
  expect(readable(await world.visit(page, customer))).toContain('Te quedan 2 cambios')
  const answer = await change(free[2]!)
  expect([answer.status, answer.location]).toEqual([303, page])
  expect(await visitOf(world, customer)).toMatchObject({
    state: 'requested',
    assigneeId: visit.assigneeId,
    startsAt: new Date(free[2]!),
    version: visit.version + 1,
    sequence: 1,
    movedByCustomer: 1,
    movedByUs: 0,
  })
  expect(await emailsAbout(world, visit)).toEqual(['booked to customer', 'changed to customer'])
  expect((await eventsOf(world, visit.id, 'appointment'))[1]).toMatchObject({
    name: 'reschedule',
    actorId: customer.id,
    data: { startsAt: free[2], was: visit.startsAt.toISOString(), assigneeId: visit.assigneeId },
  })
})

test('the same form sent twice at once, and again later, is one change', async () => {
  const answers = await Promise.all([change(free[2]!), change(free[2]!)])
  expect([...answers, await change(free[2]!)].map(({ status }) => status)).toEqual([303, 303, 303])
  expect(await visitOf(world, customer)).toMatchObject({ version: visit.version + 1, movedByCustomer: 1 })
  expect(await emailsAbout(world, visit)).toHaveLength(2)
})

test('the connection is lost in the middle: nothing of it stands, the form says so, and sent again it is one change', async () => {
  const run = (text: string) => world.db.$client.query(text)
  await run(`create function cut() returns trigger language plpgsql as
    $$ begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$;
    create trigger cut after update on appointments for each row execute function cut()`)
  const lost = await change(free[2]!)
  expect([lost.status, readable(lost).includes('Servicio no disponible')]).toEqual([503, true])
  expect(lost.text).toContain(free[2]!)
  await unchanged()
  await run('drop trigger cut on appointments; drop function cut()')
  expect([(await change(free[2]!)).status, (await change(free[2]!)).status]).toEqual([303, 303])
  expect(await visitOf(world, customer)).toMatchObject({ version: visit.version + 1, movedByCustomer: 1 })
  expect((await eventsOf(world, visit.id, 'appointment')).map(({ name }) => name)).toEqual([
    'book',
    'reschedule',
  ])
})

test('somebody else goes, provisionally, where the confirmed person is busy then; that one hears', async () => {
  await world.person({ kind: 'tecnician', name: 'Otro' })
  await world.db.$client.query(
    `update appointments set state = 'assigned', confirmed_at = now() where id = $1`,
    [visit.id],
  )
  await occupy(world, { ...people.technician, id: visit.assigneeId! }, new Date(free[2]!))
  expect((await change(free[2]!)).status).toBe(303)
  const moved = await visitOf(world, customer)
  expect(moved).toMatchObject({ state: 'requested', confirmedAt: null })
  expect(moved.assigneeId).not.toBe(visit.assigneeId)
  expect(await emailsAbout(world, visit)).toEqual([
    'booked to customer',
    'changed to customer',
    'no_person to person',
  ])
})

test('a time that somebody took meanwhile is refused with what is near; nothing changes', async () => {
  for (const one of [people.technician, people.technician2])
    await occupy(world, one, new Date(free[2]!)).catch(() => undefined)
  await world.db.$client.query(
    `update users set active = false where kind = 'tecnician' and id not in ($1, $2)`,
    [people.technician.id, people.technician2.id],
  )
  const answer = await change(free[2]!)
  expect(answer.status).toBe(409)
  expect(readable(answer)).toContain('Estos están libres y son los más cercanos')
  await unchanged()
})

test('two moves, the third is refused and help offered; what we caused does not count', async () => {
  await world.db.$client.query(
    'update appointments set moved_by_customer = 2, moved_by_us = 5 where id = $1',
    [visit.id],
  )
  const answer = await change(free[2]!)
  expect(answer.status).toBe(409)
  const words = readable(answer)
  expectWords(words, 'Ya usaste tus cambios', 'Pedir ayuda')
  expect((await cancelling()).status).toBe(303)
})

test('after the cut-off a change is refused, everything stays, and help is offered', async () => {
  await before(23)
  const answer = await change(free[2]!)
  expect(answer.status).toBe(409)
  expect(readable(answer)).toContain('Tu cita sigue como está')
  expect(readable(answer)).toContain('Pedir ayuda')
  await unchanged()
  const seen = readable(await world.visit(page, customer))
  expect(seen).toContain('Cancelar de todos modos')
  expect(seen).not.toContain('Cambiar de hora')
})

test('what nobody offers, a stale version and wrong forms change nothing', async () => {
  const odd = around({ startsAt: new Date(free[2]!) }, 7 * minute).toISOString()
  expect((await change(odd)).status).toBe(400)
  expect((await change(visit.startsAt.toISOString())).status).toBe(409)
  const stale = await change(free[2]!, { version: '9' })
  expect(stale.status).toBe(409)
  expect(readable(stale)).toContain('Alguien más actualizó este registro')
  for (const form of [{ startsAt: 'mañana' }, { version: 'x' }])
    expect((await change(free[2]!, form)).status).toBe(400)
  for (const intent of ['', 'toString', '__proto__']) expect((await cancelling({ intent })).status).toBe(400)
  await unchanged()
})

test('nobody changes or cancels another’s', async () => {
  expect((await change(free[2]!, {}, people.customer2)).status).toBe(404)
  expect((await cancelling({}, people.customer2)).status).toBe(404)
  expect((await world.visit(`${agenda}?cambiar=${visit.id}`, people.customer2)).status).toBe(404)
  await unchanged()
})

test('a cancellation in time keeps its reason and is told; sent twice it is one', async () => {
  const answers = await Promise.all([
    cancelling({ note: 'Salgo de viaje' }),
    cancelling({ note: 'Salgo de viaje' }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([303, 303])
  expect(await visitOf(world, customer)).toMatchObject({
    state: 'cancelled',
    late: false,
    closingReason: 'cliente_no_disponible',
    closingNote: 'Salgo de viaje',
    sequence: 1,
  })
  expect(await emailsAbout(world, visit)).toEqual(['booked to customer', 'cancelled to customer'])
  expect(readable(await world.visit(page, customer))).toMatch(/Motivo No podías a esa hora/)
  expect((await book(world, customer, free[2]!)).status).toBe(303)
})

test('late only knowingly: the plain form is refused, the other one tells the managers at once', async () => {
  await before(2)
  const plain = await cancelling({ note: 'Se me complicó' })
  expect(plain.status).toBe(409)
  expect(readable(plain)).toContain('Cancelar de todos modos')
  expect(plain.text).toContain('Se me complicó')
  await unchanged()
  expect((await cancelling({ intent: 'cancel-late' })).status).toBe(303)
  expect(await visitOf(world, customer)).toMatchObject({ state: 'cancelled', late: true })
  expect(await emailsAbout(world, visit)).toContain('late_cancel to managers')
})

test('too early to be late; once somebody set out there is no way; a reason is needed', async () => {
  expect((await cancelling({ intent: 'cancel-late' })).status).toBe(409)
  expect((await cancelling({ reason: '' })).status).toBe(400)
  expect((await cancelling({ reason: 'clima' })).status).toBe(400)
  expect((await cancelling({ reason: 'otro', note: 'corto' })).status).toBe(400)
  await unchanged()
  await world.db.$client.query(
    `update appointments set state = 'en_route', confirmed_at = now() where id = $1`,
    [visit.id],
  )
  expect((await cancelling({ intent: 'cancel-late' })).status).toBe(409)
})

test('a move into a slot being booked: one of the two gets it, and nobody is in two places', async () => {
  await world.db.$client.query(`update users set active = false where kind = 'tecnician' and id <> $1`, [
    visit.assigneeId,
  ])
  for (let round = 4; round < 8; round++) {
    const rival = await world.person()
    await world.home(rival)
    const current = await visitOf(world, customer)
    await world.db.$client.query('update appointments set moved_by_customer = 0 where id = $1', [visit.id])
    const answers = await Promise.all([
      change(free[round]!, { version: String(current.version) }),
      book(world, rival, free[round]!),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409])
    await world.db.$client.query(`update appointments set state = 'cancelled' where customer_id = $1`, [
      rival.id,
    ])
  }
})

test('the manager gives it to somebody while its customer moves it: one after the other, or one is refused', async () => {
  for (let round = 0; round < 4; round++) {
    await world.db.$client.query('update appointments set moved_by_customer = 0 where id = $1', [visit.id])
    const current = await visitOf(world, customer)
    const answers = await Promise.all([
      change(free[round + 5]!, { version: String(current.version) }),
      assign(world, people.manager, current, people.technician, { overrideReason: 'Lo pidió' }),
    ])
    // Both saw the same version: the second to hold the row is told that it changed.
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409])
    expect((await visitOf(world, customer)).version).toBe(current.version + 1)
  }
})

test('an hour at which the customer has something else is refused in these words', async () => {
  const call = { service: 'videocall' as const, assigneeId: people.analyst.id, minutes: 30 }
  await storeVisit(world, customer, { ...home, projectId: visit.projectId }, new Date(free[3]!), call)
  const answer = await change(free[3]!)
  expect(answer.status).toBe(409)
  expect(readable(answer)).toContain('A esa hora ya tienes otra cita')
})
