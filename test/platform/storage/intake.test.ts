import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { largestFile } from '../../../src/domain/reports/photos.ts'
import { appointments, sheets } from '../../../src/server/platform/database/schema/appointments.ts'
import { hour, minute, type Visit } from '../../kit/appointments.ts'
import { openOnce, people, world } from '../../kit/open.ts'
import { drop, keysKept, look, rowsOf, send, sha256, visitUnderWay } from '../../kit/photos.ts'
import { drawing, hostile, jpeg, uprightWithPlace } from './samples.ts'

openOnce()
let photo: Buffer
let visit: Visit
beforeAll(async () => {
  photo = await jpeg()
})
beforeEach(async () => {
  // One at a time is under way for a person.
  await world.db.update(appointments).set({ state: 'done' }).where(eq(appointments.state, 'in_progress'))
  visit = (await visitUnderWay(world, people.technician)).visit
})

const ago = (ms: number) => new Date(Date.now() - ms)
const sendIt = (wish: Partial<Parameters<typeof send>[3]> = {}) =>
  send(world, people.technician, visit, { bytes: photo, ...wish })

test('a photo is kept with when it was taken and when it came; sent again, it is the same one', async () => {
  const wish = { id: randomUUID(), capturedAt: ago(hour), keptBecause: '  Llovía  ' }
  for (const _time of [1, 2]) {
    const { headers, status, told } = await sendIt(wish)
    expect([status, told, headers.get('cache-control')]).toEqual([200, { stored: true }, 'no-store'])
  }
  const [row, ...more] = await rowsOf(world, visit)
  const full = await look(world, people.technician, wish.id)
  expect(more).toEqual([])
  expect(row).toMatchObject({
    id: wish.id,
    slot: 'facade',
    capturedAt: wish.capturedAt,
    keptBecause: 'Llovía',
    width: 1600,
    sentSha256: sha256(photo),
    sha256: sha256(full.bytes),
    bytes: full.bytes.length,
    replacedAt: null,
    uploadedBy: people.technician.id,
    type: 'image/jpeg',
  })
  expect(row!.arrivedAt.getTime() - row!.capturedAt.getTime()).toBeGreaterThan(hour - minute)
})

test('what is handed out is ours: type, size, closed headers; kept by the browser, asked each time', async () => {
  const id = randomUUID()
  await sendIt({ id, bytes: await uprightWithPlace() })
  for (const [size, type] of [
    ['full', 'image/jpeg'],
    ['list', 'image/webp'],
  ] as const) {
    const { bytes, headers, status } = await look(world, people.technician, id, size)
    expect([status, headers.get('content-type')]).toEqual([200, type])
    expect(bytes.includes('TelefonoDePrueba')).toBe(false)
    expect(await sharp(bytes).metadata()).toMatchObject({ format: type.slice(6) })
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('private, no-cache')
    const again = await world.send(`/files/${id}/${size}`, people.technician, {
      headers: { 'if-none-match': headers.get('etag')! },
    })
    expect([again.status, again.text]).toEqual([304, ''])
  }
  const stranger = await world.send(`/files/${id}/list`, people.technician2, {
    headers: { 'if-none-match': (await look(world, people.technician, id, 'list')).headers.get('etag')! },
  })
  expect(stranger.status).toBe(404)
})

test('of one slot the photo taken last stays, in whatever order they come, and only its bytes', async () => {
  const others = await keysKept(world)
  const ids = [randomUUID(), randomUUID(), randomUUID()]
  const taken = [30, 10, 20].map((minutes) => ago(minutes * minute))
  for (const nth of [0, 1, 2])
    expect(
      (await sendIt({ id: ids[nth]!, capturedAt: taken[nth]!, bytes: await jpeg({ shade: nth }) })).status,
    ).toBe(200)
  const rows = await rowsOf(world, visit)
  expect(rows.map(({ id, replacedAt }) => [id, replacedAt === null])).toEqual([
    [ids[0], false],
    [ids[2], false],
    [ids[1], true],
  ])
  expect((await look(world, people.technician, ids[1]!)).status).toBe(200)
  for (const nth of [0, 2]) expect((await look(world, people.technician, ids[nth]!)).status).toBe(404)
  expect((await keysKept(world)).length - others.length).toBe(2)
  // One that was replaced is not brought back by being sent again.
  expect(
    (await sendIt({ id: ids[0]!, capturedAt: taken[0]!, bytes: await jpeg({ shade: 0 }) })).told,
  ).toEqual({ stored: true })
  expect((await look(world, people.technician, ids[1]!)).status).toBe(200)
})

