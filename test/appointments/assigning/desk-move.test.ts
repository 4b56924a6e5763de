import { expect, test } from 'vitest'
import { localDay } from '../../../src/domain/shared/format.ts'
import type { DeskAgenda } from '../../../src/server/scheduling/desk-slots.ts'
import {
  around,
  assignVisit,
  bookVisit,
  customer,
  hour,
  minute,
  occupy,
  readAgain,
  visit,
} from '../../kit/appointments.ts'
import { openEach, people, world } from '../../kit/open.ts'
import { emailsAbout, eventsOf, expectWords, loaded, readable } from '../../kit/reading.ts'

openEach(bookVisit, assignVisit)

const path = () => `/admin/assignations/${visit.id}/mover`
const agendaOf = async (query = '') =>
  loaded<{ agenda: DeskAgenda }>(await world.data(path() + query, people.manager), 'scheduling/move').agenda
const send = (form: Record<string, string>, by = people.manager) =>
  world.post(path(), { version: String(visit.version), ...form }, by)
const freeOf = ({ slots }: DeskAgenda) => slots.filter(({ kind }) => kind === 'free')

test('its own day opens, each hour with who would take it: its own person, and their hour is no other one', async () => {
  const agenda = await agendaOf()
  expect(agenda.date).toBe(localDay(visit.startsAt))
  const starts = freeOf(agenda).map(({ start }) => start)
  expect(starts).not.toContain(visit.startsAt.toISOString())
  expect(starts).toContain(around(visit, 30 * minute).toISOString())
  for (const slot of freeOf(agenda)) expect(slot.personId).toBe(people.technician.id)
  const page = readable(await world.visit(path(), people.manager))
  expectWords(page, 'Con quien pueda', `Con ${people.technician.name}`, 'Mover y avisar', 'Lo más pronto')
})

test('moved with whoever can: confirmed at once, told once, and the history says by whom', async () => {
  const [slot] = freeOf(await agendaOf())
  const answer = await send({ startsAt: slot!.start, assigneeId: '' })
  expect([answer.status, answer.location]).toEqual([303, `/admin/assignations/${visit.id}`])
  const before = visit
  await readAgain()
  expect(visit).toMatchObject({
    state: 'assigned',
    startsAt: new Date(slot!.start),
    assigneeId: before.assigneeId,
    movedByUs: 1,
  })
  expect((await eventsOf(world, visit.id, 'appointment')).at(-1)).toMatchObject({
    name: 'rescheduleTo',
    actorId: people.manager.id,
  })
  const letters = await emailsAbout(world, visit)
  expect(letters.filter((letter) => letter.startsWith('changed'))).toEqual([
    'changed to customer',
    'changed to person',
  ])
})

test('with one person the hours are that person’s; busy ones are not there', async () => {
  const other = people.technician2
  await occupy(world, other, around(visit, 2 * hour))
  const agenda = await agendaOf(`?con=${other.id}&dia=${localDay(visit.startsAt)}`)
  expect(agenda.personId).toBe(other.id)
  const starts = agenda.slots.map(({ start }) => start)
  expect(starts).not.toContain(around(visit, 2 * hour).toISOString())
  for (const { personId } of agenda.slots) expect(personId).toBe(other.id)
  const [slot] = freeOf(agenda)
  expect((await send({ startsAt: slot!.start, assigneeId: other.id })).status).toBe(303)
  await readAgain()
  expect(visit).toMatchObject({ assigneeId: other.id, state: 'assigned' })
})

test('sooner than the notice: shown as such, and only with the box and a reason', async () => {
  // Of its own day nothing is a day away.
  world.at(around(visit, -3 * hour))
  const { slots } = await agendaOf(`?dia=${localDay(visit.startsAt)}`)
  const soon = slots.find(({ kind }) => kind === 'urgent')
  expect(soon).toBeDefined()
  const sent = { startsAt: soon!.start, assigneeId: '' }
  expect((await send(sent)).status).toBe(409)
  expect((await send({ ...sent, overrideReason: 'Se quedó sin cargador' })).status).toBe(409)
  expect((await send({ ...sent, override: 'on', overrideReason: 'x' })).status).toBe(400)
  const answer = await send({ ...sent, override: 'on', overrideReason: 'Se quedó sin cargador' })
  expect(answer.status).toBe(303)
  await readAgain()
  expect(visit.overrideReason).toBe('Se quedó sin cargador')
})

test('an hour that went meanwhile is refused with the nearest ones; a stale form and a wrong person too', async () => {
  const agenda = await agendaOf()
  const [slot] = freeOf(agenda)
  await occupy(world, people.technician, new Date(slot!.start))
  await occupy(world, people.technician2, new Date(slot!.start))
  const late = await send({ startsAt: slot!.start, assigneeId: '' })
  expect(late.status).toBe(409)
  expect(readable(late)).toContain('Estos están libres y son los más cercanos')
  expect((await send({ startsAt: slot!.start, assigneeId: '', version: '99' })).status).toBe(409)
  expect((await send({ startsAt: slot!.start, assigneeId: 'nadie' })).status).toBe(400)
  const analyst = await send({ startsAt: slot!.start, assigneeId: people.analyst.id })
  expect(analyst.status).toBe(409)
  await readAgain()
  expect(visit.version).toBe(2)
})

test('pressed twice it is one move; nobody else opens or sends it', async () => {
  const [slot] = freeOf(await agendaOf())
  const form = { startsAt: slot!.start, assigneeId: '' }
  const answers = await Promise.all([send(form), send(form)])
  expect(answers.map(({ status }) => status)).toEqual([303, 303])
  const moves = (await eventsOf(world, visit.id, 'appointment')).filter(({ name }) => name === 'rescheduleTo')
  expect(moves).toHaveLength(1)
  for (const by of [customer, people.technician, people.analyst]) {
    expect((await world.visit(path(), by)).status).not.toBe(200)
    expect((await send(form, by)).status).toBe(403)
  }
})

test('opened from the board, its links, its page and the page after it lead back to that board', async () => {
  const board = `tablero=${encodeURIComponent(`dia=${localDay(visit.startsAt)}&mapa=todos&zona=coyoacan`)}`
  const kept = (text: string) => text.replaceAll('&amp;', '&')
  const assign = kept((await world.visit(`/admin/assignations/${visit.id}?${board}`, people.manager)).text)
  expect(assign).toContain(`href="${path()}?${board}"`)
  const page = kept((await world.visit(`${path()}?${board}`, people.manager)).text)
  expect(page).toContain(`href="/admin/assignations/${visit.id}?${board}"`)
  // Every other day and person of its calendar, too.
  const links = [...page.matchAll(/href="([^"]*\/mover\?[^"]*)"/g)].map(([, to]) => to!)
  expect(links.length).toBeGreaterThan(2)
  for (const to of links) expect(to).toContain(board)
  const [slot] = freeOf(await agendaOf(`?${board}`))
  const form = { version: String(visit.version), startsAt: slot!.start, assigneeId: '' }
  const answer = await world.post(`${path()}?${board}`, form, people.manager)
  expect([answer.status, answer.location]).toEqual([303, `/admin/assignations/${visit.id}?${board}`])
  const after = kept((await world.visit(answer.location!, people.manager)).text)
  expect(after).toMatch(/href="\/admin\/assignations\?dia=[^"]*mapa=[^"]*zona=coyoacan/)
})
