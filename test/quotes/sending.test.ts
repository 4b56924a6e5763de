import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { acceptQuote } from '../../src/server/quotes/accept.ts'
import { digestOf } from '../../src/server/quotes/benefit.ts'
import { noteViewed, withdrawQuote } from '../../src/server/quotes/detail.ts'
import { expireQuotes } from '../../src/server/quotes/jobs.ts'
import { sendQuote } from '../../src/server/quotes/send.ts'
import { expectTrail, openEach, people, sendJobs, world } from '../kit/open.ts'
import {
  content,
  option,
  type Quote,
  quoteOf,
  storeDraft,
  storeNext,
  visited,
  wishOf,
} from '../kit/quotes.ts'
import { emailsAbout, expectRefusal } from '../kit/reading.ts'

let draft: Quote
openEach(async () => {
  const visit = await visited(world, people.customer, people.technician)
  draft = await storeDraft(world, visit, people.analyst)
})
sendJobs()

const send = ({ id, version }: Quote = draft, now = new Date(), by = people.analyst) =>
  sendQuote(world.db, by.actor, id, version, now)
const withdraw = ({ id, version }: Quote, reason: string | null = 'Cambió el precio.') =>
  withdrawQuote(world.db, people.manager.actor, id, { version, reason }, new Date())
const view = (by = people.customer, now = new Date()) => noteViewed(world.db, by.actor, draft.id, now)
const stored = () => quoteOf(world, draft)
const expectEvents = (...names: string[]) => expectTrail(draft, names, 'quote')

describe('a draft', () => {
  test('is sent frozen, with its reader, its address and the last second of its last day', async () => {
    const sent = await send()
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
    const row = await stored()
    expect(digestOf({ ...row, addressee: row.addressee! })).toBe(sent.digest)
    expect(digestOf({ ...row, addressee: 'Otra persona' })).not.toBe(sent.digest)
    for (const set of [`content = content || '{"depositPercent": 1}'`, `digest = repeat('0', 64)`])
      await expect(world.db.execute(sql.raw(`update quotes set ${set}`))).rejects.toMatchObject({
        cause: { constraint: 'quotes_frozen' },
      })
    await expectEvents('send')
    expect(await emailsAbout(world, draft)).toEqual(['quote_sent to customer'])
  })

  test('is sent once by the same form, and not after a change', async () => {
    await expectRefusal(send({ ...draft, version: 7 }), 'aborted')
    await Promise.all([send(), send(), send()])
    await expectEvents('send')
    const other = send(draft, new Date(), people.manager)
    await expectRefusal(other, 'failed-precondition', 'Esta cotización ya se envió.')
  })

  test.each([
    ['without a price', { options: [option('essential', { lines: [] })] }, 'una partida con precio'],
    ['after its last day', { validUntil: '2026-01-31' }, 'Su vigencia ya pasó'],
  ])('is not sent %s', async (_, changes, words) => {
    const json = JSON.stringify(content(changes))
    await world.db.execute(sql`update quotes set content = ${json}::jsonb`)
    await expectRefusal(send(), 'failed-precondition', words)
  })
})

