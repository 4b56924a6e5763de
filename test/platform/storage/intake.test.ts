import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { appointments, sheets } from '../../../src/platform/database/schema/appointments.ts'
import { largestFile } from '../../../src/reports/rules/photos.ts'
import { hour, minute, type Visit } from '../../kit/appointments.ts'
import {
  analyst,
  db,
  fixture,
  fromNow,
  inParallel,
  manager,
  openOnce,
  technician,
  technician2,
} from '../../kit/open.ts'
import { drop, keysKept, look, rowsOf, send, sha256, visitUnderWay } from '../../kit/photos.ts'
import { expectStatus, expectStatuses } from '../../kit/reading.ts'
import { writeSheet } from '../../kit/reports.ts'
import type { Body } from '../../kit/visitor.ts'
import { drawing, jpeg, uprightWithPlace } from './samples.ts'

openOnce()
let photo: Buffer
let visit: Visit
beforeAll(async () => {
  photo = await jpeg()
})
beforeEach(async () => {
  // One at a time is under way for a person.
  await db.update(appointments).set({ state: 'done' }).where(eq(appointments.state, 'in_progress'))
  visit = (await visitUnderWay(technician)).visit
})

const ago = (ms: number) => new Date(Date.now() - ms)
const statusOf = async (id: string, by = technician) => (await look(by, id)).status
/** An upload without what a phone always says. */
const put = (query: string, body: Body, headers = {}) =>
  fixture.send(`/onsite/${visit.id}/files/${randomUUID()}?slot=facade&${query}`, technician, {
    method: 'PUT',
    headers: { origin: 'http://carga.test', 'x-person': technician.id, ...headers },
    body,
  })
const sendIt = (input: Partial<Parameters<typeof send>[2]> = {}) =>
  send(technician, visit, { bytes: photo, ...input })

test('stores a photo with its times and a reason without invisible characters, once if sent again', async () => {
  const input = { id: randomUUID(), capturedAt: ago(hour), keptBecause: ' De\u0000 noche\u202e ' }
  for (const _time of [1, 2]) {
    const { headers, status, told } = await sendIt(input)
    expect([status, told, headers.get('cache-control')]).toEqual([200, { stored: true }, 'no-store'])
  }
  const [row, ...more] = await rowsOf(visit)
  const full = await look(technician, input.id)
  expect(more).toEqual([])
  expect(row).toMatchObject({
    id: input.id,
    slot: 'facade',
    capturedAt: input.capturedAt,
    keptBecause: 'De noche',
    width: 1600,
    sentSha256: sha256(photo),
    sha256: sha256(full.bytes),
    bytes: full.bytes.length,
    replacedAt: null,
    uploadedBy: technician.id,
    type: 'image/jpeg',
  })
  expect(row!.arrivedAt.getTime() - row!.capturedAt.getTime()).toBeGreaterThan(hour - minute)
})

test('serves photos re-encoded, with closed headers, revalidated each time', async () => {
  const id = randomUUID()
  await sendIt({ id, bytes: await uprightWithPlace() })
  for (const [size, type] of [
    ['full', 'image/jpeg'],
    ['list', 'image/webp'],
  ] as const) {
    const { bytes, headers, status } = await look(technician, id, size)
    expect([status, headers.get('content-type')]).toEqual([200, type])
    expect(bytes.includes('TelefonoDePrueba')).toBe(false)
    expect(await sharp(bytes).metadata()).toMatchObject({ format: type.slice(6) })
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('private, no-cache')
    const known = { headers: { 'if-none-match': headers.get('etag')! } }
    const again = await fixture.send(`/files/${id}/${size}`, technician, known)
    expect([again.status, again.text]).toEqual([304, ''])
    expectStatus(await fixture.send(`/files/${id}/${size}`, technician2, known), 404)
  }
})

test('keeps the photo taken last of a slot, whatever their order', async () => {
  const others = await keysKept(fixture)
  const ids = [randomUUID(), randomUUID(), randomUUID()]
  const taken = [30, 10, 20].map((minutes) => ago(minutes * minute))
  const sendNth = async (nth: number) =>
    sendIt({ id: ids[nth]!, capturedAt: taken[nth]!, bytes: await jpeg({ shade: nth }) })
  for (const nth of [0, 1, 2]) expectStatus(await sendNth(nth), 200)
  expect((await rowsOf(visit)).map(({ id, replacedAt }) => [id, replacedAt === null])).toEqual([
    [ids[0], false],
    [ids[2], false],
    [ids[1], true],
  ])
  expect(await Promise.all(ids.map((id) => statusOf(id)))).toEqual([404, 200, 404])
  expect((await keysKept(fixture)).length - others.length).toBe(2)
  // One that was replaced is not brought back by being sent again.
  expect((await sendNth(0)).told).toEqual({ stored: true })
  expect(await statusOf(ids[1]!)).toBe(200)
})

