import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { uploadShareOf } from '../../../src/domain/documents/document.ts'
import { takeDocument } from '../../../src/server/documents/documents.ts'
import { appointments } from '../../../src/server/platform/database/schema/appointments.ts'
import { storeFile, takeShare } from '../../../src/server/platform/storage/intake.ts'
import { fileOf, pdf } from '../../documents/samples.ts'
import { book, slots, visitsOf } from '../../kit/appointments.ts'
import { fiscalDataOf, sendFiscal } from '../../kit/invoices.ts'
import { openOnce, people, world } from '../../kit/open.ts'
import { keysKept, rowsOf, send, visitUnderWay } from '../../kit/photos.ts'
import { jpeg } from './samples.ts'

openOnce()

const megabytes = (count: number) => Buffer.concat([pdf(), Buffer.alloc(count * 2 ** 20 - pdf().length)])
const constancia = { purpose: 'constancia', projectId: null } as const
const outcome = (sent: Promise<unknown>) =>
  sent.then(
    () => 'taken',
    (error: { code: string }) => error.code,
  )

/** Somebody who signed up a moment ago, with anybody's mailbox. */
const stranger = () => world.person({ emailVerified: false })

test('eight refused uploads of 5 MB leave nothing on the drive', async () => {
  const by = await stranger()
  const before = await keysKept(world)
  for (let sent = 0; sent < 8; sent++) {
    const form = { intent: 'keep-fiscal', version: '999' }
    expect((await sendFiscal(world, by, form, megabytes(5))).status).toBe(409)
  }
  expect(await keysKept(world)).toEqual(before)
})

test('what a transaction refuses goes again, though it was judged right before', async () => {
  const by = await world.person()
  const before = await keysKept(world)
  // Two from one form at once: both are judged before either is written.
  const sent = await Promise.all(
    [1, 2, 3].map((one) => sendFiscal(world, by, { intent: 'keep-fiscal' }, pdf(`<</N ${one}>>`))),
  )
  expect(sent.filter(({ status }) => status === 303)).toHaveLength(1)
  expect(await keysKept(world)).toHaveLength(before.length + 1)
  const { constanciaId } = (await fiscalDataOf(world, by))!
  expect(await keysKept(world)).toContain(`documents/${constanciaId}`)
})

test('a paper that takes the place of another takes its bytes away; the very same leaves none', async () => {
  const by = await world.person()
  await sendFiscal(world, by, { intent: 'keep-fiscal' }, pdf('<</First true>>'))
  const first = (await fiscalDataOf(world, by))!
  expect(await keysKept(world)).toContain(`documents/${first.constanciaId}`)
  const count = (await keysKept(world)).length
  const form = { intent: 'keep-fiscal', version: String(first.version) }
  expect((await sendFiscal(world, by, form, pdf('<</Second true>>'))).status).toBe(303)
  // Its answer was lost: the same form with the same file again.
  expect((await sendFiscal(world, by, form, pdf('<</Second true>>'))).status).toBe(303)
  const kept = await keysKept(world)
  expect(kept).toHaveLength(count)
  expect(kept).not.toContain(`documents/${first.constanciaId}`)
  expect(kept).toContain(`documents/${(await fiscalDataOf(world, by))!.constanciaId}`)
})

test('a photo that is refused after it arrived leaves nothing', async () => {
  const { visit } = await visitUnderWay(world, people.technician)
  const before = await keysKept(world)
  const bytes = await jpeg()
  // The visit ends while its picture is on its way.
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const ended = { state: 'cancelled' } as const
      await world.db.update(appointments).set(ended).where(eq(appointments.id, visit.id))
      controller.enqueue(new Uint8Array(bytes))
      controller.close()
    },
  })
  const now = new Date()
  const photo = { id: randomUUID(), appointmentId: visit.id, slot: 'facade', capturedAt: now }
  const sent = { ...photo, sha256: null, keptBecause: null, body }
  const stored = storeFile(world.db, world.drive, people.technician.actor, sent, now)
  expect(await outcome(stored)).not.toBe('taken')
  expect(await rowsOf(world, visit)).toEqual([])
  expect(await keysKept(world)).toEqual(before)
})

