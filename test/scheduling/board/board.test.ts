import { expect, test } from 'vitest'
import { occupy } from '../../kit/appointments.ts'
import { openEach, people, world } from '../../kit/open.ts'
import { emailsAbout, eventsOf, expectPage, expectWords, readable } from '../../kit/reading.ts'
import { boardOf, drop, screen } from '../../kit/scheduling.ts'
import { at, now as stored, visitFor, workday } from '../../kit/users.ts'

openEach()

const day = workday()

test('the board shows who works that day and what they have, cancelled ones left out', async () => {
  const { manager, technician, analyst } = people
  const visit = await visitFor(world, technician, at(day, '10:00'))
  await visitFor(world, technician, at(day, '12:00'), { state: 'cancelled' })
  await visitFor(world, null, at(day, '13:00'))
  const { board } = await boardOf(world, manager, day)
  expect(board.people.map(({ id }) => id)).toEqual(expect.arrayContaining([technician.id, analyst.id]))
  expect(board.visits).toHaveLength(2)
  expect(board.visits[0]).toMatchObject({
    id: visit.id,
    personId: technician.id,
    customer: 'Camila P.',
    confirmed: true,
    start: visit.startsAt.getTime() / 60_000,
    end: visit.startsAt.getTime() / 60_000 + 60,
  })
  const page = readable(await world.visit(`${screen}?dia=${day}`, manager))
  expectWords(page, '10:00 a. m. a 11:00 a. m.', 'Camila P.', 'Todo su horario está libre.')
})

test('on a holiday the board says so, and of nobody that they are free', async () => {
  const page = readable(await world.visit(`${screen}?dia=2026-12-25`, people.manager))
  expect(page).toContain('viernes 25 de diciembre de 2026 · día festivo · 0 citas')
  expect(page).not.toContain('Todo su horario está libre.')
})

test('each figure is what its link shows', async () => {
  const { manager, technician } = people
  await visitFor(world, technician, at(day, '10:00'), { state: 'requested', confirmedAt: null })
  await visitFor(world, null, at(day, '13:00'))
  await visitFor(world, null, at(workday(1), '13:00'), { municipality: 'tlalpan' })
  await visitFor(world, technician, at(day, '16:00'), { state: 'en_route' })
  const all = await boardOf(world, manager, day)
  expect(all.counts).toEqual({ waiting: 3, withoutPerson: 2, enRoute: 1 })
  expect(all.queue).toHaveLength(3)
  expect((await boardOf(world, manager, day, '&persona=nadie')).queue).toHaveLength(2)
  const narrowed = await boardOf(world, manager, day, '&zona=tlalpan&persona=nadie')
  expect([narrowed.counts.withoutPerson, narrowed.queue.length]).toEqual([1, 1])
  const several = await boardOf(world, manager, day, '&zona=tlalpan&zona=coyoacan')
  expect([several.counts.waiting, several.queue.length]).toEqual([3, 3])
  const pending = readable(await world.visit('/admin/appointments-pending?state=en_route', manager))
  expect(pending).toContain('1 cita')
})

test('an address that makes no sense is today’s board', async () => {
  for (const query of ['?dia=2026-02-30', '?dia=ayer', '?zona=roma&service=pizza&after=x'])
    expect((await world.visit(`${screen}${query}`, people.manager)).status).toBe(200)
})

test('dropped on somebody else, a block goes there at its time, and both sides hear', async () => {
  const { manager, technician, technician2 } = people
  const visit = await visitFor(world, technician, at(day, '10:00'))
  const answer = await drop(world, manager, visit, { to: technician2, startsAt: visit.startsAt })
  expect([answer.status, answer.location]).toEqual([303, screen])
  const after = await stored(visit, world)
  expect(after).toMatchObject({ assigneeId: technician2.id, state: 'assigned', startsAt: visit.startsAt })
  expect((await eventsOf(world, visit.id, 'appointment')).at(-1)).toMatchObject({
    name: 'reassign',
    actorId: manager.id,
  })
  expect(await emailsAbout(world, visit)).toContain('assigned to customer')
})

