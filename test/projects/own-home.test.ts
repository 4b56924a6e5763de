import { expect, test } from 'vitest'
import { projects } from '../../src/server/platform/database/schema/projects.ts'
import { storeCode } from '../kit/agencies.ts'
import { customerWithVisit } from '../kit/appointments.ts'
import { expectLed, expectScreen, openEach, pageText, people, world } from '../kit/open.ts'
import { addressForm } from '../kit/people.ts'
import { expectAnswered, expectLocation, expectWords } from '../kit/reading.ts'

openEach()

test('shows when a booked visit is and what to prepare, and ticks what is known', async () => {
  const { customer } = await customerWithVisit(world)
  for (const [path, when, elsewhere] of [
    ['/', 'te visitamos.', 'Llegamos entre'],
    ['/technics-visit', 'Llegamos entre', 'te visitamos.'],
  ] as const) {
    const page = await pageText(path, customer)
    expectWords(page, when, 'Prepárate', 'Tu recibo de CFE', 'Decir cuál es mi auto', 'Dar indicaciones')
    expect(page.indexOf(when)).toBeLessThan(page.lastIndexOf('VT-'))
    // Once on each page.
    expect(page).not.toContain(elsewhere)
  }
  const vehicle = { brand: 'BYD', model: 'Dolphin', year: null, deliveredOn: null }
  await world.db.update(projects).set({ vehicle })
  const known = await pageText('/', customer)
  expect(known).not.toContain('Decir cuál es mi auto')
  expect(known).toMatch(/El modelo de tu auto ?, listo/)
})

test('shows a stored address, edits it on request, and fills in a postal code asked for before', async () => {
  const { customer, customer2 } = people
  await world.home(customer)
  const words = [addressForm.street, 'Editar', 'Ver en el mapa', 'Quitar este domicilio']
  await expectScreen('/address', customer, ...words)
  expect((await world.visit('/address', customer)).text).not.toContain('name="street"')
  await expectScreen('/address?editar', customer, `value="${addressForm.street}"`)
  const visitor = world.visitor()
  await world.visit('/approach?cp=03100', visitor)
  customer2.cookies.set('asked-code', visitor.cookies.get('asked-code')!)
  await expectScreen('/address', customer2, 'value="03100"', 'Sí llegamos a Benito Juárez')
})

test('says why the agenda needs an address, and redirects back to it', async () => {
  const { customer } = people
  await expectLed('/agenda-technics-visit', customer, '/address?para=technical_visit')
  const path = '/address?para=technical_visit'
  await expectScreen(path, customer, 'Para agendar tu visita')
  expectLocation(await world.post(path, addressForm, customer), '/agenda-technics-visit')
  await expectAnswered(world.visit('/address?para=nada', customer), 200)
})

test('shows the benefit of a usable code only', async () => {
  const { code } = await storeCode(world, people.ally, { benefitKind: 'percent', benefitValue: 10_00 })
  await expectScreen(`/approach?codigo=${code}`, undefined, `Tienes 10 % de descuento con el código ${code}`)
  expect(await pageText('/approach?codigo=NADIE234')).not.toMatch(/NADIE234|con el código/)
})
