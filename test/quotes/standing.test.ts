import { sql } from 'drizzle-orm'
import { test } from 'vitest'
import { acceptQuote } from '../../src/server/quotes/accept.ts'
import { askAnew, askChanges } from '../../src/server/quotes/answers.ts'
import { withdrawQuote } from '../../src/server/quotes/detail.ts'
import { expectScreen, openEach, people, sendJobs, world } from '../kit/open.ts'
import { sendOne, sent, storeNext, wishOf } from '../kit/quotes.ts'

openEach(sendOne)
sendJobs()

const expectHome = (...words: string[]) => expectScreen('/', people.customer, ...words)

test('the home of a customer states what is next, from the sent quote to the deposit', async () => {
  await expectHome('Tu cotización está lista: revísala. Vence el')
  const { customer, manager } = people
  await askChanges(world.db, customer.actor, sent.id, { version: 2, reason: 'Sin tubo.' }, new Date())
  await expectHome('Estamos haciendo los cambios que pediste')
  await withdrawQuote(world.db, manager.actor, sent.id, { version: 3, reason: null }, new Date())
  await expectHome('Estamos preparando otra cotización')
  await world.db.execute(sql`update quotes set state = 'sent', ended_at = null, answered_at = null`)
  const wish = wishOf({ ...sent, version: 4 })
  await acceptQuote(world.db, customer.actor, sent.id, wish, new Date())
  await expectHome('Sigue: paga tu anticipo.', 'href="/payments"')
})

test('a draft changes nothing there; an expired quote does, even before a job stored it as expired', async () => {
  await storeNext(world, sent, people.analyst)
  await expectHome('Tu cotización está lista')
  world.at(new Date(sent.validUntil!.getTime() + 60_000))
  await expectHome('Tu cotización venció.')
  await askAnew(world.db, people.customer.actor, sent.id, new Date())
  await expectHome('Estamos preparando otra cotización')
})