test('of many uploads at once exactly as many pass as an unproved account may send', async () => {
  const by = await stranger()
  const { files } = uploadShareOf(by.actor)
  const wish = () => ({ ...constancia, customerId: by.id, file: fileOf(pdf(), 'x.pdf') })
  const sent = await Promise.all(
    Array.from({ length: files + 6 }, () => outcome(takeDocument(world.db, world.drive, by.actor, wish()))),
  )
  expect(sent.filter((one) => one === 'taken')).toHaveLength(files)
  expect(sent.filter((one) => one === 'resource-exhausted')).toHaveLength(6)
  // Somebody else's share is their own, and an hour later it begins anew.
  const other = { ...constancia, customerId: people.customer.id, file: fileOf(pdf(), 'x.pdf') }
  expect(await outcome(takeDocument(world.db, world.drive, people.customer.actor, other))).toBe('taken')
  const later = new Date(Date.now() + 61 * 60_000)
  expect(await outcome(takeShare(world.db, world.drive, by.actor, 1, later))).toBe('taken')
})

test('bytes are counted as files are, also of uploads at once; what is refused takes nothing of the share', async () => {
  const by = await stranger()
  const most = uploadShareOf(by.actor).kilobytes * 1024
  const take = (bytes: number) => outcome(takeShare(world.db, world.drive, by.actor, bytes, new Date()))
  const sent = await Promise.all([0.4, 0.4, 0.4, 0.4].map((share) => take(most * share)))
  expect(sent.filter((one) => one === 'taken')).toHaveLength(2)
  expect(await take(most * 0.19)).toBe('taken')
  expect(await take(most * 0.19)).toBe('resource-exhausted')
})

test('the form says in words how long to wait, and keeps what was typed', async () => {
  const by = await stranger()
  const { files } = uploadShareOf(by.actor)
  for (let sent = 0; sent < files; sent++) await takeShare(world.db, world.drive, by.actor, 1, new Date())
  const { status, text } = await sendFiscal(world, by, { intent: 'keep-fiscal' }, pdf())
  expect(status).toBe(429)
  for (const words of ['Muchos archivos seguidos', 'Espera 60 minutos', 'value=" gode-561231-gr8 "'])
    expect(text).toContain(words)
})

test('a technician who was three days without a network sends everything at once', async () => {
  const pictures = 3 * 6 * 40
  const { technician } = people
  const large = 8 * 2 ** 20
  const sent = await Promise.all(
    Array.from({ length: pictures }, () =>
      outcome(takeShare(world.db, world.drive, technician.actor, large, new Date())),
    ),
  )
  expect(new Set(sent)).toEqual(new Set(['taken']))
})

test('a disk that is nearly full takes no upload, in words; an appointment is booked as ever', async () => {
  const full = world.under({ DISK_RESERVE_MB: '1000000000000' })
  const before = await keysKept(world)
  const by = await world.person()
  await world.home(by)
  const { status, text } = await sendFiscal({ ...world, ...full }, by, { intent: 'keep-fiscal' }, pdf())
  expect([status, text.includes('no podemos guardar archivos')]).toEqual([503, true])
  const { visit } = await visitUnderWay(world, people.technician)
  const photo = await send({ ...world, ...full }, people.technician, visit, { bytes: await jpeg() })
  expect([photo.status, photo.told.description]).toEqual([
    503,
    expect.stringContaining('no podemos guardar archivos'),
  ])
  expect(await keysKept(world)).toEqual(before)
  const [start] = await slots(world, by)
  await book({ ...world, ...full }, by, start!)
  expect(await visitsOf(world, by)).toHaveLength(1)
})
