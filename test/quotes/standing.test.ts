import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { acceptQuote } from '../../src/server/quotes/accept.ts'
import { askAnew, askChanges } from '../../src/server/quotes/answers.ts'
import { withdrawQuote } from '../../src/server/quotes/detail.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import { type Quote, storeDraft, storeNext, storeSent } from '../kit/quotes.ts'
import { readable } from '../kit/reading.ts'

openEach()
sendJobs()

let sent: Quote
beforeEach(async () => {
  const { analyst: maker, customer, technician } = people
  sent = await storeSent(world, { customer, technician, maker })
})

const home = async () => readable(await world.visit('/', people.customer))

test('its customer reads at home whose turn it is, from what was sent to what is to be paid', async () => {
  expect(await home()).toContain('Tu cotización está lista: revísala. Vence el')
  const { customer, manager } = people
  await askChanges(world.db, customer.actor, sent.id, { version: 2, reason: 'Sin tubo.' }, new Date())
  expect(await home()).toContain('Estamos haciendo los cambios que pediste')
  await withdrawQuote(world.db, manager.actor, sent.id, { version: 3, reason: null }, new Date())
  expect(await home()).toContain('Estamos preparando otra cotización')
  await world.db.execute(sql`update quotes set state = 'sent', ended_at = null, answered_at = null`)
  const wish = { version: 4, digest: sent.digest!, option: 'essential', addOns: [], name: 'C', ip: '' }
  await acceptQuote(world.db, customer.actor, sent.id, wish, new Date())
  expect(await home()).toContain('Sigue: paga tu anticipo.')
  expect((await world.visit('/', customer)).text).toContain('href="/payments"')
})

test('a draft says nothing; what ran out by time does, also before a job wrote it down', async () => {
  await storeNext(world, sent, people.analyst)
  world.at(new Date(sent.validUntil!.getTime() + 60_000))
  expect(await home()).toContain('Tu cotización venció.')
  await askAnew(world.db, people.customer.actor, sent.id, new Date())
  expect(await home()).toContain('Estamos preparando otra cotización')
})

test('another’s quote is nothing of mine', async () => {
  await world.home(people.customer2)
  expect(readable(await world.visit('/', people.customer2))).toContain('agenda tu visita')
  await storeDraft(world, { ...sent, id: sent.appointmentId }, people.analyst)
  expect(await home()).toContain('Tu cotización está lista')
})
