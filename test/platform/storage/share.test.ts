import { randomUUID } from 'node:crypto'
import { takeDocument } from '../../../src/documents/documents.ts'
import { uploadShareOf } from '../../../src/documents/rules/document.ts'
import { appointments } from '../../../src/platform/database/schema/appointments.ts'
import { takeShare } from '../../../src/platform/storage/keep.ts'
import { storeFile } from '../../../src/reports/photo-upload.ts'
import { fileOf, pdf } from '../../documents/samples.ts'
import { book, slots, visitsOf } from '../../kit/appointments.ts'
import { fiscalDataOf, sendFiscal } from '../../kit/invoices.ts'
import {
  customer,
  db,
  enter,
  fixture,
  fromNow,
  inParallel,
  newPerson,
  openOnce,
  setRow,
  technician,
} from '../../kit/open.ts'
import { keysKept, rowsOf, send, visitUnderWay } from '../../kit/photos.ts'
import { expectPage, expectStatus, expectWords } from '../../kit/reading.ts'
import { jpeg } from './samples.ts'

openOnce()

const constancia = { purpose: 'constancia', projectId: null } as const
const outcome = (sent: Promise<unknown>) =>
  sent.then(
    () => 'taken',
    (error: { code: string }) => error.code,
  )

/** Someone who signed up a moment ago, with anyone's mailbox. */
const stranger = () => newPerson({ emailVerified: false })

test('bytes of uploads that a transaction refuses are deleted', async () => {
  const by = await newPerson()
  const before = await keysKept(fixture)
  // Two from one form at once: both are judged before either is written.
  const sent = await Promise.all(
    [1, 2, 3].map((one) => sendFiscal(fixture, by, { intent: 'keep-fiscal' }, pdf(`<</N ${one}>>`))),
  )
  expect(sent.filter(({ status }) => status === 303)).toHaveLength(1)
  expect(await keysKept(fixture)).toHaveLength(before.length + 1)
  const { constanciaId } = (await fiscalDataOf(fixture, by))!
  expect(await keysKept(fixture)).toContain(`documents/${constanciaId}`)
})

test('a paper that replaces another deletes its bytes', async () => {
  const by = await newPerson()
  await sendFiscal(fixture, by, { intent: 'keep-fiscal' }, pdf('<</First true>>'))
  const first = (await fiscalDataOf(fixture, by))!
  expect(await keysKept(fixture)).toContain(`documents/${first.constanciaId}`)
  const count = (await keysKept(fixture)).length
  const form = { intent: 'keep-fiscal', version: String(first.version) }
  expectStatus(await sendFiscal(fixture, by, form, pdf('<</Second true>>')), 303)
  // Its answer was lost: the same form with the same file again.
  expectStatus(await sendFiscal(fixture, by, form, pdf('<</Second true>>')), 303)
  const kept = await keysKept(fixture)
  expect(kept).toHaveLength(count)
  expect(kept).not.toContain(`documents/${first.constanciaId}`)
  expect(kept).toContain(`documents/${(await fiscalDataOf(fixture, by))!.constanciaId}`)
})

test('a photo that is refused after it arrived leaves nothing', async () => {
  const { visit } = await visitUnderWay(technician)
  const before = await keysKept(fixture)
  const bytes = await jpeg()
  // The visit ends while its picture is on its way.
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await setRow(appointments, visit, { state: 'cancelled' } as const)
      controller.enqueue(new Uint8Array(bytes))
      controller.close()
    },
  })
  const now = new Date()
  const photo = { id: randomUUID(), appointmentId: visit.id, slot: 'facade', capturedAt: now }
  const sent = { ...photo, sha256: null, keptBecause: null, body }
  expect(await outcome(storeFile(db, fixture.drive, technician.actor, sent, now))).not.toBe('taken')
  expect(await rowsOf(visit)).toEqual([])
  expect(await keysKept(fixture)).toEqual(before)
})

test('an unverified account uploads no more than its share at once', async () => {
  const by = await stranger()
  const { files } = uploadShareOf(by.actor)
  const input = () => ({ ...constancia, customerId: by.id, file: fileOf(pdf(), 'x.pdf') })
  const sent = await inParallel(files + 6, () => outcome(takeDocument(db, fixture.drive, by.actor, input())))
  const refused = Array(6).fill('resource-exhausted')
  expect(sent.toSorted()).toEqual([...refused, ...Array(files).fill('taken')])
  // Someone else's share is their own, and an hour later it begins anew.
  const other = { ...constancia, customerId: customer.id, file: fileOf(pdf(), 'x.pdf') }
  expect(await outcome(takeDocument(db, fixture.drive, customer.actor, other))).toBe('taken')
  expect(await outcome(takeShare(db, fixture.drive, by.actor, 1, fromNow(61 * 60_000)))).toBe('taken')
})

test('bytes are limited too, and refused uploads are not counted', async () => {
  const by = await stranger()
  const most = uploadShareOf(by.actor).kilobytes * 1024
  const take = (bytes: number) => outcome(takeShare(db, fixture.drive, by.actor, bytes, new Date()))
  const sent = await Promise.all([0.4, 0.4, 0.4, 0.4].map((share) => take(most * share)))
  expect(sent.filter((one) => one === 'taken')).toHaveLength(2)
  expect(await take(most * 0.19)).toBe('taken')
  expect(await take(most * 0.19)).toBe('resource-exhausted')
})

test('the form says in words how long to wait, and keeps what was typed', async () => {
  const by = await stranger()
  const { files } = uploadShareOf(by.actor)
  for (let sent = 0; sent < files; sent++) await takeShare(db, fixture.drive, by.actor, 1, new Date())
  const { status, text } = await sendFiscal(fixture, by, { intent: 'keep-fiscal' }, pdf())
  expect(status).toBe(429)
  expectWords(text, 'Muchos archivos seguidos', 'Espera 60 minutos', 'value=" gode-561231-gr8 "')
})

test('a technician sends three days of photos at once', async () => {
  const large = 8 * 2 ** 20
  const sent = await inParallel(3 * 6 * 40, () =>
    outcome(takeShare(db, fixture.drive, technician.actor, large, new Date())),
  )
  expect(new Set(sent)).toEqual(new Set(['taken']))
})

test('a nearly full disk refuses uploads, and takes bookings', async () => {
  const full = fixture.under({ DISK_RESERVE_MB: '1000000000000' })
  const before = await keysKept(fixture)
  const by = await newPerson()
  await fixture.home(by)
  enter({ ...fixture, ...full })
  const refused = 'no podemos guardar archivos'
  expectPage(await sendFiscal(fixture, by, { intent: 'keep-fiscal' }, pdf()), 503, refused)
  const { visit } = await visitUnderWay(technician)
  expectPage(await send(technician, visit, { bytes: await jpeg() }), 503, refused)
  expect(await keysKept(fixture)).toEqual(before)
  const [start] = await slots(by)
  await book(by, start!)
  expect(await visitsOf(by)).toHaveLength(1)
})
