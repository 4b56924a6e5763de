import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { users } from '../../src/server/platform/database/schema/accounts.ts'
import { projects } from '../../src/server/platform/database/schema/projects.ts'
import { storeCode } from '../kit/agencies.ts'
import { customerWithVisit } from '../kit/appointments.ts'
import { expectLed, expectScreen, openEach, people, world } from '../kit/open.ts'
import { addressForm } from '../kit/people.ts'
import { expectAnswered, expectLocation, expectWords, readable, setIn } from '../kit/reading.ts'

openEach()

test('shows when a booked visit is and what to prepare, and ticks what is known', async () => {
  const { customer } = await customerWithVisit(world)
  for (const [path, when, saidElsewhere] of [
    ['/', 'te visitamos.', 'Llegamos entre'],
    ['/technics-visit', 'Llegamos entre', 'te visitamos.'],
  ] as const) {
    const page = readable(await world.visit(path, customer))
    expectWords(page, when, 'Prepárate', 'Tu recibo de CFE', 'Decir cuál es mi auto', 'Dar indicaciones')
    expect(page.indexOf(when)).toBeLessThan(page.lastIndexOf('VT-'))
    // Once on each page.
    expect(page).not.toContain(saidElsewhere)
  }
  const vehicle = { brand: 'BYD', model: 'Dolphin', year: null, deliveredOn: null }
  await world.db.update(projects).set({ vehicle }).where(eq(projects.customerId, customer.id))
  const known = readable(await world.visit('/', customer))
  expect(known).not.toContain('Decir cuál es mi auto')
  expect(known).toMatch(/El modelo de tu auto ?, listo/)
})

test('shows that the account will be deleted, once that was asked for', async () => {
  const { customer } = people
  expect(readable(await world.visit('/', customer))).not.toContain('Tu cuenta se elimina')
  await setIn(world, users, customer.id, { deletionRequestedAt: new Date() })
  expectWords(readable(await world.visit('/', customer)), 'Tu cuenta se elimina el', 'Conservar mi cuenta')
})

test('shows a stored address, edits it on request, and fills in a postal code asked for before', async () => {
  const { customer, customer2 } = people
  await world.home(customer)
  const shown = await world.visit('/address', customer)
  expectWords(readable(shown), addressForm.street, 'Editar', 'Ver en el mapa', 'Quitar este domicilio')
  expect(shown.text).not.toContain('name="street"')
  await expectScreen('/address?editar', customer, `value="${addressForm.street}"`)
  customer2.cookies.set('asked-code', await askedCodeOf('03100'))
  await expectScreen('/address', customer2, 'value="03100"')
  expect(readable(await world.visit('/address', customer2))).toContain('Sí llegamos a Benito Juárez')
})

/** The cookie that the public page keeps. */
async function askedCodeOf(postalCode: string): Promise<string> {
  const visitor = world.visitor()
  await world.visit(`/approach?cp=${postalCode}`, visitor)
  return visitor.cookies.get('asked-code') ?? ''
}

test('says why the agenda needs an address, and redirects back to it', async () => {
  const { customer } = people
  await expectLed('/agenda-technics-visit', customer, '/address?para=technical_visit')
  const path = '/address?para=technical_visit'
  expect(readable(await world.visit(path, customer))).toContain('Para agendar tu visita')
  expectLocation(await world.post(path, addressForm, customer), '/agenda-technics-visit')
  await expectAnswered(world.visit('/address?para=nada', customer), 200)
})

test('shows the benefit of a usable code only', async () => {
  const code = await storeCode(world, people.ally, { benefitKind: 'percent', benefitValue: 10_00 })
  const words = async (text: string) => readable(await world.visit(`/approach?codigo=${text}`))
  expect(await words(code.code)).toContain(`Tienes 10 % de descuento con el código ${code.code}`)
  const unknown = await words('NADIE234')
  expect(unknown).not.toMatch(/NADIE234|con el código/)
})
