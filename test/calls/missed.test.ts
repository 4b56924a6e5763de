import { endMissedCalls } from '../../src/calls/outcomes.ts'
import { calls, slotWishes } from '../../src/platform/database/schema/appointments.ts'
import { tasks } from '../../src/platform/database/schema/projects.ts'
import {
  analyst,
  db,
  eventsAbout,
  expectNotOnPage,
  expectRow,
  expectScreen,
  markupOf,
  rowsWhere,
  sendJobs,
  sentAbout,
  storeRows,
} from '../kit/open.ts'
import { expectAnswered, expectWords } from '../kit/reading.ts'
import { after, call, change, client, clock, joins, leaves, now, openDesk, press } from './desk.ts'

openDesk()
sendJobs()

/** What the system does so many minutes after the start: how many calls it ended. */
const sweep = (minutes: number) => {
  clock(minutes)
  return endMissedCalls(db, after(minutes))
}

test('a call is cancelled once when the customer waited half an hour alone, with e-mails and an urgent task', async () => {
  await joins(client, -5)
  expect(await sweep(29.9)).toBe(0)
  const counts = await Promise.all([sweep(30), sweep(30), sweep(30)])
  expect(counts.toSorted()).toEqual([0, 0, 1])
  expect(await sweep(31)).toBe(0)
  expect(await now()).toMatchObject({
    state: 'cancelled',
    closingReason: 'analista_no_disponible',
    late: false,
    customerWaitingSince: null,
    customerCameAt: after(-5),
    sequence: call.sequence + 1,
  })
  expect(await eventsAbout(call.id, 'appointment')).toMatchObject([
    { name: 'missCall', actorId: null, fromState: 'assigned', toState: 'cancelled' },
  ])
  expect((await sentAbout(call)).toSorted()).toEqual([
    'analyst_missed to customer',
    'analyst_missed to managers',
    'cancelled to person',
  ])
  expect(await rowsWhere(tasks)).toMatchObject([
    { reason: 'missed_call', urgent: true, phone: '5512345678', appointmentId: call.id },
  ])
})

test('shows the customer an apology for a week, with three free times to book', async () => {
  await joins(client, 0)
  await sweep(30)
  const apology = 'Te pedimos una disculpa'
  await expectScreen('/', client, apology)
  const text = await markupOf('/videocall', client)
  expectWords(text, apology)
  const links = [...text.matchAll(/href="(\/agenda-videocall\?dia=[^"]+hora=([^"]+))"/g)]
  expect(links).toHaveLength(3)
  for (const [, href, start] of links)
    await expectScreen(
      href!.replaceAll('&amp;', '&'),
      client,
      `checked="" value="${decodeURIComponent(start!)}"`,
    )
  clock(8 * 24 * 60)
  await expectNotOnPage('/', client, apology)
})

test('a call is not missed while the customer never came, was met, asked to be phoned or is in the call', async () => {
  expect(await sweep(60)).toBe(0)
  await joins(client, -5)
  await leaves(client, -2)
  await joins(analyst, 1)
  await leaves(analyst, 20)
  expect(await sweep(60)).toBe(0)
  // Back in the room, and alone.
  await joins(client, 25)
  await change({ callBackAskedAt: after(30) })
  expect(await sweep(60)).toBe(0)
  await change({ callBackAskedAt: null })
  clock(40)
  await expectAnswered(press(analyst, 'start'), 303)
  expect(await sweep(60)).toBe(0)
  await change({ state: 'assigned' })
  expect(await sweep(60)).toBe(1)
})

test('a call is not missed after both sides have met, even if its beginning was undone', async () => {
  await joins(client, -5)
  await joins(analyst, 12)
  await storeRows(calls, { appointmentId: call.id, metAt: after(12) })
  await change({ customerWaitingSince: null })
  clock(12)
  for (const move of ['start', 'undoCallStart']) await expectAnswered(press(analyst, move), 303)
  expect(await sweep(30)).toBe(0)
  for (const who of [analyst, client]) await leaves(who, 31)
  expect(await sweep(60)).toBe(0)
  expect((await now()).state).toBe('assigned')
  await joins(client, 32)
  expect(await sweep(62)).toBe(1)
})

test('a call is missed without an analyst and by a customer who gave up; its slot goes to the waiting list', async () => {
  await change({ state: 'requested', assigneeId: null, confirmedAt: null })
  const { customerId, id: appointmentId, projectId } = call
  await storeRows(slotWishes, { customerId, projectId, appointmentId, service: 'videocall' })
  await joins(client, -3)
  await leaves(client, 4)
  expect([await sweep(29), await sweep(30)]).toEqual([0, 1])
  expect(await sentAbout(call)).not.toContain('cancelled to person')
  await expectRow(slotWishes, { customerId }, { endedBecause: 'appointment_over' })
})
