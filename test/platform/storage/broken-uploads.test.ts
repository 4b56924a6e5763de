import { randomUUID } from 'node:crypto'
import { globSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Visit } from '../../kit/appointments.ts'
import { fixture, newPerson, openOnce, technician, technician2 } from '../../kit/open.ts'
import { rowsOf, sha256, visitUnderWay } from '../../kit/photos.ts'
import type { Body } from '../../kit/visitor.ts'
import { jpeg } from './samples.ts'

openOnce()
let photo: Buffer
let visit: Visit
beforeAll(async () => {
  photo = await jpeg()
  visit = (await visitUnderWay(technician)).visit
})

const origin = 'http://carga.test'

/** A connection that breaks off, or hangs, after some bytes. */
function cut(bytes: Uint8Array, { hangs = false } = {}) {
  const left = [new Uint8Array(bytes)]
  const pull: UnderlyingSourcePullCallback<Uint8Array<ArrayBuffer>> = async (out) => {
    const piece = left.pop()
    if (piece) return out.enqueue(piece)
    await setTimeout(50)
    if (!hangs) out.error(new Error('aborted'))
  }
  return new ReadableStream({ pull }, { highWaterMark: 0 })
}

async function arrived(id: string, by = technician) {
  return Number((await fixture.visit(`/files/received/${id}`, by)).text)
}

function newUpload() {
  const id = randomUUID()
  const query = new URLSearchParams({
    slot: 'facade',
    capturedAt: new Date().toISOString(),
    sha256: sha256(photo),
  })
  const put = (from: number, body: Body, by = technician) =>
    fixture.send(`/onsite/${visit.id}/files/${id}?${query}`, by, {
      method: 'PUT',
      headers: { origin, 'x-person': by.id, 'x-body': id, 'x-body-from': String(from) },
      body,
    })
  return { id, put, rest: (from: number) => put(from, new Uint8Array(photo.subarray(from))) }
}

test('stores a photo whose rest is sent after its connection broke off', async () => {
  const { id, put, rest } = newUpload()
  await put(0, cut(photo.subarray(0, 5000)))
  expect(await arrived(id)).toBe(5000)
  expect((await rest(5000)).status).toBe(200)
  expect((await rowsOf(visit)).find((row) => row.id === id)).toMatchObject({ sentSha256: sha256(photo) })
  expect(await arrived(id)).toBe(0)
})

test('ends a connection that hangs once its sender begins again', async () => {
  const { id, put, rest } = newUpload()
  const hanging = put(0, cut(photo.subarray(0, 5003), { hangs: true }))
  const sizes = () => globSync(path.join(tmpdir(), 'carga-photo-*/sent')).map((file) => statSync(file).size)
  await expect.poll(sizes).toContain(5003)
  expect(await arrived(id)).toBe(5003)
  expect((await hanging).status).toBe(503)
  expect((await rest(5003)).status).toBe(200)
})

test('keeps two broken bodies of a person', async () => {
  const uploads = [newUpload(), newUpload(), newUpload()]
  for (const { put } of uploads) await put(0, cut(photo.subarray(0, 5000)))
  expect(await Promise.all(uploads.map(({ id }) => arrived(id)))).toEqual([0, 5000, 5000])
})

test('begins again where the rest does not fit, and tells other people nothing', async () => {
  const { id, put, rest } = newUpload()
  await put(0, cut(photo.subarray(0, 5000)))
  expect(await arrived(id, technician2)).toBe(0)
  expect((await fixture.visit(`/files/received/${id}`)).status).toBe(401)
  expect((await rest(4000)).status).toBe(503)
  expect(await arrived(id)).toBe(0)
  expect((await rest(0)).status).toBe(200)
})

test('counts what came before in the size of a file', async () => {
  const { id, put } = newUpload()
  const large = new Uint8Array(7 * 1024 * 1024)
  await put(0, cut(large))
  expect(await arrived(id)).toBe(large.length)
  expect((await put(large.length, large)).status).toBe(413)
  expect(await arrived(id)).toBe(0)
})

test('completes a form with a file whose connection broke off', async () => {
  const customer = await newPerson()
  const form = new FormData()
  form.set('photo', new File([new Uint8Array(photo)], 'foto.jpg', { type: 'image/jpeg' }))
  const encoded = new Response(form)
  const type = encoded.headers.get('content-type')!
  const bytes = new Uint8Array(await encoded.arrayBuffer())
  const id = randomUUID()
  const post = (from: number, body: Body) =>
    fixture.send('/installation', customer, {
      method: 'POST',
      headers: { origin, 'content-type': type, 'x-body': id, 'x-body-from': String(from) },
      body,
    })
  const whole = await post(0, bytes)
  await post(0, cut(bytes.subarray(0, 9000)))
  expect(await arrived(id, customer)).toBe(9000)
  const { status, text } = await post(9000, bytes.subarray(9000))
  expect([status, text.length]).toEqual([whole.status, whole.text.length])
})
