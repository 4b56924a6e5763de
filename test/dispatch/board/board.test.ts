import type { BoardWeek } from '../../../src/dispatch/board-queries.ts'
import { dayFigures } from '../../../src/dispatch/rules/board.ts'
import { users } from '../../../src/platform/database/schema/accounts.ts'
import { toDate } from '../../../src/shared/calendar.ts'
import { dateTime, localDay, minuteTime } from '../../../src/shared/format.ts'
import { around, minute, occupy, type Visit } from '../../kit/appointments.ts'
import {
  analyst,
  db,
  expectLastEvent,
  expectScreen,
  fixture,
  manager,
  openEach,
  pageText,
  people,
  post,
  sentAbout,
  setRow,
  technician,
  technician2,
} from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import {
  expectAnswered,
  expectLocation,
  expectPage,
  expectStatuses,
  expectWords,
  loaded,
  readable,
} from '../../kit/reading.ts'
import { absenceOf, bestOf, boardOf, confirms, drop, screen } from '../../kit/scheduling.ts'
import { at, provisional, now as stored, visitFor, workday } from '../../kit/users.ts'

const day = workday()
const here = `${screen}?dia=${day}`
/** The technician's visit at ten, and the path of its panel. */
let visit: Visit
let own: string

openEach(async () => {
  visit = await visitFor(technician, at(day, '10:00'))
  own = `${screen}/${visit.id}`
})

const plain = (words: string) => words.replaceAll('\u00a0', ' ')
const now = () => stored(visit, fixture)
const load = async <Data>(path: string, route: string) =>
  loaded<Data>(await fixture.data(path, manager), `dispatch/screens/${route}`)
/** The manager moves the visit. */
const move = (to: Pick<Person, 'id'>, startsAt = visit.startsAt, form: Record<string, string> = {}) =>
  drop(manager, visit, { to, startsAt, ...form })
/** The same by the form of its own page. */
const give = async (form: Record<string, string> = {}, query = '') => {
  const version = String((await now()).version)
  const assigneeId = technician2.id
  return post(own + query, { intent: 'give', version, assigneeId, ...form }, manager)
}
/** The technician is absent that day: appointments without another technician at their hour are offered another. */
async function offerAnother({ manager, technician } = people) {
  const { plan } = await absenceOf(manager, technician, day)
  await confirms(manager, technician, day, bestOf(plan))
}

test('shows who works that day and their appointments without the cancelled', async () => {
  await visitFor(technician, at(day, '12:00'), { state: 'cancelled' })
  await visitFor(null, at(day, '13:00'))
  const { board } = await boardOf(manager, day)
  expect(board.people.map(({ id }) => id)).toEqual(expect.arrayContaining([technician.id, analyst.id]))
  expect(board.visits).toHaveLength(2)
  const start = visit.startsAt.getTime() / minute
  expect(board.visits[0]).toMatchObject({
    id: visit.id,
    personId: technician.id,
    customer: 'Camila Prueba',
    confirmed: true,
    start,
    end: start + 60,
  })
  await expectScreen(
    here,
    manager,
    '10:00 a. m. a 11:00 a. m.',
    'Camila Prueba',
    'Todo su horario está libre.',
  )
})

test('counts what waits, as its links show it, in total and filtered by zone', async () => {
  await visitFor(technician, at(day, '12:00'), provisional)
  await visitFor(null, at(day, '13:00'))
  await visitFor(null, at(workday(1), '13:00'), { municipality: 'tlalpan' })
  await visitFor(technician, at(day, '16:00'), { state: 'en_route' })
  const all = await boardOf(manager, day)
  expect(all).toMatchObject({ counts: { waiting: 3, withoutPerson: 2 }, queue: { length: 3 } })
  expect(dayFigures(all.board, { zones: [] })).toMatchObject({ toAssign: 2, nobody: 1, enRoute: 1 })
  for (const [query, withoutPerson, queue] of [
    ['&persona=nadie', 2, 2],
    ['&zona=tlalpan&persona=nadie', 1, 1],
    ['&zona=tlalpan&zona=coyoacan', 2, 3],
  ] as const)
    expect(await boardOf(manager, day, query)).toMatchObject({
      counts: { withoutPerson },
      queue: { length: queue },
    })
  const words = ['1 sin persona', '2 por asignar', '1 en camino', '1 por asignar en otros días']
  await expectScreen(here, manager, ...words)
})

