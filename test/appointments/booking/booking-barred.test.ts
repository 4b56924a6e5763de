import { expect, test } from 'vitest'
import { agenda, book, nothingBooked, slots } from '../../kit/appointments.ts'
import { openEach, people, world } from '../../kit/open.ts'
import { readable } from '../../kit/reading.ts'

openEach()

test.each([
  ['without an address', null, 'Primero danos tu domicilio'],
  [
    'outside our area',
    { postalCode: '54000', municipality: 'Tlalnepantla' },
    'Todavía no llegamos a tu zona',
  ],
  [
    'at an address to be verified',
    { postalCode: '50999', municipality: 'toluca', confirmInArea: 'on' },
    'Todavía no llegamos',
  ],
])('a customer %s books nothing', async (_where, home, words) => {
  const { customer, customer2 } = people
  await world.home(customer2)
  if (home) await world.home(customer, home)
  const [start] = await slots(world, customer2)
  const answer = await book(world, customer, start!)
  expect(answer.status).toBe(409)
  expect(readable(answer)).toContain(words)
  expect((await world.visit(agenda, customer)).location).toBe(
    home ? '/technics-visit' : '/address?para=technical_visit',
  )
  await nothingBooked(world)
})

test('staff and the signed out book nothing', async () => {
  const { customer, manager, technician, analyst, gester, ally } = people
  await world.home(customer)
  const [start] = await slots(world, customer)
  const form = { startsAt: start!, requestKey: crypto.randomUUID() }
  for (const path of [agenda, `${agenda}.data`, `${agenda}.data?_routes=appointments%2Fbook`]) {
    expect((await world.post(path, form)).location).toBe('/signin')
    for (const person of [manager, technician, analyst, gester, ally])
      expect((await world.post(path, form, person)).status).toBe(403)
  }
  await nothingBooked(world)
})
