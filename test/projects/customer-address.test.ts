import { expect, test } from 'vitest'
import { addresses, tasks } from '../../src/server/platform/database/schema/projects.ts'
import {
  around,
  bookVisit,
  customer,
  deactivate,
  minute,
  occupy,
  visit,
  visitOf,
} from '../kit/appointments.ts'
import { expectScreen, openEach, pageText, people, sendJobs, world } from '../kit/open.ts'
import { addressForm } from '../kit/people.ts'
import { agreeOn, storeDraft, visited } from '../kit/quotes.ts'
import {
  emailsAbout,
  expectAnswered,
  expectPage,
  expectWords,
  lastEventOf,
  rowIn,
  rowsIn,
} from '../kit/reading.ts'

openEach(bookVisit)
sendJobs()

const page = () => `/admin/users/${customer.id}/cliente`
const form = () => `${page()}/domicilio`
// Other roles: test/security/actions/pipeline.ts. An unverified account: test/appointments/booking/caller-mailbox.test.ts.
const correct = (changes: Record<string, string>) => {
  const sent = { ...addressForm, version: '1', visitSeen: visit.id, ...changes }
  return world.post(form(), { intent: 'correct-address', ...sent }, people.manager)
}
const moved = { moveVisit: 'on', street: 'Calle Nueva' }
const toluca = { postalCode: '50000' }
const homeOf = async () => (await rowIn(world, addresses, { projectId: visit.projectId }))!

test('asks the manager what becomes of the booked visit', async () => {
  const text = await pageText(form(), people.manager)
  expectWords(text, 'Tiene visita el', `La visita ${visit.folio} va a esta dirección`)
  expect(text).not.toContain('tu recibo')
})

test('moves the visit to the new address with an e-mail, or leaves it at the old one', async () => {
  const { street } = moved
  await expectAnswered(correct({ street }), 303)
  expect(await visitOf(world, customer)).toEqual(visit)
  expect(await homeOf()).toMatchObject({ street, version: 2 })
  expect(await correct({ ...moved, version: '2' })).toMatchObject({ status: 303, location: page() })
  expect((await visitOf(world, customer)).address).toMatchObject({ street })
  const last = await lastEventOf(world, await homeOf())
  expect(last).toMatchObject({ name: 'update', actorId: people.manager.id })
  expect(await emailsAbout(world, visit)).toContain('changed to customer')
  await expectScreen(page(), people.manager, 'Domicilio corregido')
})

test('lets the manager choose a free time, also past the cut-off, where no technician can keep it', async () => {
  const { technician, technician2 } = people
  await world.db.$client.query(`update appointments set created_at = now() - interval '40 days'`)
  const assignee = [technician, technician2].find(({ id }) => id === visit.assigneeId)!
  await deactivate(world, assignee === technician ? technician2 : technician)
  await occupy(world, assignee, around(visit, -90 * minute))
  const asked = await correct({ ...toluca, moveVisit: 'on' })
  expectPage(asked, 409, 'No cuenta entre sus cambios.')
  const newStart = /name="newStart"[^>]*value="([^"]+)"/.exec(asked.text)![1]!
  await expectAnswered(correct({ ...toluca, moveVisit: 'on', newStart }), 303)
  expect(await visitOf(world, customer)).toMatchObject({
    startsAt: new Date(newStart),
    municipality: 'toluca',
    movedByCustomer: 0,
  })
})

test('refuses to move the visit outside our area; an unclear area is verified by an analyst', async () => {
  const far = { postalCode: '64000', municipality: 'Monterrey', state: 'nuevo-leon' }
  expectPage(await correct({ ...far, moveVisit: 'on' }), 409, 'o cancélala antes')
  const unclear = { postalCode: '55000', municipality: 'Toluca', confirmInArea: 'on' }
  await expectAnswered(correct(unclear), 303)
  const { area, version } = await homeOf()
  expect(area).toBe('to_verify')
  const [task] = await rowsIn(world, tasks, { personId: customer.id })
  await expectScreen(page(), people.analyst, 'Por verificar', 'No llegamos', 'Sí llegamos')
  const answer = { taskId: task!.id, version: String(version), answer: 'yes' }
  const verified = await world.post(page(), { intent: 'verify-area', ...answer }, people.analyst)
  expect(verified.status).toBe(303)
  expect(await homeOf()).toMatchObject({ area: 'served' })
})

test('refuses a stale form, and one that does not know of the booked visit', async () => {
  await expectAnswered(correct({ ...moved, version: '7' }), 409)
  expectPage(await correct({ ...moved, visitSeen: '' }), 409, 'se agendó la visita')
  expect(await homeOf()).toMatchObject({ street: addressForm.street, version: 1 })
})

test('refuses another address after a quote was accepted, which is approved at the quote', async () => {
  const { analyst, customer2, manager, technician } = people
  const seen = await visited(world, customer2, technician)
  await agreeOn(world, manager, customer2, await storeDraft(world, seen, analyst))
  const path = `/admin/users/${customer2.id}/cliente/domicilio`
  await expectScreen(path, manager, 'otro domicilio se aprueba en su cotización')
  const sent = { intent: 'correct-address', ...addressForm, ...toluca, version: '1' }
  expectPage(await world.post(path, sent, manager), 409, 'se aprueba en esa')
})