describe('a sent quote', () => {
  test('is viewed once, by its own customer, and open forms stay valid', async () => {
    const { version } = await send()
    await view(people.manager)
    await expectRefusal(view(people.customer2), 'not-found')
    await view()
    const { viewedAt } = await stored()
    await view(people.customer, new Date(Date.now() + 60_000))
    expect(await stored()).toMatchObject({ state: 'viewed', version, viewedAt })
    await expectEvents('send', 'view')
  })

  test('is withdrawn once by the same form, with an email', async () => {
    const sent = await send()
    await world.db.execute(sql`update pgboss.job set start_after = now() - interval '1 second'`)
    await Promise.all([withdraw(sent), withdraw(sent)])
    expect(await stored()).toMatchObject({ state: 'withdrawn', reason: 'Cambió el precio.' })
    await expectEvents('send', 'withdraw')
    expect(await emailsAbout(world, draft)).toContain('quote_withdrawn to customer')
    await expectRefusal(withdraw(sent, 'Otra.'), 'failed-precondition', 'Retiramos esta cotización.')
  })

  test('is withdrawn without any email while that of its sending waits', async () => {
    const sent = await send()
    await withdraw(sent)
    expect(await emailsAbout(world, draft)).toEqual([])
  })

  test('expires after its last second, once, with an email', async () => {
    const { validUntil } = await send()
    expect(await expireQuotes(world.db, validUntil!)).toBe(0)
    const after = new Date(validUntil!.getTime() + 1000)
    const rounds = await Promise.all([1, 2, 3].map(() => expireQuotes(world.db, after)))
    expect(rounds.toSorted()).toEqual([0, 0, 1])
    expect(await stored()).toMatchObject({ state: 'expired', endedAt: validUntil })
    expect(await emailsAbout(world, draft)).toContain('quote_expired to customer')
    await expectEvents('send', 'expire')
  })
})

describe('the next version', () => {
  const sendAndBegin = async () => {
    const sent = await send()
    return { sent, next: await storeNext(world, sent, people.analyst) }
  }
  const replace = (next: Quote, replaces: string) =>
    sendQuote(world.db, people.analyst.actor, next.id, next.version, new Date(), { replaces })

  test('replaces an open one in one act, with one email', async () => {
    const { sent, next } = await sendAndBegin()
    await view()
    await Promise.all([replace(next, sent.id), replace(next, sent.id)])
    expect(await stored()).toMatchObject({ state: 'superseded', endedAt: expect.any(Date) })
    await expectEvents('send', 'view', 'supersede')
    expect(await quoteOf(world, next)).toMatchObject({ state: 'sent', revision: 2 })
    for (const { id } of [draft, next])
      expect(await emailsAbout(world, id)).toEqual(['quote_sent to customer'])
  })

  test('leaves an open one that its form does not name', async () => {
    const { next } = await sendAndBegin()
    await expectRefusal(replace(next, next.id), 'aborted')
    const words = 'El cliente todavía puede aceptar la versión 1. Si esta la sustituye, envía otra vez.'
    await expectRefusal(send(next), 'failed-precondition', words)
    expect((await stored()).state).toBe('sent')
    expect((await quoteOf(world, next)).state).toBe('draft')
  })

  test('is sent, or the former is accepted, whichever comes first', async () => {
    const { sent, next } = await sendAndBegin()
    const wish = wishOf(sent, { option: 'essential' })
    const accepting = acceptQuote(world.db, people.customer.actor, sent.id, wish, new Date())
    const [accepted, replaced] = await Promise.allSettled([accepting, replace(next, sent.id)])
    expect([accepted.status, replaced.status].toSorted()).toEqual(['fulfilled', 'rejected'])
    const state = accepted.status === 'fulfilled' ? 'accepted' : 'superseded'
    expect((await stored()).state).toBe(state)
  })

  test('replaces a withdrawn one, and one whose time ran out before it was stored as expired', async () => {
    const { sent, next } = await sendAndBegin()
    await withdraw(sent)
    const second = await send(next)
    await expectEvents('send', 'withdraw', 'supersede')
    const later = content({ validUntil: '2031-01-31' })
    const third = await storeNext(world, second, people.analyst, { content: later })
    await send(third, new Date(second.validUntil!.getTime() + 1000))
    await expectTrail(next, ['send', 'expire', 'supersede'], 'quote')
  })

  test('leaves one that was never sent', async () => {
    await withdraw(draft, null)
    await send(await storeNext(world, draft, people.analyst))
    expect(await stored()).toMatchObject({ state: 'withdrawn', sentAt: null })
    expect(await emailsAbout(world, draft)).toEqual([])
  })
})
