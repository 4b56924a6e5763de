import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { dayFigures } from '../../../src/domain/scheduling/board.ts'
import { toDate } from '../../../src/domain/shared/calendar.ts'
import { dateTime, localDay, minuteTime } from '../../../src/domain/shared/format.ts'
import { users } from '../../../src/server/platform/database/schema/accounts.ts'
import type { BoardWeek } from '../../../src/server/scheduling/board-queries.ts'
import { occupy } from '../../kit/appointments.ts'
import { openEach, people, world } from '../../kit/open.ts'
import { emailsAbout, eventsOf, expectPage, expectWords, loaded, readable } from '../../kit/reading.ts'
import { absenceOf, bestOf, boardOf, confirms, drop, screen } from '../../kit/scheduling.ts'
import { at, now as stored, visitFor, workday } from '../../kit/users.ts'

openEach()

const day = workday()
const plain = (words: string) => words.replaceAll('\u00a0', ' ')

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

test('what is proposed for a day is confirmed at once, and one stays on that day', async () => {
  const { manager, technician } = people
  const open = { state: 'requested', confirmedAt: null } as const
  const own = [
    await visitFor(world, technician, at(day, '10:00'), open),
    await visitFor(world, technician, at(day, '13:00'), open),
  ]
  await visitFor(world, null, at(day, '16:00'))
  const here = `${screen}?dia=${day}`
  expectWords(
    readable(await world.visit(here, manager)),
    'Confirmar todas',
    '2 citas de este día',
    'Confirmar las 2',
  )
  const proposed = own.map(({ id, version }) => `${id}:${version}:${technician.id}`).join(',')
  const answer = await world.post(here, { intent: 'confirm-all', proposed }, manager)
  expect([answer.status, answer.location]).toEqual([303, here])
  const page = readable(await world.visit(here, manager))
  expectWords(page, '2 citas asignadas', 'Avisamos a clientes y técnicos.')
  expect(page).not.toContain('Confirmar todas')
  for (const visit of own) expect(await stored(visit, world)).toMatchObject({ state: 'assigned' })
})

