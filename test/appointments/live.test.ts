import { afterEach, expect, test } from 'vitest'
import { tasks } from '../../src/server/platform/database/schema/projects.ts'
import { assign, assignVisit, bookVisit, customer, visit } from '../kit/appointments.ts'
import { openEach, people, world } from '../kit/open.ts'
import { expectAnswered } from '../kit/reading.ts'
import type { Visitor } from '../kit/visitor.ts'

openEach(bookVisit)
const readers: ReturnType<typeof listener>[] = []
afterEach(async () => {
  for (const reader of readers.splice(0)) await reader.cancel()
})

const hello = 'retry: 2000\n\n'
const changed = 'data: changed\n\n'

/** Reads a stream as it comes; `next` is null when nothing comes within some milliseconds. */
function listener(stream: ReadableStream<Uint8Array>) {
  const reader = stream
    .pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>
  let pending = reader.read()
  return {
    async next(within = 2_000): Promise<string | null> {
      const silence = new Promise<null>((resolve) => setTimeout(resolve, within, null))
      const first = await Promise.race([pending, silence])
      if (first === null) return null
      pending = reader.read()
      return first.value ?? null
    },
    cancel: () => reader.cancel(),
  }
}
type Stream = ReturnType<typeof listener>

/** Everything that comes until it is silent. */
async function all(stream: Stream) {
  let text = ''
  for (let part = await stream.next(300); part !== null; part = await stream.next(300)) text += part
  return text
}

async function open(as: Visitor, address = '/live') {
  const answer = await world.open(address, as)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const stream = listener(answer.body!)
  readers.push(stream)
  return stream
}

/** The open streams of some people, past what came before. */
async function listen(...people: Visitor[]) {
  const streams = await Promise.all(people.map((one) => open(one)))
  for (const text of await Promise.all(streams.map(all))) expect(text).toContain(hello)
  return {
    next: (within?: number) => Promise.all(streams.map((stream) => stream.next(within))),
    rest: () => Promise.all(streams.map(all)),
  }
}

/** A page that is read now, whose browser opens its stream later. */
async function pageOf(as: Visitor, data = '/payments.data') {
  const { text } = await world.visit(data, as)
  const position = /"(#[\w-]{12})"/.exec(text)![1]!
  return () => open(as, `/live?posicion=${encodeURIComponent(position)}`)
}

test('refuses the signed out and inactive accounts', async () => {
  const answer = await world.open('/live')
  expect([answer.status, await answer.text()]).toEqual([401, 'Inicia sesión.'])
  await expectAnswered(world.open('/live', await world.person({ active: false })), 401)
})

test('a change between a page and its open stream reaches those it concerns', async () => {
  const { technician, customer2 } = people
  await world.home(customer2)
  const witness = await listen(technician)
  const pages = [await pageOf(customer), await pageOf(technician, '/admin.data'), await pageOf(customer2)]
  await assignVisit()
  expect(await witness.next()).toEqual([changed])
  const streams = await Promise.all(pages.map((open) => open()))
  expect(await Promise.all(streams.map(all))).toEqual([hello + changed, hello + changed, hello])
  const later = await pageOf(customer)
  expect(await all(await later())).toBe(hello)
  expect(await all(await open(customer2, '/live?posicion=anterior'))).toBe(hello + changed)
})

test('a refused change reaches nobody', async () => {
  const own = await listen(customer)
  const stale = { ...visit, version: 7 }
  await expectAnswered(assign(world, people.manager, stale, people.technician), 409)
  expect(await own.rest()).toEqual([''])
})

test('a closed task reaches the other office pages, not its customer', async () => {
  const [task] = await world.db
    .insert(tasks)
    .values({ subject: 'Llamar', reason: 'coverage', personId: customer.id })
    .returning()
  const desk = await listen(people.manager)
  const own = await listen(customer)
  const form = { intent: 'close-task', taskId: task!.id, result: 'Sí llegamos' }
  await expectAnswered(world.post('/admin', form, people.analyst), 303)
  expect(await desk.next()).toEqual([changed])
  expect(await own.rest()).toEqual([''])
})
