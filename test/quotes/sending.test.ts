import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { acceptQuote } from '../../src/server/quotes/accept.ts'
import { digestOf } from '../../src/server/quotes/benefit.ts'
import { noteViewed, withdrawQuote } from '../../src/server/quotes/detail.ts'
import { expireQuotes } from '../../src/server/quotes/jobs.ts'
import { sendQuote } from '../../src/server/quotes/send.ts'
import type { Visit } from '../kit/appointments.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import {
  content,
  line,
  option,
  type Quote,
  quoteOf,
  storeDraft,
  storeNext,
  visited,
  wishOf,
} from '../kit/quotes.ts'
import { emailsAbout, refusalOf, trailOf } from '../kit/reading.ts'

openEach()
sendJobs()

let visit: Visit
let draft: Quote
beforeEach(async () => {
  visit = await visited(world, people.customer, people.technician)
  draft = await storeDraft(world, visit, people.analyst)
})

const send = (by: Person, { id, version }: Quote = draft, now = new Date()) =>
  sendQuote(world.db, by.actor, id, version, now)
const withdraw = (by: Person, { id, version }: Quote, reason: string | null = 'Cambió el precio.') =>
  withdrawQuote(world.db, by.actor, id, { version, reason }, new Date())

describe('a draft', () => {
  test('is sent frozen, to whom and where it is for, with the last second of its last day', async () => {
    const sent = await send(people.analyst)
    expect(sent).toMatchObject({
      state: 'sent',
      sentBy: people.analyst.id,
      addressee: 'Camila Prueba',
      version: 2,
      lowestTotal: 1160_00,
      highestTotal: 2320_00,
      discountShare: 0,
      address: expect.objectContaining({ street: 'Calle Ejemplo' }),
      validUntil: new Date(`${draft.content.validUntil}T23:59:59-06:00`),
    })
    const stored = await quoteOf(world, draft)
    expect(digestOf({ ...stored, addressee: stored.addressee! })).toBe(sent.digest)
    expect(digestOf({ ...stored, addressee: 'Otra persona' })).not.toBe(sent.digest)
    for (const set of [`content = content || '{"depositPercent": 1}'`, `digest = repeat('0', 64)`])
      await expect(world.db.execute(sql.raw(`update quotes set ${set}`))).rejects.toMatchObject({
        cause: { constraint: 'quotes_frozen' },
      })
    expect(await trailOf(world, draft, 'quote')).toEqual(['send'])
    expect(await emailsAbout(world, draft)).toEqual(['quote_sent to customer'])
  })

  test('sent twice by the same form is sent once; at once too', async () => {
    await Promise.all([send(people.analyst), send(people.analyst), send(people.analyst)])
    expect(await trailOf(world, draft, 'quote')).toEqual(['send'])
    expect(await refusalOf(send(people.manager))).toEqual([
      'failed-precondition',
      'Esta cotización ya se envió.',
    ])
  })

  test('changed meanwhile is not sent', async () =>
    expect((await refusalOf(send(people.analyst, { ...draft, version: 7 })))[0]).toBe('aborted'))

  test('is sent by those who write quotes only; to the others it does not exist', async () => {
    const { ally, customer, customer2, gester, technician } = people
    for (const by of [ally, customer, customer2, gester, technician])
      expect((await refusalOf(send(by)))[0]).toBe('not-found')
    await send(people.manager)
    for (const by of [customer, technician]) expect((await refusalOf(send(by)))[0]).toBe('permission-denied')
  })

  test.each([
    ['without a price', content({ options: [option('essential', { lines: [] })] }), 'una partida con precio'],
    ['whose last day is over', content({ validUntil: '2026-01-31' }), 'Su vigencia ya pasó'],
  ])('%s is not sent', async (_what, offered, words) => {
    const other = await world.person()
    const wrong = await storeDraft(world, await visited(world, other, people.technician), people.analyst, {
      content: offered,
    })
    expect((await refusalOf(send(people.analyst, wrong)))[1]).toContain(words)
  })

  test('with more than 20 % off is the manager’s to send', async () => {
    const off = (percent: number) =>
      content({
        options: [
          option('essential'),
          option('complete', {
            lines: [
              line('cable'),
              { id: 'd', kind: 'discount', description: 'Descuento', amount: null, percent },
            ],
          }),
        ],
      })
    await world.db.execute(sql`update quotes set content = ${JSON.stringify(off(20_01))}::jsonb`)
    expect((await refusalOf(send(people.analyst)))[1]).toContain(
      'Los descuentos pasan del 20\u00a0%. Solo la gerencia puede enviarla así',
    )
    await world.db.execute(sql`update quotes set content = ${JSON.stringify(off(20_00))}::jsonb`)
    expect(await send(people.analyst)).toMatchObject({ discountShare: 20_00 })
  })
})