test.each([
  ['on another technician: it keeps its time', '10:00', 'assigned', 0],
  ['on another technician at another time', '12:30', 'changed', 1],
])('a manager drops an appointment: %s, and the customer is e-mailed', async (_, time, letter, moved) => {
  const startsAt = at(day, time)
  await expectAnswered(move(technician2, startsAt), 303, screen)
  expect(await now()).toMatchObject({
    assigneeId: technician2.id,
    state: 'assigned',
    startsAt,
    movedByUs: moved,
    movedByCustomer: 0,
    sequence: visit.sequence + 1,
  })
  expect(await sentAbout(visit)).toContain(`${letter} to customer`)
  if (!moved)
    await expectLastEvent(visit.id, {
      name: 'reassign',
      actorId: manager.id,
    })
})

test('a manager drops an appointment and is refused for a hard reason, an unknown person or visit, and a date beyond two years', async () => {
  await occupy(technician2, at(day, '10:30'))
  const why = { overrideReason: 'Así lo pidió' }
  expectPage(await move(technician2, visit.startsAt, why), 409, 'Ya tiene otra cita a esa hora')
  const inThreeYears = around(visit, 3 * 365 * 24 * 60 * minute)
  expectPage(await move(technician, inThreeYears, why), 400, 'dentro de los próximos dos años.')
  await expectAnswered(move({ id: 'x' }), 400)
  const unknown = { ...visit, id: crypto.randomUUID() }
  await expectAnswered(drop(manager, unknown, { to: technician }), 404)
  expect((await now()).version).toBe(visit.version)
})

test('a manager drops an appointment once, of two managers at the same time, and again when sent twice', async () => {
  const answers = await Promise.all([move(technician2), move(technician)])
  expectStatuses(answers, 303, 409)
  expect(answers.find(({ status }) => status === 409)!.text).toContain('Guardaste en otra ventana')
  await expectAnswered(move({ id: (await now()).assigneeId! }), 303)
  expect((await now()).version).toBe(visit.version + 1)
})

test('opens on the next day with work, and returns to the day of the appointment', async () => {
  const opened = async () => (await load<{ query: { date: string } }>(screen, 'assignations')).query.date
  expect(await opened()).toBe(day)
  expectLocation(await give(), here)
  expectLocation(await give({ startsAt: at(workday(1), '12:00').toISOString() }), here)
  await db.$client.query('delete from appointments')
  expect(await opened()).toBe(localDay(new Date()))
})

test('keeps its filters on the pages that lead back to it, and links nowhere else', async () => {
  const other = await visitFor(technician, at(day, '13:00'))
  const open = await visitFor(technician, at(day, '16:00'), provisional)
  const query = `dia=${workday(1)}&mapa=todos&zona=coyoacan&service=technical_visit`
  const board = `${screen}?${query}`
  const kept = `tablero=${encodeURIComponent(query)}`
  const expectLink = async (page: string, path: string) =>
    await expectScreen(page, manager, `href="${path.replaceAll('&', '&amp;')}"`)
  await expectLink(board, `${screen}/nueva?${kept}`)
  const absence = `${screen}/ausencia?persona=${technician.id}&dia=${day}`
  for (const page of [`${own}?${kept}`, `${screen}/nueva?${kept}`, `${absence}&${kept}`])
    await expectLink(page, board)
  for (const foreign of ['//example.org?dia=1', 'dia=2026-02-30&zona=roma'])
    await expectLink(`${own}?tablero=${encodeURIComponent(foreign)}`, here)

  expectLocation(await give({}, `?${kept}`), board)
  const end = { intent: 'cancel-by-house', version: String(other.version), reason: 'clima', note: 'Llamó' }
  expectLocation(await post(`${screen}/${other.id}?${kept}`, end, manager), board)
  const all = { intent: 'confirm-all', proposed: `${open.id}:${open.version}:${technician.id}` }
  expectLocation(await post(board, all, manager), board)
  await expectScreen(board, manager, '1 cita asignada')
})

test('shows an open offer of another time where it would be, on its pages and in the week', async () => {
  await occupy(technician2, at(day, '10:00'))
  await offerAnother()
  const [offer] = (await boardOf(manager, day)).board.offers
  expect(offer).toMatchObject({ appointmentId: visit.id, personId: technician2.id, absentId: technician.id })
  await expectScreen(here, manager, 'Ver ausencia', `Propuesta ${plain(minuteTime(offer!.start))}, vence `)
  for (const path of [own, `/admin/appointments-pending/${visit.id}`]) {
    const page = await fixture.visit(path, manager)
    expectWords(readable(page), `Propuesta: ${plain(dateTime(toDate(offer!.start)))} con `, 'vence a la')
    expect(page.text).toContain(`ausencia?persona=${technician.id}&amp;dia=${day}`)
  }
  const { week } = await load<{ week: BoardWeek }>(`${here}&vista=semana`, 'assignations')
  expect(
    week.rows
      .flatMap(({ days }) => days)
      .flatMap(({ chips }) => chips)
      .filter(({ mark }) => mark === 'offer'),
  ).toHaveLength(1)
})

