import ICAL from 'ical.js'
import PostalMime from 'postal-mime'
import { releaseAssignee } from '../../../src/appointments/assign.ts'
import { cancel } from '../../../src/appointments/cancel.ts'
import { changeTime } from '../../../src/appointments/change-time.ts'
import type { EmailJob } from '../../../src/platform/jobs/emails.ts'
import {
  around,
  assign,
  assignVisit,
  bookVisit,
  customer,
  hour,
  readAgain,
  visit,
} from '../../kit/appointments.ts'
import { deliver, emailEnv } from '../../kit/delivered.ts'
import { mailServer } from '../../kit/mail-server.ts'
import { db, manager, openEach, runSql, sendJobs, technician, technician2 } from '../../kit/open.ts'
import { expectWords } from '../../kit/reading.ts'

openEach(bookVisit)
sendJobs()

/** What is sent of the visit as it stands now. */
async function sent(letter: string, to = 'customer', more = {}) {
  const { received, transport } = await mailServer()
  const job = { letter, appointmentId: visit.id, to, ...more } as EmailJob
  await deliver(db, emailEnv, transport, job, 'job-1')
  return received
}

/** The calendar entry of an email. */
async function entryOf(email: Promise<{ source: string }[]>) {
  const [{ source }] = (await email) as [{ source: string }]
  const { attachments } = await PostalMime.parse(source, { attachmentEncoding: 'utf8' })
  const content = (type: string) => attachments.find(({ mimeType }) => mimeType === type)
  const text = String(content('text/calendar')!.content)
  const calendar = new ICAL.Component(ICAL.parse(text))
  const event = new ICAL.Event(calendar.getFirstSubcomponent('vevent')!)
  const status = event.component.getFirstPropertyValue('status')
  return {
    uid: event.uid,
    kind: `${calendar.getFirstPropertyValue('method')} ${status} ${event.sequence}`,
    startsAt: event.startDate.toJSDate(),
    text,
    unfolded: text.replace(/\r\n /g, ''),
    file: content('application/ics'),
    source,
  }
}

test('booked, assigned, released, moved and cancelled are one entry with a rising number', async () => {
  const { actor } = manager
  const at = visit.startsAt
  const later = around(visit, hour)
  const entries = [await entryOf(sent('booked'))]
  const then = async (letter: string) => {
    await readAgain()
    entries.push(await entryOf(sent(letter)))
  }
  await assignVisit()
  await then('assigned')
  const release = { reason: 'Se enfermó', version: visit.version }
  await releaseAssignee(db, actor, visit.id, release, new Date())
  await then('no_person')
  await assign(manager, visit, technician2)
  await then('assigned')
  const moving = { startsAt: later, version: visit.version, overrideReason: 'Lo pidió por teléfono' }
  await changeTime(db, actor, visit.id, moving, new Date())
  await then('changed')
  const closing = { reason: 'duplicada' as const, note: null, version: visit.version }
  await cancel(db, actor, visit.id, closing, new Date())
  await then('cancelled')
  expect(new Set(entries.map(({ uid }) => uid))).toEqual(new Set([`${visit.id}@carga.example`]))
  expect(entries.map(({ kind }) => kind)).toEqual([
    'REQUEST TENTATIVE 0',
    'REQUEST CONFIRMED 1',
    'REQUEST TENTATIVE 2',
    'REQUEST CONFIRMED 3',
    'REQUEST CONFIRMED 4',
    'CANCEL CANCELLED 5',
  ])
  expect(entries.map(({ startsAt }) => startsAt)).toEqual([at, at, at, at, later, later])
})

test('an email carries the entry as a part for mail programs and as a file', async () => {
  const { file, source, text, unfolded } = await entryOf(sent('booked'))
  for (const type of ['multipart\\/mixed', 'multipart\\/alternative'])
    expect(source).toMatch(new RegExp(`^Content-Type: ${type}`, 'm'))
  expect(source).toMatch(/^Content-Type: text\/calendar; charset=utf-8;\s+method=REQUEST\r$/im)
  expect(file).toMatchObject({ disposition: 'attachment', filename: 'invite.ics', content: text })
  expectWords(unfolded, 'mailto:citas@carga.example', `:MAILTO:${customer.email}`)
})

test('the entry to an unverified e-mail has neither address nor names', async () => {
  await assignVisit()
  await runSql`update users set email_verified = false where id = ${customer.id}`
  const { text } = await entryOf(sent('assigned'))
  expect(text).toContain('SUMMARY:Visita técnica · Carga en Casa')
  expect(text).not.toMatch(/Calle Ejemplo|Villa|Coyoac|\b04000\b|Tomás|Camila|LOCATION/)
})

test('the technician gets it with customer and address; taken off, its cancellation without them', async () => {
  await assignVisit()
  const mine = sent('assigned', 'person')
  expect((await mine)[0]!.to).toEqual([technician.email])
  const entry = await entryOf(mine)
  expect(entry.kind).toBe('REQUEST CONFIRMED 1')
  expect(entry.unfolded).toMatch(/SUMMARY:Visita técnica · Camila[\s\S]*Calle Ejemplo/)
  const off = () => sent('no_person', 'person', { personId: technician.id })
  expect(await off()).toEqual([])
  await assign(manager, visit, technician2)
  const gone = await entryOf(off())
  expect(gone.kind).toBe('CANCEL CANCELLED 2')
  expect(gone.text).not.toMatch(/Calle|Camila|LOCATION/)
})

test('e-mails on the way and reminders have no calendar entry', async () => {
  await assignVisit()
  const was = { was: { startsAt: visit.startsAt.toISOString() } }
  expect((await sent('reminder_2h', 'customer', was))[0]!.source).not.toContain('text/calendar')
  await runSql`update appointments set state = 'en_route'`
  expect((await sent('on_the_way'))[0]!.source).not.toContain('text/calendar')
})
