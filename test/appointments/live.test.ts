import { afterEach, expect, test } from 'vitest'
import { tasks } from '../../src/server/platform/database/schema/projects.ts'
import { around, assign, customerWithVisit, move, visitOf } from '../kit/appointments.ts'
import { openEach, people, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { completeSheet } from '../kit/reports.ts'
import type { Visitor } from '../kit/visitor.ts'

openEach()
const readers: ReturnType<typeof listener>[] = []
afterEach(async () => {
  for (const reader of readers.splice(0)) await reader.cancel()
})

const changed = 'data: changed\n\n'

/** Reads a stream as it comes; `next` waits for what comes within some milliseconds, and is null when nothing does. */
function listener(stream: ReadableStream<Uint8Array>) {
  const reader = stream
    .pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>
  let heard = reader.read()
  return {
    async next(within = 2_000): Promise<string | null> {
      const silence = new Promise<null>((resolve) => setTimeout(resolve, within, null))
      const first = await Promise.race([heard, silence])
      if (first === null) return null
      heard = reader.read()
      return first.value ?? null
    },
    cancel: () => reader.cancel(),
  }
}

async function listen(as: Visitor, address = '/live') {
  const answer = await world.open(address, as)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const stream = listener(answer.body!)
  readers.push(stream)
  if (address === '/live') expect(await stream.next()).toBe('retry: 2000\n\n')
  return stream
}

/** The stream of a screen that is read now, and opened by its browser later. */
async function screenOf(as: Visitor, data = '/payments.data') {
  const answer = await world.visit(data, as)
  const position = /"(#[\w-]{12})"/.exec(answer.text)![1]!
  return () => listen(as, `/live?posicion=${encodeURIComponent(position)}`)
}

/** Everything heard until it is silent. */
async function all(stream: Awaited<ReturnType<typeof listen>>) {
  let text = ''
  for (let part = await stream.next(300); part !== null; part = await stream.next(300)) text += part
  return text
}

test('nobody signed in hears nothing', async () => {
  const answer = await world.open('/live')
  expect(answer.status).toBe(401)
  expect(await answer.text()).toBe('Inicia sesión.')
  const inactive = await world.person({ active: false })
  expect((await world.open('/live', inactive)).status).toBe(401)
})

test('a change between the answer and its open stream is not missed by those it concerns', async () => {
  const { manager, technician, customer2 } = people
  const { customer, visit } = await customerWithVisit(world)
  await world.home(customer2)
  const witness = await listen(technician)
  await all(witness)
  const screens = [
    await screenOf(customer),
    await screenOf(technician, '/admin.data'),
    await screenOf(customer2),
  ]
  await assign(world, manager, visit, technician)
  expect(await witness.next()).toBe(changed)
  const streams = await Promise.all(screens.map((open) => open()))
  const greeted = (rest: string) => `retry: 2000\n\n${rest}`
  expect(await Promise.all(streams.map(all))).toEqual([greeted(changed), greeted(changed), greeted('')])
  const later = await screenOf(customer)
  expect(await all(await later())).toBe(greeted(''))
  expect(await all(await listen(customer2, '/live?posicion=anterior'))).toBe(greeted(changed))
})

test('the customer hears within two seconds that the manager assigned, the technician too; another customer does not', async () => {
  const { manager, technician, customer2, analyst } = people
  const { customer, visit } = await customerWithVisit(world)
  await world.home(customer2)
  const [mine, theirs, others, desk] = [
    await listen(customer),
    await listen(technician),
    await listen(customer2),
    await listen(analyst),
  ]
  await Promise.all([all(mine), all(theirs), all(others), all(desk)])
  await assign(world, manager, visit, technician)
  const heard = await Promise.all([mine.next(), theirs.next(), desk.next(), others.next(600)])
  expect(heard).toEqual([changed, changed, changed, null])
})

test('a provisional person is told nothing; the person it is taken from is told', async () => {
  const { manager, technician, technician2 } = people
  const streams = [await listen(technician), await listen(technician2)]
  const { customer, visit } = await customerWithVisit(world)
  expect(await Promise.all(streams.map((stream) => stream.next(600)))).toEqual([null, null])
  await assign(world, manager, visit, technician)
  await Promise.all(streams.map(all))
  await assign(world, manager, await visitOf(world, customer), technician2)
  expect(await Promise.all(streams.map((stream) => stream.next()))).toEqual([changed, changed])
})

test('each move reaches the customer’s open screens; the stream names nobody and nothing', async () => {
  const { manager, technician } = people
  const { customer, visit } = await customerWithVisit(world)
  await assign(world, manager, visit, technician)
  const screens = [await listen(customer), await listen(await world.secondBrowser(customer as Person))]
  await Promise.all(screens.map(all))
  world.at(around(visit, 0))
  let told = ''
  for (const [name, form] of [
    ['setOut', {}],
    ['start', {}],
    ['finish', { closingNote: 'Todo listo para instalar.' }],
  ] as const) {
    if (name === 'finish') await completeSheet(world, { ...visit, assigneeId: technician.id })
    expect((await move(world, technician, visit, name, form)).status).toBe(303)
    const heard = await Promise.all(screens.map((stream) => stream.next()))
    expect(heard).toEqual([changed, changed])
    told += heard.join('')
  }
  expect(told.replaceAll(changed, '')).toBe('')
})

test('a refused change is no news', async () => {
  const { manager, technician } = people
  const { customer, visit } = await customerWithVisit(world)
  const stream = await listen(customer)
  await all(stream)
  expect((await assign(world, manager, { ...visit, version: 7 }, technician)).status).toBe(409)
  expect(await stream.next(600)).toBeNull()
})

test('a task that is closed leaves the other desk’s screen, and is no news to the customer', async () => {
  const { manager, analyst, customer } = people
  const [task] = await world.db
    .insert(tasks)
    .values({ subject: 'Llamar', reason: 'coverage', personId: customer.id })
    .returning()
  const [desk, theirs] = [await listen(manager), await listen(customer)]
  await Promise.all([all(desk), all(theirs)])
  const form = { intent: 'close-task', taskId: task!.id, result: 'Sí llegamos' }
  expect((await world.post('/admin', form, analyst)).status).toBe(303)
  expect(await Promise.all([desk.next(), theirs.next(600)])).toEqual([changed, null])
})
