import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { QuoteEmailJob } from '../../src/server/notifications/jobs.ts'
import { acceptQuote } from '../../src/server/quotes/accept.ts'
import { emailsOf } from '../kit/delivered.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import { sendOne, sent, wishOf } from '../kit/quotes.ts'
import { expectWords } from '../kit/reading.ts'

openEach(sendOne)
sendJobs()

const delivered = (letter: QuoteEmailJob['letter'], to: QuoteEmailJob['to']) =>
  emailsOf(world.db, { letter, quoteId: sent.id, to } as QuoteEmailJob)
const put = (set: string) => world.db.execute(sql.raw(`update quotes set ${set}`))

test('the emails to the customer state amounts, reasons and what to do', async () => {
  const expectEmail = async (letter: QuoteEmailJob['letter'], ...words: string[]) =>
    expectWords((await delivered(letter, 'customer'))[0]!.text, ...words)
  await expectEmail('quote_sent', 'De $1,160.00 a $2,320.00', '/quote')
  await put(`state = 'expired', ended_at = valid_until`)
  await expectEmail('quote_expired', 'pide otra con un toque')
  await put(`state = 'withdrawn', reason = 'Subió el cobre'`)
  await expectEmail('quote_withdrawn', 'Subió el cobre')
  await put(`state = 'sent', ended_at = null`)
  const wish = wishOf(sent, { option: 'essential' })
  await acceptQuote(world.db, people.customer.actor, sent.id, wish, new Date())
  await expectEmail('quote_accepted', 'Total: $1,160.00', 'Anticipo: $580.00')
  await put(`state = 'cancelled', reason = 'Se muda'`)
  await expectEmail('quote_cancelled', 'Motivo: Se muda', 'reembolso')
  await put(`state = 'lapsed'`)
  await expectEmail('quote_lapsed', 'Anticipo: $580.00')
})

test('the emails to the author state the answer, and go to the managers once the author is inactive', async () => {
  for (const [letter, set, ...words] of [
    [
      'quote_rejected',
      `state = 'rejected', reason = 'El precio'`,
      'Motivo: El precio',
      'Cliente: Camila Prueba',
    ],
    ['quote_changes_requested', `state = 'changes_requested', reason = 'Sin tubo'`, 'Escribió: Sin tubo'],
    [
      'quote_renewal_asked',
      `state = 'expired', ended_at = valid_until, answered_at = valid_until + interval '1 day'`,
      'Haz una versión nueva',
    ],
  ] as const) {
    await put(set)
    const [email] = await delivered(letter, 'maker')
    expectWords(email!.text, ...words, `/admin/cotizations/detail-quote/${sent.id}`)
  }
  await world.db.execute(sql`update users set active = false where id = ${people.analyst.id}`)
  const readers = (await delivered('quote_renewal_asked', 'maker')).map(({ to }) => to)
  expect(readers).toEqual([people.manager.email])
})

test('an unverified mailbox receives no amount', async () => {
  await world.db.execute(sql`update users set email_verified = false where id = ${people.customer.id}`)
  const [email] = await delivered('quote_sent', 'customer')
  expect(email!.text).not.toMatch(/\$|Camila/)
})
