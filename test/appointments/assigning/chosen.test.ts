import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { users } from '../../../src/server/platform/database/schema/accounts.ts'
import { appointments } from '../../../src/server/platform/database/schema/appointments.ts'
import { proposedVisit } from '../../kit/appointments.ts'
import { openEach, pageText, people, sendJobs, world } from '../../kit/open.ts'
import { emailsAbout, expectPage, expectWords, rowIn } from '../../kit/reading.ts'

openEach()
sendJobs()

const list = '/admin/appointments-pending'
type Proposed = Awaited<ReturnType<typeof proposedVisit>>
const ticked = ({ assigneeId, id, version }: Proposed) => ({ [`row.${id}`]: `${version}:${assigneeId}` })
const send = (form: Record<string, string>, by = people.manager, path = list) => world.post(path, form, by)
const now = async ({ id }: Proposed) => (await rowIn(world, appointments, { id }))!
const named = async (visit: Proposed, name: string) => {
  await world.db.update(users).set({ name }).where(eq(users.id, visit.customerId))
  return visit
}

test('the boxes of a list are the office’s, and say what each would be confirmed as; who assigns nothing ticks for a file', async () => {
  const visit = await proposedVisit(world)
  const page = await world.visit(list, people.manager)
  expect(page.text).toContain(`name="row.${visit.id}" value="1:${visit.assigneeId}"`)
  expect(page.text).toContain('value="confirm-chosen"')
  const analysts = (await world.visit(list, people.analyst)).text
  expect(analysts).toContain(`name="row.${visit.id}"`)
  expect(analysts).toContain(`formAction="${list}.csv"`)
  expect(analysts).not.toMatch(/value="(confirm|assign)-chosen/)
  expect((await world.visit(list, people.ally)).text).not.toContain('name="row.')
})

test('what is ticked is confirmed, and the list stays as it was narrowed', async () => {
  const two = [await proposedVisit(world), await proposedVisit(world)] as const
  const form = { intent: 'confirm-chosen', ...ticked(two[0]), ...ticked(two[1]) }
  expect((await send(form, people.manager, `${list}?state=requested`)).location).toBe(
    `${list}?state=requested`,
  )
  for (const visit of two) {
    expect(await now(visit)).toMatchObject({ state: 'assigned', assigneeId: visit.assigneeId })
    expect(await emailsAbout(world, visit)).toContain('assigned to customer')
  }
  expectWords(await pageText(list, people.manager), '2 citas asignadas')
})

test('each row that cannot be says why, and holds none of the others back', async () => {
  const good = await proposedVisit(world)
  const changed = await named(await proposedVisit(world), 'Ana')
  const gone = await named(await proposedVisit(world), 'Beto')
  const empty = await named(await proposedVisit(world), 'Carla')
  await world.db.update(appointments).set({ version: 2 }).where(eq(appointments.id, changed.id))
  await world.db.update(users).set({ active: false }).where(eq(users.id, gone.assigneeId))
  await world.db.update(appointments).set({ assigneeId: null }).where(eq(appointments.id, empty.id))
  const all = { ...ticked(changed), ...ticked(gone), [`row.${empty.id}`]: '1:', ...ticked(good) }
  const answer = await send({ intent: 'confirm-chosen', ...all })
  expectPage(
    answer,
    200,
    '1 cita quedó lista. Estas siguen como estaban:',
    'Ana Prueba',
    'Alguien más actualizó',
  )
  expectPage(answer, 200, 'Beto Prueba', 'Carla Prueba', 'No tiene persona: asígnale una.')
  expect((await Promise.all([good, changed, gone, empty].map(now))).map(({ state }) => state)).toEqual([
    'assigned',
    'requested',
    'requested',
    'requested',
  ])
  expect(await emailsAbout(world, gone)).toEqual([])
  // What was confirmed meanwhile has no version in its box.
  expectPage(await send({ intent: 'confirm-chosen', [`row.${good.id}`]: '' }), 200, 'ya está confirmada')
})

test('what is ticked is assigned to one person, as far as they can', async () => {
  const first = await proposedVisit(world)
  const second = await named(await proposedVisit(world), 'Ana')
  const { id: to } = await world.person({ kind: 'tecnician' })
  const form = { intent: 'assign-chosen', to, ...ticked(first), ...ticked(second) }
  // Both begin at the same time.
  expectPage(await send(form), 200, '1 cita quedó lista', 'Esta sigue como estaba')
  const people2 = await Promise.all([first, second].map(now))
  expect(people2.filter(({ assigneeId }) => assigneeId === to)).toHaveLength(1)
  expectPage(await send({ ...form, to: '' }), 400, 'Elige a una persona.')
})

test('a form that is refused leaves what was ticked so, the others not, and its bar in sight', async () => {
  const [two, other] = [[await proposedVisit(world), await proposedVisit(world)], await proposedVisit(world)]
  const form = { intent: 'assign-chosen', to: '', ...ticked(two[0]!), ...ticked(two[1]!) }
  const answer = await send(form)
  expect(answer.status).toBe(400)
  const boxOf = ({ id }: Proposed) => new RegExp(`<input[^>]*name="row.${id}"[^>]*>`).exec(answer.text)![0]
  for (const visit of two) expect(boxOf(visit)).toMatch(/ checked(=""|>| )/)
  expect(boxOf(other)).not.toContain('checked')
  expect(answer.text).toMatch(
    /<form[^>]*id="chosen-rows"[^>]*data-answered|data-answered[^>]*id="chosen-rows"/,
  )
  // Looked at again, nothing is ticked.
  expect((await world.visit(list, people.manager)).text).not.toMatch(
    /row-box[^>]* checked|checked[^>]*row-box/,
  )
})

test('nothing ticked, too much, or what is no box is refused', async () => {
  const visit = await proposedVisit(world)
  expectPage(await send({ intent: 'confirm-chosen' }), 400, 'Marca al menos una cita.')
  const to = people.technician.id
  expectPage(await send({ intent: 'assign-chosen', to }), 400, 'Marca al menos una cita.')
  const many = Object.fromEntries(Array.from({ length: 51 }, () => [`row.${crypto.randomUUID()}`, '']))
  for (const rows of [many, { 'row.x': '1:' }, { [`row.${visit.id}`]: `x:${visit.assigneeId}` }])
    expect((await send({ intent: 'confirm-chosen', ...rows })).status).toBe(400)
  expect((await send({ intent: 'confirm-chosen', ...ticked(visit) }, people.analyst)).status).toBe(403)
  expect(await now(visit)).toMatchObject({ state: 'requested', version: 1 })
})

test('the file of what is ticked holds these rows alone', async () => {
  const [one, other] = [await proposedVisit(world), await proposedVisit(world)]
  const file = await world.visit(`${list}.csv?row.${one.id}=1:&row.x=`, people.manager)
  expect(file.text).toContain(one.folio)
  expect(file.text).not.toContain(other.folio)
})