test('keeps one of many photos sent at once for a slot', async () => {
  const photos = await Promise.all([0, 1, 2, 3].map((shade) => jpeg({ shade: shade * 60 })))
  const ids = photos.map(() => randomUUID())
  const all = await Promise.all(
    photos.map((bytes, nth) => sendIt({ bytes, id: ids[nth]!, capturedAt: ago((4 - nth) * minute) })),
  )
  expectStatuses(all, 200, 200, 200, 200)
  const living = (await rowsOf(visit)).filter(({ replacedAt }) => replacedAt === null)
  expect(living.map(({ id }) => id)).toEqual([ids[3]])

  const id = randomUUID()
  const same = await inParallel(3, () => sendIt({ id, slot: 'meter' }))
  expect(same.map(({ told }) => told)).toEqual(Array(3).fill({ stored: true }))
  expect((await rowsOf(visit)).filter(({ slot }) => slot === 'meter')).toHaveLength(1)
  expect(await statusOf(id)).toBe(200)
})

test('refuses other contents under a taken id, also at once', async () => {
  const id = randomUUID()
  const other = await jpeg({ shade: 200 })
  const both = await Promise.all([sendIt({ id }), sendIt({ id, bytes: other })])
  expectStatuses(both, 200, 409)
  const [row] = await rowsOf(visit)
  expect(row!.sentSha256).toBe(sha256(both[0]!.status === 200 ? photo : other))
  const { bytes } = await look(technician, id)
  expect(sha256(bytes)).toBe(row!.sha256)
  expect((await sendIt({ id, bytes: await jpeg({ shade: 3 }) })).told.code).toBe('already-exists')
  // Nor under the id of a photo of another visit.
  const { visit: elsewhere } = await visitUnderWay(technician2)
  expectStatus(await send(technician2, elsewhere, { id, bytes: photo }), 409)
  expect(await rowsOf(elsewhere)).toEqual([])
})

test('refuses a wrong hash, a future or old time and a foreign slot', async () => {
  const wrong = await sendIt({ sha256: sha256(Buffer.from('x')) })
  expect([wrong.status, wrong.told.description]).toEqual([400, expect.stringContaining('incompleta')])
  const times: [Date, number][] = [
    [fromNow(4 * minute), 200],
    [fromNow(6 * minute), 400],
    [ago(29 * 24 * hour), 200],
    [ago(31 * 24 * hour), 400],
    [new Date(0), 400],
  ]
  for (const [capturedAt, status] of times) expectStatus(await sendIt({ capturedAt }), status)
  for (const slot of ['', 'serial_number', 'constructor', '../facade', 'fault_1'])
    expect([400, 403], slot).toContain((await sendIt({ slot })).status)
  expectStatus(await sendIt({ sha256: 'zz' }), 400)
  expectStatus(await put(`capturedAt=ayer&sha256=${sha256(photo)}`, new Uint8Array(photo)), 400)
})

test('refuses ids that are paths', async () => {
  const before = await keysKept(fixture)
  for (const id of ['..%2f..%2fauth-secret', '../x', '%2e%2e', 'a'.repeat(2000), "x' or 1=1--", '\u0000'])
    expect((await sendIt({ id: encodeURIComponent(id) })).status, id).not.toBe(200)
  for (const path of ['..%2f..%2fauth-secret/full', `${randomUUID()}/original`, 'x/list'])
    expectStatus(await fixture.visit(`/files/${path}`, technician), 404)
  expect(await keysKept(fixture)).toEqual(before)
})

test('refuses small photos unless a reason is given, and not signatures', async () => {
  const bytes = await jpeg({ width: 1279, height: 900 })
  const small = await sendIt({ bytes })
  expect([small.status, small.told.description]).toEqual([400, expect.stringContaining('1279 × 900')])
  expectStatus(await sendIt({ bytes, keptBecause: 'No hay más luz.' }), 200)
  expectStatus(await sendIt({ bytes: await drawing(), slot: 'signature_customer' }), 200)
  const signature = (await rowsOf(visit)).find(({ slot }) => slot === 'signature_customer')
  expect(signature).toMatchObject({ type: 'image/png', width: 900 })
})

