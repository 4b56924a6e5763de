import { expect, test } from 'vitest'
import { expectLed, openOnce, people, sendJobsOnce, world } from '../kit/open.ts'
import { came, csv, lineOf, reads } from '../kit/payments.ts'
import { expectAnswered, expectLeadsTo } from '../kit/reading.ts'
import { dataPath } from '../kit/visitor.ts'

openOnce({ MODULES: 'payments' })
sendJobsOnce()

const page = '/admin/payments'
const moved = [
  [`${page}?parte=revision`, page],
  [`${page}?parte=libro&year=2026&text=a%26b`, `${page}/libro?year=2026&text=a%26b`],
  [`${page}?after=x&parte=banco`, `${page}/banco?after=x`],
] as const

test('addresses with a part in the query redirect for good, with the rest of the query', async () => {
  for (const [from, to] of moved) {
    await expectAnswered(world.visit(from, people.analyst), 301, to)
    await expectLed(from, people.analyst, to)
    await expectLed(from, undefined, '/signin')
    await expectLed(from, people.technician, '/admin')
    await expectAnswered(world.post(from, {}, people.customer), 403)
  }
})

test('they redirect a form unchanged, and the change is made', async () => {
  for (const [from, to] of moved)
    for (const address of [from, dataPath(from)])
      await expectLeadsTo(world.post(address, { intent: 'x' }, people.analyst), to)
  await reads(world, people.analyst, csv(came('20/11/2026', '1.00', { key: 'MOVED001' })))
  const { id } = await lineOf(world, 'MOVED001')
  const form = { intent: 'ignore-line', lineId: id, reason: 'Un traspaso' }
  await expectAnswered(world.post(`${page}?parte=banco`, form, people.analyst), 308, `${page}/banco`)
  await expectAnswered(world.post(`${page}/banco`, form, people.analyst), 303)
  expect((await lineOf(world, 'MOVED001')).state).toBe('ignored')
})

test('an unknown part is the page itself', async () => {
  for (const part of ['', 'nada', '__proto__', 'constructor'])
    await expectAnswered(world.data(`${page}?parte=${part}`, people.analyst), 200)
})

test('each part marks its own tab as the current page', async () => {
  for (const [path, words] of [
    [page, 'Por revisar'],
    [`${page}/cobrar`, 'Por cobrar'],
    [`${page}/libro`, 'Libro'],
    [`${page}/banco`, 'Banco'],
  ] as const) {
    const { status, text } = await world.visit(path, people.analyst)
    const current = [...text.matchAll(/<a[^>]*aria-current="page"[^>]*>([^<]+)<\/a>/g)].map(([, one]) => one)
    expect([path, status, current]).toEqual([path, 200, expect.arrayContaining([words])])
  }
})
