import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { callMessages } from '../../src/server/platform/database/schema/appointments.ts'
import { rowsIn } from '../kit/reading.ts'
import {
  analyst,
  bothJoin,
  call,
  customer,
  here,
  newCall,
  open,
  openTown,
  there,
  town,
  world,
} from './town.ts'

openTown()

const line = (text: string, id: string = randomUUID()) => ({ type: 'chat', id, text }) as const

test('a line reaches both sides at any process, confirmed to its writer, and pages that open later', async () => {
  const { mine, theirs } = await bothJoin()
  const [hello, answer] = [line('Hola, ¿me oyes?\nAquí la foto'), line('  Sí  ')]
  mine.say(hello)
  await expect
    .poll(() => theirs.lines())
    .toMatchObject([{ id: hello.id, side: 'customer', text: hello.text }])
  theirs.say(answer)
  await expect.poll(() => mine.lines().map(({ text }) => text)).toEqual([hello.text, 'Sí'])
  await expect.poll(() => theirs.lines()).toHaveLength(2)
  const late = await open(there, customer)
  await expect
    .poll(() => late.of('chat'))
    .toMatchObject([{ lines: [{ id: hello.id }, { id: answer.id, side: 'analyst' }] }])
})

test('a line sent twice is stored once and confirmed twice; the id of another line stores nothing', async () => {
  const { mine, theirs } = await bothJoin()
  const once = line('Una vez')
  mine.say(once)
  mine.say({ ...once, text: 'Otra cosa' })
  await expect
    .poll(() => mine.lines().map(({ id, text }) => [id, text]))
    .toEqual(Array(2).fill([once.id, 'Una vez']))
  theirs.say({ ...once, text: 'De otra persona' })
  const foreign = await newCall()
  const stranger = await open(here, foreign.customer, undefined, foreign.call.id)
  stranger.say({ ...once, text: 'De otra cita' })
  stranger.say(line(' \u200b '))
  for (const page of [theirs, stranger]) await page.handled()
  expect(theirs.lines().map(({ text }) => text)).toEqual(['Una vez'])
  expect(stranger.lines()).toEqual([])
  expect(await rowsIn(world, callMessages, { id: once.id })).toMatchObject([
    { appointmentId: call.id, authorId: customer.id, text: 'Una vez' },
  ])
})

test('limits a chat to 100 lines, with which the other side can still join', async () => {
  const full = '😀'.repeat(2_000)
  const mine = await open(here, customer)
  await town.db.$client.query(
    `insert into call_messages (id, appointment_id, author_id, side, text)
     select gen_random_uuid(), $1, $2, 'customer', $3 from generate_series(1, 99)`,
    [call.id, customer.id, full],
  )
  for (const text of [full, 'Ya no cabe']) mine.say(line(text))
  await mine.handled()
  const late = await open(there, analyst)
  await expect.poll(() => late.lines().length).toBe(100)
  expect(late.lines().map(({ text }) => text)).not.toContain('Ya no cabe')
  await late.joins()
})

test('many lines at once from both sides arrive once each, in order', async () => {
  const { mine, theirs } = await bothJoin()
  const texts = Array.from({ length: 30 }, (_, at) => String(at))
  for (const text of texts) for (const page of [mine, theirs]) page.say(line(text))
  for (const page of [mine, theirs]) {
    await expect.poll(() => new Set(page.lines().map(({ id }) => id)).size).toBe(60)
    for (const side of ['customer', 'analyst']) {
      const own = page.lines().filter((one) => one.side === side)
      expect(own.map(({ text }) => text)).toEqual(texts)
    }
  }
})