describe('a quote that was sent', () => {
  test('is noted as seen once, by its own customer, and what forms were shown stays good', async () => {
    const sent = await send(people.analyst)
    await noteViewed(world.db, people.customer.actor, draft.id, new Date())
    const { viewedAt, ...viewed } = await quoteOf(world, draft)
    expect(viewed).toMatchObject({ state: 'viewed', version: sent.version })
    await noteViewed(world.db, people.customer.actor, draft.id, new Date(Date.now() + 60_000))
    expect((await quoteOf(world, draft)).viewedAt).toEqual(viewedAt)
    await noteViewed(world.db, people.manager.actor, draft.id, new Date())
    expect(await trailOf(world, draft, 'quote')).toEqual(['send', 'view'])
    expect((await refusalOf(noteViewed(world.db, people.customer2.actor, draft.id, new Date())))[0]).toBe(
      'not-found',
    )
  })

  test('is withdrawn, with a letter; twice by the same form once', async () => {
    const sent = await send(people.analyst)
    await world.db.execute(sql`update pgboss.job set start_after = now() - interval '1 second'`)
    await Promise.all([withdraw(people.manager, sent), withdraw(people.manager, sent)])
    expect(await quoteOf(world, draft)).toMatchObject({ state: 'withdrawn', reason: 'Cambió el precio.' })
    expect(await trailOf(world, draft, 'quote')).toEqual(['send', 'withdraw'])
    expect(await emailsAbout(world, draft)).toContain('quote_withdrawn to customer')
    expect((await refusalOf(withdraw(people.analyst, sent, 'Otra razón.')))[1]).toBe(
      'Retiramos esta cotización.',
    )
  })

  test('is withdrawn while its letter waits: its customer hears of neither', async () => {
    const sent = await send(people.analyst)
    expect(await emailsAbout(world, draft)).toEqual(['quote_sent to customer'])
    await withdraw(people.manager, sent)
    expect(await emailsAbout(world, draft)).toEqual([])
  })

  test('is not withdrawn by anybody else', async () => {
    const sent = await send(people.analyst)
    const { ally, customer, customer2, gester, technician, technician2 } = people
    for (const by of [customer, technician])
      expect((await refusalOf(withdraw(by, sent)))[0]).toBe('permission-denied')
    for (const by of [ally, customer2, gester, technician2])
      expect((await refusalOf(withdraw(by, sent)))[0]).toBe('not-found')
    expect((await quoteOf(world, draft)).state).toBe('sent')
  })

  test('ends with its last second, once, with a letter', async () => {
    const { validUntil } = await send(people.analyst)
    expect(await expireQuotes(world.db, validUntil!)).toBe(0)
    const after = new Date(validUntil!.getTime() + 1000)
    const rounds = await Promise.all([1, 2, 3].map(() => expireQuotes(world.db, after)))
    expect(rounds.reduce((sum, one) => sum + one, 0)).toBe(1)
    expect(await quoteOf(world, draft)).toMatchObject({ state: 'expired', endedAt: validUntil })
    expect(await emailsAbout(world, draft)).toContain('quote_expired to customer')
    expect(await trailOf(world, draft, 'quote')).toEqual(['send', 'expire'])
  })
})

