import { afterEach, expect, test } from 'vitest'
import { tasks } from '../../src/server/platform/database/schema/projects.ts'
import {
  around,
  assign,
  assignVisit,
  bookVisit,
  customer,
  move,
  readAgain,
  visit,
} from '../kit/appointments.ts'
import { openEach, people, world } from '../kit/open.ts'
import { completeSheet } from '../kit/reports.ts'
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
  expect((await world.open('/live', await world.person({ active: false }))).status).toBe(401)
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

test('an assignment reaches customer, technician and office, no other customer; a reassignment both technicians', async () => {
  const { analyst, customer2, manager, technician, technician2 } = people
  await world.home(customer2)
  const concerned = await listen(customer, technician, analyst)
  const others = await listen(customer2, technician2)
  await assignVisit()
  expect(await concerned.next()).toEqual([changed, changed, changed])
  expect(await others.rest()).toEqual(['', ''])
  const both = await listen(technician, technician2)
  await assign(world, manager, visit, technician2)
  expect(await both.next()).toEqual([changed, changed])
})

test('a booking is not announced to its provisional technician, nor a refused change to anybody', async () => {
  const { manager, technician, technician2 } = people
  const technicians = await listen(technician, technician2)
  await bookVisit()
  expect(await technicians.rest()).toEqual(['', ''])
  const own = await listen(customer)
  expect((await assign(world, manager, { ...visit, version: 7 }, technician)).status).toBe(409)
  expect(await own.rest()).toEqual([''])
})

test('each move reaches all open pages of the customer as nothing but a change', async () => {
  const { technician } = people
  await assignVisit()
  const pages = await listen(customer, await world.secondBrowser(customer))
  world.at(around(visit, 0))
  for (const name of ['setOut', 'start', 'finish']) {
    if (name === 'finish') await completeSheet(world, visit)
    const form = { closingNote: 'Todo listo para instalar.' }
    expect((await move(world, technician, visit, name, form)).status).toBe(303)
    expect(await pages.next()).toEqual([changed, changed])
    await readAgain()
  }
})

test('a closed task reaches the other office pages, not its customer', async () => {
  const { manager, analyst } = people
  const [task] = await world.db
    .insert(tasks)
    .values({ subject: 'Llamar', reason: 'coverage', personId: customer.id })
    .returning()
  const [desk, own] = [await listen(manager), await listen(customer)]
  const form = { intent: 'close-task', taskId: task!.id, result: 'Sí llegamos' }
  expect((await world.post('/admin', form, analyst)).status).toBe(303)
  expect(await desk.next()).toEqual([changed])
  expect(await own.rest()).toEqual([''])
})