test('many at once for one slot leave one, the last taken; one sent many times at once is one', async () => {
  const photos = await Promise.all([0, 1, 2, 3].map((shade) => jpeg({ shade: shade * 60 })))
  const ids = photos.map(() => randomUUID())
  const taken = photos.map((_, nth) => ago((4 - nth) * minute))
  const all = await Promise.all(
    photos.map((bytes, nth) => sendIt({ bytes, id: ids[nth]!, capturedAt: taken[nth]! })),
  )
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const living = (await rowsOf(world, visit)).filter(({ replacedAt }) => replacedAt === null)
  expect(living.map(({ id }) => id)).toEqual([ids[3]])

  const id = randomUUID()
  const same = await Promise.all([1, 2, 3].map(() => sendIt({ id, slot: 'meter' })))
  expect(same.map(({ told }) => told)).toEqual(Array(3).fill({ stored: true }))
  expect((await rowsOf(world, visit)).filter(({ slot }) => slot === 'meter')).toHaveLength(1)
  expect((await look(world, people.technician, id)).status).toBe(200)
})

test('other contents under an id that is taken, also at the same moment, are refused and harm nothing', async () => {
  const id = randomUUID()
  const other = await jpeg({ shade: 200 })
  const both = await Promise.all([sendIt({ id }), sendIt({ id, bytes: other })])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  const [row] = await rowsOf(world, visit)
  expect(row!.sentSha256).toBe(sha256(both[0]!.status === 200 ? photo : other))
  const { bytes } = await look(world, people.technician, id)
  expect(sha256(bytes)).toBe(row!.sha256)
  expect((await sendIt({ id, bytes: await jpeg({ shade: 3 }) })).told.code).toBe('already-exists')
  // Nor under the id of a photo of another visit.
  const { visit: elsewhere } = await visitUnderWay(world, people.technician2)
  expect((await send(world, people.technician2, elsewhere, { id, bytes: photo })).status).toBe(409)
  expect(await rowsOf(world, elsewhere)).toEqual([])
})

test('a hash that is not its own, a time to come or long past, a slot of something else: refused', async () => {
  const wrong = await sendIt({ sha256: sha256(Buffer.from('x')) })
  expect([wrong.status, wrong.told.description]).toEqual([400, expect.stringContaining('incompleta')])
  const times: [Date, number][] = [
    [new Date(Date.now() + 4 * minute), 200],
    [new Date(Date.now() + 6 * minute), 400],
    [ago(29 * 24 * hour), 200],
    [ago(31 * 24 * hour), 400],
    [new Date(0), 400],
  ]
  for (const [capturedAt, status] of times) expect((await sendIt({ capturedAt })).status).toBe(status)
  for (const slot of ['', 'serial_number', 'constructor', '../facade', 'fault_1'])
    expect([slot, [400, 403].includes((await sendIt({ slot })).status)]).toEqual([slot, true])
  expect((await sendIt({ sha256: 'zz' })).status).toBe(400)
  const path = `/onsite/${visit.id}/files/${randomUUID()}?slot=facade&capturedAt=ayer&sha256=${sha256(photo)}`
  const headers = { origin: 'http://carga.test', 'x-person': people.technician.id }
  const odd = await world.send(path, people.technician, {
    method: 'PUT',
    headers,
    body: new Uint8Array(photo),
  })
  expect(odd.status).toBe(400)
})

test('ids that are paths lead nowhere', async () => {
  const before = await keysKept(world)
  for (const id of ['..%2f..%2fauth-secret', '../x', '%2e%2e', 'a'.repeat(2000), "x' or 1=1--", '\u0000'])
    expect([id, (await sendIt({ id: encodeURIComponent(id) })).status]).not.toEqual([id, 200])
  for (const path of [
    '/files/..%2f..%2fauth-secret/full',
    `/files/${randomUUID()}/original`,
    '/files/x/list',
  ])
    expect((await world.visit(path, people.technician)).status).toBe(404)
  expect(await keysKept(world)).toEqual(before)
})

test('a photo too small to read is refused with its size, unless somebody says why; a signature may be small', async () => {
  const bytes = await jpeg({ width: 1279, height: 900 })
  const small = await sendIt({ bytes })
  expect([small.status, small.told.description]).toEqual([400, expect.stringContaining('1279 × 900')])
  expect((await sendIt({ bytes, keptBecause: 'No hay más luz.' })).status).toBe(200)
  expect((await sendIt({ bytes: await drawing(), slot: 'signature_customer' })).status).toBe(200)
  const signature = (await rowsOf(world, visit)).find(({ slot }) => slot === 'signature_customer')
  expect(signature).toMatchObject({ type: 'image/png', width: 900 })
})

test('what is larger than 12 MB is refused, whether it says so or not', async () => {
  const bytes = Buffer.alloc(largestFile + 1)
  photo.copy(bytes)
  const large = await sendIt({ bytes })
  expect([large.status, large.told.description]).toEqual([413, expect.stringContaining('12\u00a0MB')])
  const path = `/onsite/${visit.id}/files/${randomUUID()}?slot=facade&capturedAt=${new Date().toISOString()}&sha256=${sha256(bytes)}`
  const headers = {
    origin: 'http://carga.test',
    'x-person': people.technician.id,
    'content-length': String(bytes.length),
  }
  expect((await world.send(path, people.technician, { method: 'PUT', headers, body: '' })).status).toBe(413)
  expect(await rowsOf(world, visit)).toEqual([])
})