describe('the next version', () => {
  const replace = (next: Quote, replaces: string) =>
    sendQuote(world.db, people.analyst.actor, next.id, next.version, new Date(), { replaces })

  test('takes the place of an open one in one act, with one letter', async () => {
    const sent = await send(people.analyst)
    await noteViewed(world.db, people.customer.actor, draft.id, new Date())
    const next = await storeNext(world, sent, people.analyst)
    await Promise.all([replace(next, sent.id), replace(next, sent.id)])
    expect(await quoteOf(world, draft)).toMatchObject({ state: 'superseded', endedAt: expect.any(Date) })
    expect(await trailOf(world, draft, 'quote')).toEqual(['send', 'view', 'supersede'])
    expect(await quoteOf(world, next)).toMatchObject({ state: 'sent', revision: 2 })
    // The first letter was about the former version, and is not sent once that is replaced.
    expect(await emailsAbout(world, draft)).toEqual(['quote_sent to customer'])
    expect(await emailsAbout(world, next)).toEqual(['quote_sent to customer'])
  })

  test('leaves an open one where its form does not name it, or names another', async () => {
    const sent = await send(people.analyst)
    const next = await storeNext(world, sent, people.analyst)
    expect((await refusalOf(replace(next, next.id)))[0]).toBe('aborted')
    expect((await refusalOf(replace(next, '')))[0]).toBe('failed-precondition')
    expect(await quoteOf(world, draft)).toMatchObject({ state: 'sent' })
    expect(await quoteOf(world, next)).toMatchObject({ state: 'draft' })
  })

  test('says first that the one before was accepted meanwhile; whoever comes first wins', async () => {
    const sent = await send(people.analyst)
    const next = await storeNext(world, sent, people.analyst)
    const wish = wishOf(sent, { option: 'essential' })
    const accepting = acceptQuote(world.db, people.customer.actor, sent.id, wish, new Date())
    const [accepted, replaced] = await Promise.allSettled([accepting, replace(next, sent.id)])
    expect([accepted.status, replaced.status].toSorted()).toEqual(['fulfilled', 'rejected'])
    const { state } = await quoteOf(world, draft)
    expect(state).toBe(accepted.status === 'fulfilled' ? 'accepted' : 'superseded')
  })

  test('waits until the one before can’t be accepted any more, where nothing is said of it', async () => {
    const sent = await send(people.analyst)
    const next = await storeNext(world, sent, people.analyst)
    expect((await refusalOf(send(people.analyst, next)))[1]).toBe(
      'El cliente todavía puede aceptar la versión 1. Si esta la sustituye, envía otra vez.',
    )
    await withdraw(people.analyst, sent)
    await send(people.analyst, next)
    expect(await quoteOf(world, draft)).toMatchObject({ state: 'superseded' })
    expect(await trailOf(world, draft, 'quote')).toEqual(['send', 'withdraw', 'supersede'])
    expect(await quoteOf(world, next)).toMatchObject({ state: 'sent', revision: 2 })
  })

  test('takes the place of one whose time ran out before anything said so', async () => {
    const sent = await send(people.analyst)
    const after = new Date(sent.validUntil!.getTime() + 1000)
    const later = content({ validUntil: '2031-01-31' })
    const next = await storeNext(world, sent, people.analyst, { content: later })
    await send(people.analyst, next, after)
    expect(await trailOf(world, draft, 'quote')).toEqual(['send', 'expire', 'supersede'])
  })

  test('leaves what was never sent as it was', async () => {
    await withdraw(people.analyst, draft, null)
    const next = await storeNext(world, draft, people.analyst)
    await send(people.analyst, next)
    expect(await quoteOf(world, draft)).toMatchObject({ state: 'withdrawn', sentAt: null })
    expect(await emailsAbout(world, draft)).toEqual([])
  })
})
