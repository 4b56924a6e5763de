import { beforeEach, expect, test } from 'vitest'
import { recordPayment } from '../../src/server/payments/record-payment.ts'
import { transaction } from '../../src/server/platform/database/client.ts'
import { sheets } from '../../src/server/platform/database/schema/appointments.ts'
import { approveSheet } from '../../src/server/reports/review.ts'
import { around, hour, move, storeVisit, type Visit } from '../kit/appointments.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import { acceptQuote, demandOf, rowsOf, wordsOf } from '../kit/payments.ts'
import type { Home } from '../kit/people.ts'
import { readable, rowsIn } from '../kit/reading.ts'
import { completeSheet } from '../kit/reports.ts'
import { press } from '../reports/phone.ts'

openEach()
sendJobs()

let home: Home
let installation: Visit
beforeEach(async () => {
  home = await world.home(people.customer)
  await acceptQuote(world, people.customer, home)
  const [now, paymentId] = [new Date(), (await demandOf(world, home.projectId))!.id]
  const paid = { projectId: home.projectId, paymentId, amount: 5_000_00, actorId: null, paidAt: now }
  await transaction(world.db, (tx) => recordPayment(tx, { ...paid, method: 'cash' }, now))
  installation = await storeVisit(world, people.customer, home, new Date(Date.now() + hour), {
    service: 'installation',
    minutes: 240,
    assigneeId: people.technician.id,
  })
})

test('the record that is approved asks for the balance, once', async () => {
  world.at(around(installation, 0))
  const ticked = Object.fromEntries(
    ['powerCut', 'lockedOut', 'protectiveEquipment', 'extinguisher', 'adultPresent'].map((risk) => [
      risk,
      'on',
    ]),
  )
  expect((await move(world, people.technician, installation, 'start', ticked)).status).toBe(303)
  await completeSheet(world, installation)
  world.at(around(installation, 3 * hour))
  for (let time = 0; time < 2; time++)
    expect(
      (await press(world, people.technician, installation, 'submit', around(installation, 3 * hour))).status,
    ).toBe(200)
  expect(wordsOf(await rowsOf(world, home.projectId))).toEqual(['deposit paid 5000'])
  const [{ version } = { version: 0 }] = await rowsIn(world, sheets, { appointmentId: installation.id })
  await approveSheet(world.db, people.analyst.actor, installation.id, { version }, new Date())
  expect(wordsOf(await rowsOf(world, home.projectId))).toEqual(['deposit paid 5000', 'balance pending 5000'])
  const page = readable(await world.visit('/payments', people.customer))
  for (const words of ['Finiquito', 'Te toca pagar $5,000.00']) expect(page).toContain(words)
})