test('refuses more than 12 MB, declared or not', async () => {
  const bytes = Buffer.alloc(largestFile + 1)
  photo.copy(bytes)
  const large = await sendIt({ bytes })
  expect([large.status, large.told.description]).toEqual([413, expect.stringContaining('12\u00a0MB')])
  const query = `capturedAt=${new Date().toISOString()}&sha256=${sha256(bytes)}`
  expectStatus(await put(query, '', { 'content-length': String(bytes.length) }), 413)
  expect(await rowsOf(visit)).toEqual([])
})

// Everything that is refused: test/platform/storage/pictures.test.ts.
test('refuses what is no photo, and keeps nothing of it', async () => {
  const before = await keysKept(fixture)
  expectStatus(await sendIt({ bytes: Buffer.from('<!doctype html>') }), 400)
  expect(await rowsOf(visit)).toEqual([])
  expect(await keysKept(fixture)).toEqual(before)
})

test('only the technician adds photos, while the report is a draft or returned', async () => {
  for (const other of [analyst, manager]) expectStatus(await send(other, visit, { bytes: photo }), 403)
  expectStatus(await send(technician2, visit, { bytes: photo }), 404)
  const writing = async (state: 'draft' | 'submitted' | 'returned' | 'approved') => {
    await db.delete(sheets)
    await writeSheet(fixture, { ...visit, state })
    return (await sendIt()).status
  }
  expect(await writing('draft')).toBe(200)
  expect(await writing('submitted')).toBe(409)
  expect(await writing('returned')).toBe(200)
  expect(await writing('approved')).toBe(409)
  // Its answer was lost: the phone must hear that it came.
  const id = randomUUID()
  await db.delete(sheets)
  await sendIt({ id })
  await writing('submitted')
  expect((await sendIt({ id })).told).toEqual({ stored: true })
  await db.delete(sheets)
})

test('removes an additional photo once, and no required one', async () => {
  const extra = randomUUID()
  const needed = randomUUID()
  await sendIt({ id: extra, slot: 'extra_2' })
  await sendIt({ id: needed, bytes: await anotherPhoto() })
  const before = (await keysKept(fixture)).length
  const dropIt = (id: string, by = technician) => drop(by, visit, id)
  for (const _time of [1, 2]) expectStatus(await dropIt(extra), 200)
  expect((await keysKept(fixture)).length).toBe(before - 2)
  expectStatus(await dropIt(needed), 409)
  expectStatus(await dropIt(needed, technician2), 404)
  expectStatus(await dropIt(randomUUID()), 200)
  expect([await statusOf(extra), await statusOf(needed)]).toEqual([404, 200])
  expect((await sendIt({ id: extra, slot: 'extra_2' })).told).toEqual({ stored: true })
  expect(await statusOf(extra)).toBe(404)
})

test('takes an id in capitals as the same id', async () => {
  const id = randomUUID()
  const capitals = { id: visit.id.toUpperCase() }
  const { status } = await send(technician, capitals, { id: id.toUpperCase(), bytes: photo })
  expect([status, await statusOf(id)]).toEqual([200, 200])
  expect((await sendIt({ id })).told).toEqual({ stored: true })
  expect(await rowsOf(visit)).toHaveLength(1)
})

test('refuses the same photo in another slot of its report, also at once', async () => {
  expectStatus(await sendIt({ slot: 'meter' }), 200)
  const same = await sendIt({ slot: 'facade' })
  expect([same.status, same.told.description]).toEqual([
    409,
    'Es la misma foto que «Medidor de CFE». Toma otra: cada una muestra algo distinto.',
  ])
  expect((await rowsOf(visit)).map(({ slot }) => slot)).toEqual(['meter'])
  expectStatus(await sendIt({ slot: 'meter' }), 200)
  expectStatus(await sendIt({ slot: 'facade', bytes: await uprightWithPlace() }), 200)
  // What another picture took the place of is free again, and one paper may carry both signatures.
  await sendIt({ slot: 'meter', bytes: await anotherPhoto() })
  for (const slot of ['pole', 'signature_technician', 'signature_customer'])
    expectStatus(await sendIt({ slot }), 200)
  const bytes = await jpeg({ shade: 7 })
  const both = ['main_breaker', 'extra_1'].map((slot) => sendIt({ slot, bytes }))
  expectStatuses(await Promise.all(both), 200, 409)
})

const anotherPhoto = () =>
  sharp({ create: { width: 1400, height: 1000, channels: 3, background: '#356' } })
    .jpeg()
    .toBuffer()
