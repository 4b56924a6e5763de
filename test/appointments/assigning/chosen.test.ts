import { users } from '../../../src/platform/database/schema/accounts.ts'
import { appointments } from '../../../src/platform/database/schema/appointments.ts'
import { proposedVisit } from '../../kit/appointments.ts'
import {
  ally,
  analyst,
  expectEmails,
  expectScreen,
  fixture,
  manager,
  markupOf,
  openEach,
  rowWhere,
  sendJobs,
  sentAbout,
  setRow,
} from '../../kit/open.ts'
import { expectAnswered, expectLeadsTo, expectShown } from '../../kit/reading.ts'

openEach()
sendJobs()

const list = '/admin/appointments-pending'
type Proposed = Awaited<ReturnType<typeof proposedVisit>>
const ticked = (...visits: Proposed[]) =>
  Object.fromEntries(visits.map(({ assigneeId, id, version }) => [`row.${id}`, `${version}:${assigneeId}`]))
const send = (form: Record<string, string>, path = list) => fixture.post(path, form, manager)
const confirm = (form: Record<string, string>, path?: string) =>
  send({ intent: 'confirm-chosen', ...form }, path)
const now = async ({ id }: Proposed) => (await rowWhere(appointments, { id }))!
const set = ({ id }: Proposed, values: Partial<typeof appointments.$inferInsert>) =>
  setRow(appointments, id, values)
async function named(name: string) {
  const visit = await proposedVisit()
  await setRow(users, visit.customerId, { name })
  return visit
}

test('confirms the ticked rows and returns to the filtered list', async () => {
  const two = [await proposedVisit(), await proposedVisit()]
  const path = `${list}?state=requested`
  await expectLeadsTo(confirm(ticked(...two), path), path)
  for (const visit of two) {
    expect(await now(visit)).toMatchObject({ state: 'assigned', assigneeId: visit.assigneeId })
    expect(await sentAbout(visit)).toContain('assigned to customer')
  }
  await expectScreen(list, manager, '2 citas asignadas')
})

test('shows why each row cannot be confirmed, and confirms the others', async () => {
  const good = await proposedVisit()
  const changed = await named('Ana')
  const gone = await named('Beto')
  const empty = await named('Carla')
  await set(changed, { version: 2 })
  await setRow(users, gone.assigneeId, { active: false })
  await set(empty, { assigneeId: null })
  expectShown(
    await confirm({ ...ticked(changed, gone, good), [`row.${empty.id}`]: '1:' }),
    200,
    '1 cita quedó lista. Estas siguen como estaban:',
    'Ana Prueba',
    'Revisa lo que cambió',
    'Beto Prueba',
    'Carla Prueba',
    'No tiene persona: asígnale una.',
  )
  expect((await Promise.all([good, changed, gone, empty].map(now))).map(({ state }) => state)).toEqual([
    'assigned',
    'requested',
    'requested',
    'requested',
  ])
  await expectEmails(gone, [])
  // What was confirmed meanwhile has no version in its box.
  expectShown(await confirm({ [`row.${good.id}`]: '' }), 200, 'ya está confirmada')
})

test('assigns the ticked rows to one technician as far as they can; without one the rows stay ticked', async () => {
  const two = [await proposedVisit(), await named('Ana')]
  const other = await proposedVisit()
  const { id: to } = await fixture.person({ kind: 'tecnician' })
  const form = { intent: 'assign-chosen', to, ...ticked(...two) }
  const refused = await send({ ...form, to: '' })
  expectShown(refused, 400, 'Elige a una persona.')
  const isTicked = ({ id }: Proposed) =>
    / checked(=""|>| )/.test(new RegExp(`<input[^>]*name="row.${id}"[^>]*>`).exec(refused.text)![0])
  expect([...two, other].map(isTicked)).toEqual([true, true, false])
  // Both begin at the same time.
  expectShown(await send(form), 200, '1 cita quedó lista', 'Esta sigue como estaba')
  expect((await Promise.all(two.map(now))).filter(({ assigneeId }) => assigneeId === to)).toHaveLength(1)
})

test('refuses no rows, more than 50, and malformed ones', async () => {
  const visit = await proposedVisit()
  expectShown(await confirm({}), 400, 'Marca al menos una cita.')
  const many = Object.fromEntries(Array.from({ length: 51 }, () => [`row.${crypto.randomUUID()}`, '']))
  for (const rows of [many, { 'row.x': '1:' }, { [`row.${visit.id}`]: `x:${visit.assigneeId}` }])
    await expectAnswered(confirm(rows), 400)
  expect(await now(visit)).toMatchObject({ state: 'requested', version: 1 })
})

test('the manager ticks rows to confirm, the analyst to export, an ally none', async () => {
  const { id, assigneeId } = await proposedVisit()
  const box = `name="row.${id}"`
  expectShown(
    await fixture.visit(list, manager),
    200,
    `${box} value="1:${assigneeId}"`,
    'value="confirm-chosen"',
  )
  const analysts = await fixture.visit(list, analyst)
  expectShown(analysts, 200, box, `formAction="${list}.csv"`)
  expect(analysts.text).not.toMatch(/value="(confirm|assign)-chosen/)
  expect(await markupOf(list, ally)).not.toContain('name="row.')
})
