import { tasks } from '../../src/platform/database/schema/projects.ts'
import { assign, assignVisit, bookVisit, customer, visit } from '../kit/appointments.ts'
import {
  analyst,
  customer2,
  fixture,
  manager,
  markupOf,
  openEach,
  storeRows,
  technician,
} from '../kit/open.ts'
import { expectAnswered } from '../kit/reading.ts'
import type { Visitor } from '../kit/visitor.ts'
import { changed, listenAs } from '../platform/live/ear.ts'

openEach(bookVisit)

/** How long nothing may come before a stream counts as silent, in milliseconds. */
const silence = 300

/** What a stream tells that is opened after an act. */
async function heardAfter(as: Visitor, position: string, within?: number) {
  const path = `/live?posicion=${encodeURIComponent(position)}`
  const ear = await listenAs({ open: () => fixture.open(path, as) }, as)
  await ear.hears(within)
  await ear.close()
  return ear.heard()
}

/** Where the changes stood that a page knew as it was read. */
const positionOf = async (as: Visitor, data = '/payments.data') =>
  /"(#[\w-]{12})"/.exec(await markupOf(data, as))![1]!

test('a change between a page and its open stream reaches those it concerns', async () => {
  await fixture.home(customer2)
  const witness = await listenAs(fixture, technician)
  const own = await positionOf(customer)
  const theirs = await positionOf(technician, '/admin.data')
  const others = await positionOf(customer2)
  await assignVisit()
  expect(await witness.hears()).toBe(true)
  await witness.close()
  expect(await heardAfter(customer, own)).toBe(changed)
  expect(await heardAfter(technician, theirs)).toBe(changed)
  expect(await heardAfter(customer2, others, silence)).toBe('')
  expect(await heardAfter(customer, await positionOf(customer), silence)).toBe('')
  expect(await heardAfter(customer2, 'anterior')).toBe(changed)
})

test('a refused change is announced on no page; a closed task on office pages, not on its customer’s', async () => {
  const own = await listenAs(fixture, customer)
  const desk = await listenAs(fixture, manager)
  // What was announced of the booking still travels.
  for (const ear of [own, desk]) {
    await ear.hears(silence)
    ear.forget()
  }
  const stale = { ...visit, version: 7 }
  await expectAnswered(assign(manager, stale, technician), 409)
  for (const ear of [own, desk]) expect(await ear.hears(silence)).toBe(false)
  const [task] = await storeRows(tasks, { subject: 'Llamar', reason: 'coverage', personId: customer.id })
  const form = { intent: 'close-task', taskId: task!.id, result: 'Sí llegamos' }
  await expectAnswered(fixture.post('/admin', form, analyst), 303)
  expect(await desk.hears()).toBe(true)
  expect(await own.hears(silence)).toBe(false)
  for (const ear of [own, desk]) await ear.close()
})