test('shows for each day of the week its figures, and of each person every appointment', async () => {
  await visitFor(null, at(day, '13:00'))
  const path = `${here}&vista=semana`
  const weekOf = async () => {
    const { week } = await load<{ week: BoardWeek }>(path, 'assignations')
    const n = week.days.findIndex(({ date }) => date === day)
    const cell = week.rows.find(({ id }) => id === technician.id)!.days[n]!
    return { ...week, n, cell }
  }
  const { cell, days, n, rows } = await weekOf()
  expect(days).toHaveLength(7)
  expect(days[n]).toMatchObject({ visits: 2, nobody: 1, toAssign: 1 })
  const chip = { surname: 'Prueba', service: 'technical_visit', mark: 'active' }
  expect(cell).toMatchObject({ used: 60, chips: [chip] })
  expect(rows.at(-1)).toMatchObject({ id: null, name: 'Sin persona' })
  expect(rows.at(-1)!.days[n]!.chips).toMatchObject([{ mark: 'open' }])
  const page = await fixture.visit(path, manager)
  expectWords(readable(page), '2 citas', '1 sin persona')
  expectWords(page.text, `href="${here}"`, `href="${here}#persona-${technician.id}"`)
  for (const time of ['11:30', '13:00', '16:00']) await visitFor(technician, at(day, time))
  expect((await weekOf()).cell.chips).toHaveLength(4)
})

test('shows how late an appointment is and whom to call to the office only', async () => {
  await setRow(users, technician.id, { phone: '5587654321' })
  const call = 'href="tel:+525587654321"'
  const pending = '/admin/appointments-pending'
  fixture.at(around(visit, 38 * minute))
  for (const path of [screen, own, pending, `${pending}/${visit.id}`]) {
    const page = await fixture.visit(path, manager)
    expectWords(readable(page), '38 min tarde')
    expect(page.text).toContain(call)
  }
  await visitFor(null, at(day, '16:00'))
  const board = await pageText(screen, manager)
  expect(board.lastIndexOf('Este día')).toBeGreaterThan(board.lastIndexOf('Llamar a'))
  const page = await fixture.visit(`${pending}/${visit.id}`, technician)
  expect(page.status).toBe(200)
  expect(page.text).not.toContain(call)
})

describe('the panel', () => {
  type Panel = { next: { personId: string; name: string; start: number }[]; mayCancel: boolean }
  const panel = () => load<Panel>(`${own}?panel`, 'assign')

  test('shows an appointment under way, from whose page one is redirected', async () => {
    await db.$client.query(`update appointments set state = 'en_route'`)
    await expectAnswered(fixture.data(own, manager), 202)
    expect(await panel()).toMatchObject({ appointment: { folio: visit.folio }, mayCancel: false })
  })

  test('moves to the next free slot of a technician, soonest first, unless it was taken meanwhile', async () => {
    const { next } = await panel()
    const starts = next.map(({ start }) => start)
    expect(next.map(({ personId }) => personId).toSorted()).toEqual(
      [technician.id, technician2.id].toSorted(),
    )
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))
    const [soonest] = next
    expect(soonest!.name).toContain('Prueba')
    expect(toDate(soonest!.start).getTime()).toBeLessThan(visit.startsAt.getTime())
    expect((await load<Panel>(own, 'assign')).next).toEqual([])

    const take = ({ personId, start }: Panel['next'][0]) =>
      move({ id: personId }, toDate(start), { intent: 'take-slot' })
    const other = next.find(({ personId }) => personId !== soonest!.personId)!
    await occupy({ id: other.personId } as Person, toDate(other.start))
    expectPage(await take(other), 409, 'Ya tiene otra cita a esa hora')
    expect((await now()).version).toBe(visit.version)
    await expectAnswered(take(soonest!), 303, screen)
    expect(await now()).toMatchObject({
      assigneeId: soonest!.personId,
      startsAt: toDate(soonest!.start),
      state: 'assigned',
    })
    await expectScreen(screen, manager, 'Deshacer')
  })

  test('records a no-show once the time has come, from the manager and with the call that was made', async () => {
    const form = { intent: 'no-show', called: 'yes', calledAt: '10:20' }
    const tell = (sent: Record<string, string> = form, by = manager) => post(own, sent, by)
    await expectAnswered(tell(), 409)
    fixture.at(around(visit, 30 * minute))
    await expectAnswered(tell({ intent: 'no-show' }), 400)
    await expectAnswered(tell(), 303, here)
    expect((await now()).state).toBe('no_show')
  })
})
