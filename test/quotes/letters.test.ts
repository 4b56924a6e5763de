import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import type { QuoteEmailJob } from '../../src/server/notifications/jobs.ts'
import { acceptQuote } from '../../src/server/quotes/accept.ts'
import { emailsOf } from '../kit/delivered.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import { type Quote, storeSent } from '../kit/quotes.ts'

openEach()
sendJobs()

let sent: Quote
beforeEach(async () => {
  const { analyst: maker, customer, technician } = people
  sent = await storeSent(world, { customer, technician, maker })
})

const delivered = (letter: QuoteEmailJob['letter'], to: QuoteEmailJob['to']) =>
  emailsOf(world.db, { letter, quoteId: sent.id, to } as QuoteEmailJob)
const put = (set: string) => world.db.execute(sql.raw(`update quotes set ${set}`))
const accept = () =>
  acceptQuote(
    world.db,
    people.customer.actor,
    sent.id,
    {
      version: sent.version,
      digest: sent.digest!,
      option: 'essential',
      addOns: [],
      name: 'Camila',
      ip: '10.0.0.1',
    },
    new Date(),
  )
const ended = `state = 'expired', ended_at = valid_until`

test.each<[QuoteEmailJob['letter'], () => Promise<unknown>, string, string[]]>([
  ['quote_sent', async () => undefined, 'Tu cotización está lista', ['De $1,160.00 a $2,320.00', '/quote']],
  ['quote_accepted', accept, 'Aceptaste tu cotización', ['Total: $1,160.00', 'Anticipo: $580.00']],
  ['quote_expired', () => put(ended), 'Tu cotización venció', ['pide otra con un toque']],
  ['quote_withdrawn', () => put(`state = 'withdrawn', reason = 'Subió el cobre'`), 'Retiramos', ['Subió el']],
  [
    ...([
      'quote_cancelled',
      async () => (await accept()) && put(`state = 'cancelled', reason = 'Se muda'`),
    ] as const),
    'Tu cotización se canceló',
    ['Motivo: Se muda', 'reembolso'],
  ] as never,
  [
    ...(['quote_lapsed', async () => (await accept()) && put(`state = 'lapsed'`)] as const),
    'Se venció el plazo de tu anticipo',
    ['Anticipo: $580.00'],
  ] as never,
])('%s tells its customer what is so', async (letter, make, subject, said) => {
  await make()
  const [one] = await delivered(letter, 'customer')
  expect(one).toMatchObject({ to: people.customer.email })
  expect(one!.subject).toContain(subject)
  expect(one!.subject).toContain(sent.folio)
  for (const words of said) expect(one!.text).toContain(words)
})

test.each<[QuoteEmailJob['letter'], string, string[]]>([
  [
    'quote_rejected',
    `state = 'rejected', reason = 'El precio'`,
    ['Motivo: El precio', 'Cliente: Camila Prueba'],
  ],
  ['quote_changes_requested', `state = 'changes_requested', reason = 'Sin tubo'`, ['Escribió: Sin tubo']],
  [
    'quote_renewal_asked',
    `${ended}, answered_at = valid_until + interval '1 day'`,
    ['Haz una versión nueva'],
  ],
])('%s tells whoever made it, and the managers once they left', async (letter, set, said) => {
  await put(set)
  const [one, ...more] = await delivered(letter, 'maker')
  expect([one!.to, more]).toEqual([people.analyst.email, []])
  for (const words of said) expect(one!.text).toContain(words)
  expect(one!.text).toContain(`/admin/cotizations/detail-quote/${sent.id}`)
  await world.db.execute(sql`update users set active = false where id = ${people.analyst.id}`)
  expect((await delivered(letter, 'maker')).map(({ to }) => to)).toEqual([people.manager.email])
})

test('a mailbox that nobody proved reads no amount', async () => {
  await world.db.execute(sql`update users set email_verified = false where id = ${people.customer.id}`)
  const [one] = await delivered('quote_sent', 'customer')
  expect(one!.text).not.toMatch(/\$|Camila/)
})
