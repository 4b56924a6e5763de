import { expect, test } from 'vitest'
import { openOnce, people, sendJobsOnce, world } from '../kit/open.ts'
import { came, csv, lineOf, reads } from '../kit/payments.ts'
import { dataPath } from '../kit/visitor.ts'

openOnce({ MODULES: 'payments' })
sendJobsOnce()

const page = '/admin/payments'
const moved: readonly [from: string, to: string][] = [
  [`${page}?parte=revision`, page],
  [`${page}?parte=libro`, `${page}/libro`],
  [`${page}?parte=libro&year=2026&text=a%26b`, `${page}/libro?year=2026&text=a%26b`],
  [`${page}?after=x&parte=banco`, `${page}/banco?after=x`],
  [`${page}?parte=banco&archivo=123`, `${page}/banco?archivo=123`],
]

test('addresses that named their part in the query lead to its own for good, with the rest of the query', async () => {
  for (const [from, to] of moved) {
    const answer = await world.visit(from, people.analyst)
    expect([from, answer.status, answer.location]).toEqual([from, 301, to])
    expect([from, (await world.data(from, people.analyst)).location]).toEqual([from, to])
  }
})

test('they send a form on as it is, and the change is made where they lead', async () => {
  for (const [from, to] of moved)
    for (const address of [from, dataPath(from)])
      expect((await world.post(address, { intent: 'x' }, people.analyst)).location).toBe(to)
  await reads(world, people.analyst, csv(came('20/11/2026', '1.00', { key: 'MOVED001' })))
  const { id } = await lineOf(world, 'MOVED001')
  const form = { intent: 'ignore-line', lineId: id, reason: 'Un traspaso' }
  const first = await world.post(`${page}?parte=banco`, form, people.analyst)
  expect([first.status, first.location]).toEqual([308, `${page}/banco`])
  expect((await world.post(first.location ?? '', form, people.analyst)).status).toBe(303)
  expect((await lineOf(world, 'MOVED001')).state).toBe('ignored')
})

test('they are guarded before they lead anywhere', async () => {
  for (const [from] of moved) {
    expect((await world.visit(from)).location).toBe('/signin')
    expect((await world.visit(from, people.technician)).location).toBe('/admin')
    expect((await world.post(from, {}, people.customer)).status).toBe(403)
  }
})

test('one that is no part is the page itself', async () => {
  for (const part of ['', 'nada', '__proto__', 'constructor'])
    expect((await world.visit(`${page}?parte=${part}`, people.analyst)).status).toBe(200)
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
