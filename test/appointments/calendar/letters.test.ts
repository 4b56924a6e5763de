import { sql } from 'drizzle-orm'
import ICAL from 'ical.js'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { releaseAssignee } from '../../../src/server/appointments/assign.ts'
import { cancel } from '../../../src/server/appointments/cancel.ts'
import { changeTime } from '../../../src/server/appointments/change-time.ts'
import type { EmailJob } from '../../../src/server/notifications/jobs.ts'
import { assign, assignVisit, bookVisit, customer, hour, readAgain, visit } from '../../kit/appointments.ts'
import { deliver, emailEnv } from '../../kit/delivered.ts'
import { mailServer, type Received } from '../../kit/mail-server.ts'
import { openEach, people, sendJobs, world } from '../../kit/open.ts'

openEach(bookVisit)
sendJobs()

const toCustomer = (letter: string) =>
  ({ letter, appointmentId: visit.id, to: 'customer' }) as Extract<EmailJob, { to: 'customer' }>

async function written(data: EmailJob) {
  const { received, transport } = await mailServer()
  await deliver(world.db, emailEnv, transport, data, 'job-1')
  return received
}

async function eventIn({ source }: Received) {
  const { attachments } = await PostalMime.parse(source, { attachmentEncoding: 'utf8' })
  const text = String(attachments.find(({ mimeType }) => mimeType === 'text/calendar')!.content)
  const calendar = new ICAL.Component(ICAL.parse(text))
  const event = new ICAL.Event(calendar.getFirstSubcomponent('vevent')!)
  return {
    method: calendar.getFirstPropertyValue('method'),
    uid: event.uid,
    sequence: event.sequence,
    startsAt: event.startDate.toJSDate(),
    status: event.component.getFirstPropertyValue('status'),
    text,
    file: attachments.find(({ mimeType }) => mimeType === 'application/ics'),
  }
}

const sent = async (letter: string) => eventIn((await written(toCustomer(letter)))[0]!)

test('booked, assigned, released, moved, cancelled: one entry, each time with a higher number', async () => {
  const told = [await sent('booked')]
  await assignVisit()
  told.push(await sent('assigned'))
  const { version } = visit
  await releaseAssignee(
    world.db,
    people.manager.actor,
    visit.id,
    { reason: 'Se enfermó', version },
    new Date(),
  )
  await readAgain()
  told.push(await sent('no_person'))
  await assign(world, people.manager, visit, people.technician2)
  told.push(await sent('assigned'))
  await readAgain()
  const later = new Date(visit.startsAt.getTime() + hour)
  const wish = { startsAt: later, version: visit.version, overrideReason: 'Lo pidió por teléfono' }
  await changeTime(world.db, people.manager.actor, visit.id, wish, new Date())
  told.push(await sent('changed'))
  await readAgain()
  const closing = { reason: 'duplicada' as const, note: null, version: visit.version }
  await cancel(world.db, people.manager.actor, visit.id, closing, new Date())
  told.push(await sent('cancelled'))
  expect(new Set(told.map(({ uid }) => uid))).toEqual(new Set([`${visit.id}@carga.example`]))
  expect(told.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3, 4, 5])
  expect(told.map(({ method, status }) => `${method} ${status}`)).toEqual([
    'REQUEST TENTATIVE',
    'REQUEST CONFIRMED',
    'REQUEST TENTATIVE',
    'REQUEST CONFIRMED',
    'REQUEST CONFIRMED',
    'CANCEL CANCELLED',
  ])
  const start = later.getTime() - hour
  expect(told.map(({ startsAt }) => startsAt.getTime() - start)).toEqual([0, 0, 0, 0, hour, hour])
})

test('both as a part that mail programs take in and as a file', async () => {
  const [message] = await written(toCustomer('booked'))
  for (const type of ['multipart\\/mixed', 'multipart\\/alternative'])
    expect(message!.source).toMatch(new RegExp(`^Content-Type: ${type}`, 'm'))
  expect(message!.source).toMatch(/^Content-Type: text\/calendar; charset=utf-8;\s+method=REQUEST\r$/im)
  const { file, text } = await eventIn(message!)
  expect(file).toMatchObject({ disposition: 'attachment', filename: 'invite.ics', content: text })
  expect(text).toContain(`mailto:citas@carga.example`)
  expect(text.replace(/\r\n /g, '')).toContain(`:MAILTO:${customer.email}`)
})

test('in a mailbox that nobody proved: when, and neither where nor who', async () => {
  await assignVisit()
  await world.db.execute(sql`update users set email_verified = false where id = ${customer.id}`)
  const { text } = await sent('assigned')
  expect(text).toContain('SUMMARY:Visita técnica · Carga en Casa')
  expect(text).not.toMatch(/Calle Ejemplo|Villa|Coyoac|\b04000\b|Tomás|Camila|LOCATION/)
})

test('the person who goes has it in theirs; taken off, it goes, with nothing of where', async () => {
  await assignVisit()
  const { technician } = people
  const [mine] = await written({ letter: 'assigned', appointmentId: visit.id, to: 'person' })
  expect(mine!.to).toEqual([technician.email])
  expect(await eventIn(mine!)).toMatchObject({ method: 'REQUEST', status: 'CONFIRMED' })
  expect((await eventIn(mine!)).text.replace(/\r\n /g, '')).toMatch(
    /SUMMARY:Visita técnica · Camila[\s\S]*Calle Ejemplo/,
  )
  const off = { letter: 'no_person', appointmentId: visit.id, to: 'person', personId: technician.id } as const
  expect(await written(off)).toEqual([])
  await assign(world, people.manager, visit, people.technician2)
  const [gone] = await written(off)
  expect(await eventIn(gone!)).toMatchObject({ method: 'CANCEL', status: 'CANCELLED', sequence: 2 })
  expect((await eventIn(gone!)).text).not.toMatch(/Calle|Camila|LOCATION/)
})

test('on the way and reminders leave the calendar as it is', async () => {
  await assignVisit()
  const was = { startsAt: visit.startsAt.toISOString() }
  const reminder = { letter: 'reminder_2h', appointmentId: visit.id, to: 'customer', was } as const
  await world.db.execute(sql`update appointments set state = 'en_route'`)
  const [message] = await written(toCustomer('on_the_way'))
  expect(message!.source).not.toContain('text/calendar')
  await world.db.execute(sql`update appointments set state = 'assigned'`)
  expect((await written(reminder))[0]!.source).not.toContain('text/calendar')
})
