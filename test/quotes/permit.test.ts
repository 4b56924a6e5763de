import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { documents } from '../../src/server/platform/database/schema/payments.ts'
import { projects } from '../../src/server/platform/database/schema/projects.ts'
import { fileOf, pdf } from '../documents/samples.ts'
import type { Visit } from '../kit/appointments.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { projectOf, visited } from '../kit/quotes.ts'
import { emailsAbout } from '../kit/reading.ts'

openEach()
sendJobs()

const path = '/installation'
let visit: Visit
beforeEach(async () => {
  visit = await visited(world, people.customer, people.technician)
})

const project = () => projectOf(world, visit)
const needs = (set: Partial<typeof projects.$inferInsert> = {}) =>
  world.db
    .update(projects)
    .set({ permitNeeded: true, quoteAcceptedAt: new Date(), ...set })
    .where(eq(projects.id, visit.projectId))

/** As a browser without JavaScript sends it. */
function handIn(who: Person, file: File | null) {
  const body = new FormData()
  body.set('intent', 'hand-in-permit')
  if (file) body.set('permit', file)
  return world.send(path, who, { method: 'POST', body, headers: { origin: 'http://carga.test' } })
}
const paper = (name = 'permiso.pdf') => fileOf(pdf(name === 'permiso.pdf' ? '' : '<<>>'), name)

test('the permit is asked for where it is needed, handed in once, and makes the installation ready', async () => {
  await needs({ depositPaidAt: new Date() })
  expect((await world.visit(path, people.customer)).text).toContain('Entregar permiso')
  const empty = await handIn(people.customer, null)
  expect([empty.status, empty.text.includes('Elige el archivo de tu permiso.')]).toEqual([400, true])
  const other = await handIn(people.customer, fileOf('<html>', 'permiso.pdf'))
  expect([other.status, other.text.includes('No pudimos leer ese archivo')]).toEqual([400, true])
  expect((await project()).permitReceivedAt).toBeNull()

  for (const _ of [1, 2]) expect((await handIn(people.customer, paper())).location).toBe(path)
  const [first, ...more] = await world.db.select().from(documents)
  expect([more, first]).toMatchObject([[], { purpose: 'condominium_permit', projectId: visit.projectId }])
  const { permitReceivedAt } = await project()
  expect(permitReceivedAt).not.toBeNull()
  expect(await emailsAbout(world, visit.projectId)).toEqual(['installation_ready to customer'])
  expect((await world.visit(path, people.customer)).text).toContain(`/documents/${first!.id}`)

  await handIn(people.customer, paper('otro.pdf'))
  expect((await project()).permitReceivedAt).toEqual(permitReceivedAt)
  expect(await emailsAbout(world, visit.projectId)).toHaveLength(1)
  const living = (await world.db.select().from(documents)).filter(({ replacedAt }) => !replacedAt)
  expect(living).toMatchObject([{ name: 'otro.pdf' }])
})

test('the office sees it on the done visit, nobody else does', async () => {
  const seenBy = async (who: Person) => (await world.visit(`/admin/appointments-done/${visit.id}`, who)).text
  expect(await seenBy(people.manager)).not.toContain('Permiso del condominio')
  await needs()
  expect(await seenBy(people.analyst)).toContain('lo sube en su página de instalación')
  await handIn(people.customer, paper())
  const [{ id } = { id: '' }] = await world.db.select().from(documents)
  for (const who of [people.manager, people.analyst]) expect(await seenBy(who)).toContain(`/documents/${id}`)
  expect(await seenBy(people.technician)).not.toContain(`/documents/${id}`)
  const open = async (who: Person) => (await world.visit(`/documents/${id}`, who)).status
  expect([await open(people.customer), await open(people.customer2), await open(people.technician)]).toEqual([
    200, 404, 404,
  ])
})

test('where none is needed none is taken', async () => {
  const refused = await handIn(people.customer, paper())
  expect([refused.status, await world.db.select().from(documents)]).toEqual([409, []])
})