test('dropped at another time, it is moved there: its customer reads of the new time', async () => {
  const { manager, technician, technician2 } = people
  const visit = await visitFor(world, technician, at(day, '10:00'))
  const answer = await drop(world, manager, visit, { to: technician2, startsAt: at(day, '12:30') })
  expect(answer.status).toBe(303)
  const after = await stored(visit, world)
  expect(after).toMatchObject({ assigneeId: technician2.id, state: 'assigned', startsAt: at(day, '12:30') })
  expect([after.movedByUs, after.movedByCustomer, after.sequence]).toEqual([1, 0, visit.sequence + 1])
  expect(await emailsAbout(world, visit)).toContain('changed to customer')
})

test('a hard reason ends it in words, a soft one asks why', async () => {
  const { manager, technician, technician2 } = people
  const visit = await visitFor(world, technician, at(day, '10:00'))
  await occupy(world, technician2, at(day, '10:30'))
  const hard = await drop(world, manager, visit, {
    to: technician2,
    startsAt: visit.startsAt,
    overrideReason: 'Sí',
  })
  expectPage(hard, 409, 'Ya tiene otra cita a esa hora')
  const soft = await drop(world, manager, visit, { to: technician, startsAt: at(day, '18:00') })
  expect([soft.status, soft.text.includes('Queda fuera de su turno')]).toEqual([409, true])
  expect((await stored(visit, world)).version).toBe(visit.version)
  const why = await drop(world, manager, visit, {
    to: technician,
    startsAt: at(day, '18:00'),
    overrideReason: 'El cliente llega tarde',
  })
  expect(why.status).toBe(303)
  expect((await stored(visit, world)).overrideReason).toBe('El cliente llega tarde')
})

test('of two managers at once one is told; sent twice, it is one move', async () => {
  const { manager, technician, technician2 } = people
  const visit = await visitFor(world, technician, at(day, '10:00'))
  const answers = await Promise.all([
    drop(world, manager, visit, { to: technician2, startsAt: visit.startsAt }),
    drop(world, manager, visit, { to: technician, startsAt: visit.startsAt }),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409])
  expect(answers.find(({ status }) => status === 409)!.text).toContain('Alguien más')
  const { assigneeId } = await stored(visit, world)
  const again = { to: { id: assigneeId! }, startsAt: visit.startsAt }
  expect((await drop(world, manager, visit, again)).status).toBe(303)
  expect((await stored(visit, world)).version).toBe(visit.version + 1)
})

test('a year mistyped is refused, whatever the reason; the farthest is two years ahead', async () => {
  const { manager, technician } = people
  const visit = await visitFor(world, technician, at(day, '10:00'))
  const startsAt = new Date(visit.startsAt.getTime() + 3 * 365 * 86_400_000)
  const far = await drop(world, manager, visit, { to: technician, startsAt, overrideReason: 'Así lo pidió' })
  expect([far.status, far.text.includes('Es demasiado lejos: hasta dos años adelante.')]).toEqual([400, true])
  expect((await stored(visit, world)).version).toBe(visit.version)
})

test('bad input is said', async () => {
  const { manager, technician } = people
  const visit = await visitFor(world, technician, at(day, '10:00'))
  const nobody = await drop(world, manager, visit, { to: { id: 'x' } })
  expect([nobody.status, (await stored(visit, world)).version]).toEqual([400, visit.version])
  const missing = await drop(
    world,
    manager,
    { ...visit, id: '0198c5a0-7c1e-7d7e-9c55-0a1b2c3d4e5f' },
    { to: technician },
  )
  expect(missing.status).toBe(404)
})

test('without JavaScript the same is done on the appointment’s own page, for a day and hour looked at first', async () => {
  const { manager, technician, technician2 } = people
  const visit = await visitFor(world, technician, at(day, '10:00'))
  const own = `${screen}/${visit.id}`
  const page = await world.visit(`${own}?dia=${workday(1)}&hora=16:00`, manager)
  expect(page.text).toContain('Cambiar la hora y avisar')
  const startsAt = /name="startsAt" value="([^"]+)"/.exec(page.text)![1]!
  const answer = await world.post(
    own,
    { intent: 'give', version: String(visit.version), assigneeId: technician2.id, startsAt },
    manager,
  )
  expect(answer.status).toBe(303)
  expect(await stored(visit, world)).toMatchObject({
    startsAt: at(workday(1), '16:00'),
    assigneeId: technician2.id,
  })
})