test('each figure is what its link shows', async () => {
  const { manager, technician } = people
  await visitFor(world, technician, at(day, '10:00'), { state: 'requested', confirmedAt: null })
  await visitFor(world, null, at(day, '13:00'))
  await visitFor(world, null, at(workday(1), '13:00'), { municipality: 'tlalpan' })
  await visitFor(world, technician, at(day, '16:00'), { state: 'en_route' })
  const all = await boardOf(world, manager, day)
  expect(all.counts).toEqual({ waiting: 3, withoutPerson: 2 })
  expect(dayFigures(all.board, { zones: [] })).toMatchObject({ toAssign: 2, nobody: 1, enRoute: 1 })
  expect(all.queue).toHaveLength(3)
  expect((await boardOf(world, manager, day, '&persona=nadie')).queue).toHaveLength(2)
  const narrowed = await boardOf(world, manager, day, '&zona=tlalpan&persona=nadie')
  expect([narrowed.counts.withoutPerson, narrowed.queue.length]).toEqual([1, 1])
  const several = await boardOf(world, manager, day, '&zona=tlalpan&zona=coyoacan')
  expect([several.counts.waiting, several.queue.length]).toEqual([3, 3])
  const page = readable(await world.visit(`${screen}?dia=${day}`, manager))
  expectWords(page, '1 sin persona', '2 por asignar', '1 en camino', '1 por asignar en otros días')
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
    overrideReason: 'Ya lo sabe',
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
  expect([far.status, far.text.includes('Elige una fecha dentro de los próximos dos años.')]).toEqual([
    400,
    true,
  ])
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

test('it opens on the next day with work, and goes back to the day one was on', async () => {
  const { manager, technician, technician2 } = people
  const opened = async () =>
    loaded<{ query: { date: string } }>(await world.data(screen, manager), 'scheduling/assignations').query
      .date
  const today = localDay(new Date())
  expect(await opened()).toBe(today)
  const visit = await visitFor(world, technician, at(day, '10:00'))
  expect(await opened()).toBe(day)
  const form = { intent: 'give', version: String(visit.version), assigneeId: technician2.id }
  const given = await world.post(`${screen}/${visit.id}`, form, manager)
  expect(given.location).toBe(`${screen}?dia=${day}`)
  const { version } = await stored(visit, world)
  const moving = { ...form, version: String(version), startsAt: at(workday(1), '12:00').toISOString() }
  const moved = await world.post(`${screen}/${visit.id}`, moving, manager)
  expect(moved.location).toBe(`${screen}?dia=${day}`)
})

test('what the board shows is kept by the pages that lead back to it, and nothing else is led to', async () => {
  const { manager, technician, technician2 } = people
  const visit = await visitFor(world, technician, at(day, '10:00'))
  const other = await visitFor(world, technician, at(day, '13:00'))
  const query = `dia=${workday(1)}&mapa=todos&zona=coyoacan&service=technical_visit`
  const [board, kept] = [`${screen}?${query}`, `tablero=${encodeURIComponent(query)}`]
  const inHtml = (path: string) => `href="${path.replaceAll('&', '&amp;')}"`
  const { text } = await world.visit(board, manager)
  for (const path of [`${screen}/nueva?${kept}`, `${screen}/plan?${query}`])
    expect(text).toContain(inHtml(path))
  expect(text).toContain(`dia=${workday(1)}&amp;${kept}`)
  const day1 = `${screen}?dia=${day}&mapa=todos`
  expect((await world.visit(day1, manager)).text).toContain(
    inHtml(`${screen}/${visit.id}?tablero=${encodeURIComponent(`dia=${day}&mapa=todos`)}`),
  )
  const absence = `${screen}/ausencia?persona=${technician.id}&dia=${day}`
  for (const path of [`${screen}/${visit.id}?${kept}`, `${screen}/nueva?${kept}`, `${absence}&${kept}`])
    expect([path, (await world.visit(path, manager)).text.includes(inHtml(board))]).toEqual([path, true])
  for (const strange of ['https://example.org', '//example.org?dia=1', 'dia=2026-02-30&zona=roma'])
    expect(
      (await world.visit(`${screen}/${visit.id}?tablero=${encodeURIComponent(strange)}`, manager)).text,
    ).toContain(inHtml(`${screen}?dia=${day}`))

  const give = { intent: 'give', version: String(visit.version), assigneeId: technician2.id }
  expect((await world.post(`${screen}/${visit.id}?${kept}`, give, manager)).location).toBe(board)
  const end = { intent: 'cancel-by-house', version: String(other.version), reason: 'clima', note: 'Llamó' }
  expect((await world.post(`${screen}/${other.id}?${kept}`, end, manager)).location).toBe(board)
})

test('a late one says by how much and whom to call: on the board, at its pages and in the list; only to the office', async () => {
  const { manager, technician } = people
  const visit = await visitFor(world, technician, at(day, '10:00'))
  await world.db.update(users).set({ phone: '5587654321' }).where(eq(users.id, technician.id))
  const call = 'href="tel:+525587654321"'
  world.at(new Date(visit.startsAt.getTime() + 38 * 60_000))
  const paths = ['', `/${visit.id}`].map((path) => screen + path)
  for (const path of [...paths, '/admin/appointments-pending', `/admin/appointments-pending/${visit.id}`]) {
    const page = await world.visit(path, manager)
    expect([path, readable(page).includes('38 min tarde')]).toEqual([path, true])
    expect([path, page.text.includes(call)]).toEqual([path, true])
  }
  await visitFor(world, null, at(day, '16:00'))
  const board = readable(await world.visit(screen, manager))
  expect(board.lastIndexOf('Este día')).toBeGreaterThan(board.lastIndexOf('Llamar a'))
  const own = await world.visit(`/admin/appointments-pending/${visit.id}`, technician)
  expect([own.status, own.text.includes(call)]).toEqual([200, false])
})

test('an open proposal of an absence stands where it would be, and at the appointment’s own pages', async () => {
  const { manager, technician, technician2 } = people
  const visit = await visitFor(world, technician, at(day, '10:00'))
  await occupy(world, technician2, at(day, '10:00'))
  const { plan } = await absenceOf(world, manager, technician, day)
  await confirms(world, manager, technician, day, bestOf(plan))
  const { board } = await boardOf(world, manager, day)
  const [offer] = board.offers
  expect(offer).toMatchObject({ appointmentId: visit.id, personId: technician2.id, absentId: technician.id })
  const page = await world.visit(`${screen}?dia=${day}`, manager)
  expectWords(readable(page), 'Ver ausencia', `Propuesta ${plain(minuteTime(offer!.start))}, vence `)
  for (const path of [`${screen}/${visit.id}`, `/admin/appointments-pending/${visit.id}`]) {
    const own = await world.visit(path, manager)
    expectWords(readable(own), `Propuesta: ${plain(dateTime(toDate(offer!.start)))} con `, 'vence a la')
    expect(own.text).toContain(`ausencia?persona=${technician.id}&amp;dia=${day}`)
  }
})

test('the week: of each day its figures, and how much each person has', async () => {
  const { manager, technician } = people
  await visitFor(world, technician, at(day, '10:00'))
  await visitFor(world, null, at(day, '13:00'))
  const { week } = loaded<{ week: BoardWeek }>(
    await world.data(`${screen}?dia=${day}&vista=semana`, manager),
    'scheduling/assignations',
  )
  expect(week.days).toHaveLength(7)
  const n = week.days.findIndex(({ date }) => date === day)
  expect(week.days[n]).toMatchObject({ visits: 2, nobody: 1, toAssign: 1 })
  expect(week.rows.find(({ id }) => id === technician.id)!.days[n]).toMatchObject({
    visits: 1,
    used: 60,
    chips: [{ customer: 'Camila P.', service: 'technical_visit', mark: null }],
    more: 0,
  })
  expect(week.rows.at(-1)).toMatchObject({ id: null, name: 'Sin persona' })
  expect(week.rows.at(-1)!.days[n]!.chips).toMatchObject([{ mark: 'open' }])
  const page = await world.visit(`${screen}?dia=${day}&vista=semana`, manager)
  expectWords(readable(page), '2 citas', '1 sin persona')
  expect(page.text).toContain(`href="${screen}?dia=${day}"`)
  expect(page.text).toContain(`href="${screen}?dia=${day}#persona-${technician.id}"`)
})

test('a week shows the first three of a person and a day, and how many more; an offer where it would be', async () => {
  const { manager, technician, technician2 } = people
  for (const time of ['09:00', '10:30', '12:00', '16:00']) await visitFor(world, technician, at(day, time))
  await visitFor(world, technician2, at(day, '10:30'))
  const { plan } = await absenceOf(world, manager, technician2, day)
  await confirms(world, manager, technician2, day, bestOf(plan))
  const { week } = loaded<{ week: BoardWeek }>(
    await world.data(`${screen}?dia=${day}&vista=semana`, manager),
    'scheduling/assignations',
  )
  const cells = week.rows.flatMap(({ days }) => days)
  expect(cells.find(({ more }) => more > 0)).toMatchObject({ chips: { length: 3 } })
  expect(cells.flatMap(({ chips }) => chips).filter(({ mark }) => mark === 'offer')).toHaveLength(1)
})

test('the panel shows one under way too, which its page leads away from', async () => {
  const { manager, technician } = people
  const visit = await visitFor(world, technician, at(day, '10:00'), { state: 'en_route' })
  expect((await world.visit(`${screen}/${visit.id}`, manager)).status).toBe(302)
  const panel = await world.data(`${screen}/${visit.id}?panel`, manager)
  const shown = loaded<{ appointment: { folio: string }; mayCancel: boolean }>(panel, 'scheduling/assign')
  expect([shown.appointment.folio, shown.mayCancel]).toEqual([visit.folio, false])
})

test('the panel has the next free slot of each person, the soonest first; one press moves it there, unless it was taken', async () => {
  const { manager, technician, technician2 } = people
  const visit = await visitFor(world, technician, at(day, '10:00'))
  type Next = { next: { personId: string; name: string; start: number }[] }
  const path = `${screen}/${visit.id}`
  const { next } = loaded<Next>(await world.data(`${path}?panel`, manager), 'scheduling/assign')
  expect(next.map(({ personId }) => personId).toSorted()).toEqual([technician.id, technician2.id].toSorted())
  expect(next.map(({ start }) => start)).toEqual(next.map(({ start }) => start).toSorted((a, b) => a - b))
  const [soonest] = next
  expect(soonest).toMatchObject({ name: expect.stringContaining('Prueba') })
  expect(toDate(soonest!.start).getTime()).toBeLessThan(visit.startsAt.getTime())
  expect(loaded<Next>(await world.data(path, manager), 'scheduling/assign').next).toEqual([])

  const { personId, start } = soonest!
  const press = (slot: { id: string; start: number }) =>
    drop(world, manager, visit, { to: slot, startsAt: toDate(slot.start), intent: 'take-slot' })
  const other = next.find((one) => one.personId !== personId)!
  await occupy(world, { id: other.personId } as never, toDate(other.start))
  expectPage(await press({ id: other.personId, start: other.start }), 409, 'Ya tiene otra cita a esa hora')
  expect((await stored(visit, world)).version).toBe(visit.version)
  const answer = await press({ id: personId, start })
  expect([answer.status, answer.location]).toEqual([303, screen])
  expect(await stored(visit, world)).toMatchObject({
    assigneeId: personId,
    startsAt: toDate(start),
    state: 'assigned',
  })
  expect(readable(await world.visit(screen, manager))).toContain('Deshacer')
})

test('the manager says that the customer was not there, from the board', async () => {
  const { manager, technician } = people
  const visit = await visitFor(world, technician, at(day, '10:00'))
  const form = { intent: 'no-show', called: 'yes', calledAt: '10:20' }
  const early = await world.post(`${screen}/${visit.id}`, form, manager)
  expect(early.status).toBe(409)
  world.at(new Date(visit.startsAt.getTime() + 30 * 60_000))
  expect((await world.post(`${screen}/${visit.id}`, { intent: 'no-show' }, manager)).status).toBe(400)
  const answer = await world.post(`${screen}/${visit.id}`, form, manager)
  expect([answer.status, answer.location]).toEqual([303, `${screen}?dia=${day}`])
  expect((await stored(visit, world)).state).toBe('no_show')
  expect((await world.post(`${screen}/${visit.id}`, form, technician)).status).not.toBe(303)
})