test.for(Object.keys(hostile))('sent as a photo: %s', async (name) => {
  const before = await keysKept(world)
  const { bytes, said } = hostile[name]!
  const { status, told } = await sendIt({ bytes: await bytes() })
  expect([status, told.description]).toEqual([400, expect.stringMatching(said)])
  expect([await rowsOf(world, visit), await keysKept(world)]).toEqual([[], before])
})

test('only whoever writes the sheet puts photos in, as long as it is written', async () => {
  const { analyst, manager, technician, technician2 } = people
  for (const other of [analyst, manager])
    expect((await send(world, other, visit, { bytes: photo })).status).toBe(403)
  expect((await send(world, technician2, visit, { bytes: photo })).status).toBe(404)
  const writing = async (state: 'draft' | 'submitted' | 'returned' | 'approved') => {
    const reviewed = {
      submittedAt: new Date(),
      submittedBy: technician.id,
      reviewedAt: new Date(),
      reviewedBy: manager.id,
    }
    await world.db.delete(sheets)
    await world.db
      .insert(sheets)
      .values({ appointmentId: visit.id, kind: 'visit', state, returnReason: 'Falta', ...reviewed })
    return (await sendIt()).status
  }
  expect(await writing('draft')).toBe(200)
  expect(await writing('submitted')).toBe(409)
  expect(await writing('returned')).toBe(200)
  expect(await writing('approved')).toBe(409)
  // Its answer was lost: the phone must hear that it came.
  const id = randomUUID()
  await world.db.delete(sheets)
  await sendIt({ id })
  await writing('submitted')
  expect((await sendIt({ id })).told).toEqual({ stored: true })
  await world.db.delete(sheets)
})

test('an additional photo is taken out, once and again; one that is needed is not', async () => {
  const [extra, needed] = [randomUUID(), randomUUID()]
  await sendIt({ id: extra, slot: 'extra_2' })
  await sendIt({ id: needed, bytes: await anotherPhoto() })
  const before = (await keysKept(world)).length
  for (const _time of [1, 2]) expect((await drop(world, people.technician, visit, extra)).status).toBe(200)
  expect((await keysKept(world)).length).toBe(before - 2)
  expect((await drop(world, people.technician, visit, needed)).status).toBe(409)
  expect((await drop(world, people.technician2, visit, needed)).status).toBe(404)
  expect((await drop(world, people.technician, visit, randomUUID())).status).toBe(200)
  expect((await look(world, people.technician, extra)).status).toBe(404)
  expect((await look(world, people.technician, needed)).status).toBe(200)
  expect((await sendIt({ id: extra, slot: 'extra_2' })).told).toEqual({ stored: true })
  expect((await look(world, people.technician, extra)).status).toBe(404)
})

test('an id in capitals is the same id: its picture is found again', async () => {
  const id = randomUUID()
  const capitals = { id: visit.id.toUpperCase() }
  const { status } = await send(world, people.technician, capitals, { id: id.toUpperCase(), bytes: photo })
  expect([status, (await look(world, people.technician, id)).status]).toEqual([200, 200])
  expect((await sendIt({ id })).told).toEqual({ stored: true })
  expect(await rowsOf(world, visit)).toHaveLength(1)
})

test('why a picture is kept is text, without what nobody sees', async () => {
  expect((await sendIt({ keptBecause: ' De\u0000 noche\u202e ' })).status).toBe(200)
  expect((await rowsOf(world, visit))[0]!.keptBecause).toBe('De noche')
})

test('the same picture in another slot of its sheet is refused in words; another one, or its own slot, is not', async () => {
  expect((await sendIt({ slot: 'meter' })).status).toBe(200)
  const same = await sendIt({ slot: 'facade' })
  expect([same.status, same.told.description]).toEqual([
    409,
    'Es la misma foto que «Medidor de CFE». Toma otra: cada una muestra algo distinto.',
  ])
  expect((await rowsOf(world, visit)).map(({ slot }) => slot)).toEqual(['meter'])
  expect((await sendIt({ slot: 'meter' })).status).toBe(200)
  expect((await sendIt({ slot: 'facade', bytes: await uprightWithPlace() })).status).toBe(200)
  // What another picture took the place of is free again, and one paper may carry both signatures.
  await sendIt({ slot: 'meter', bytes: await anotherPhoto() })
  expect((await sendIt({ slot: 'pole' })).status).toBe(200)
  for (const slot of ['signature_technician', 'signature_customer'])
    expect((await sendIt({ slot })).status).toBe(200)
})

test('sent into two slots at once, the same picture stands in one', async () => {
  const answers = await Promise.all([sendIt({ slot: 'meter' }), sendIt({ slot: 'facade' })])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

const anotherPhoto = () =>
  sharp({ create: { width: 1400, height: 1000, channels: 3, background: '#356' } })
    .jpeg()
    .toBuffer()
