import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cfdiUseFits, kindOfRfc, regimeFits } from '../../src/domain/invoices/taxpayer.ts'
import { isClabe } from '../../src/domain/payments/banks.ts'
import { ledgerOf } from '../../src/domain/payments/ledger.ts'
import { typedOf } from '../../src/domain/quotes/draft.ts'
import { judgeQuote } from '../../src/domain/quotes/schema.ts'
import { depositOf, totalsOfOption } from '../../src/domain/quotes/totals.ts'
import { addDays, localDate, toMinutes } from '../../src/domain/shared/calendar.ts'
import { ledgerFactsOf } from '../../src/server/payments/rows.ts'
import type { Db } from '../../src/server/platform/database/client.ts'
import { users } from '../../src/server/platform/database/schema/accounts.ts'
import { appointments, sheets } from '../../src/server/platform/database/schema/appointments.ts'
import {
  documents,
  fiscalData,
  payments,
  quotes,
  refunds,
} from '../../src/server/platform/database/schema/payments.ts'
import { events, projects } from '../../src/server/platform/database/schema/projects.ts'
import { digestOf } from '../../src/server/quotes/benefit.ts'
import { editedSettings } from '../../src/server/settings/queries.ts'
import { demoDatabase } from '../kit/fresh-database.ts'
import { rowIn, rowsIn } from '../kit/reading.ts'
import { moments } from './moments.ts'

describe.each(moments(3))('the money of a demo world loaded at %s', (_name, moment) => {
  const now = new Date(moment)
  let db: Db
  beforeAll(async () => {
    db = await demoDatabase(now)
  })
  afterAll(() => db.$client.end())

  test('there is a quote in every state that a customer meets, and one that waits to be made', async () => {
    const rows = await db.select().from(quotes)
    const states = 'draft sent viewed accepted rejected expired superseded cancelled'.split(' ')
    expect(new Set<string>(rows.map(({ state }) => state))).toEqual(new Set(states))
    expect(rows.filter(({ revision }) => revision === 2)).toMatchObject([{ state: 'viewed' }])
    const approved = await rowsIn({ db }, sheets, { kind: 'visit', state: 'approved' })
    const quoted = new Set(rows.map(({ appointmentId }) => appointmentId))
    expect(approved.filter(({ appointmentId }) => !quoted.has(appointmentId))).toHaveLength(1)
  })

  test('each quote has the totals and the digest of its options, can be accepted exactly while it is open, and revised', async () => {
    for (const quote of await db.select().from(quotes)) {
      const { acceptedOption, content, digest, validUntil } = quote
      const totals = content.options.map((option) => totalsOfOption(option).total)
      expect(content.options).toHaveLength(3)
      expect([quote.lowestTotal, quote.highestTotal]).toEqual([Math.min(...totals), Math.max(...totals)])
      const { addressee, address } = quote
      expect(digest).toBe(quote.sentAt && digestOf({ ...quote, addressee: addressee!, address }))
      if (quote.state === 'sent' || quote.state === 'viewed') expect(validUntil! > now).toBe(true)
      if (quote.state === 'expired') expect(validUntil).toEqual(quote.endedAt)
      const today = localDate(toMinutes(now))
      const typed = { ...typedOf(content), validUntil: addDays(today, 15) }
      const { depositPercent } = content
      const judged = { content: expect.objectContaining({ depositPercent }) }
      expect(judgeQuote(typed, today), quote.folio).toEqual(judged)
      if (acceptedOption === null) continue
      const { total } = totalsOfOption(content.options.find(({ id }) => id === acceptedOption)!)
      expect([quote.acceptedTotal, quote.depositAmount]).toEqual([total, depositOf(total, depositPercent)])
      expect(quote.acceptedAt! <= validUntil!).toBe(true)
    }
  })

  test('two customers who sign in find a quote to accept and a deposit to pay', async () => {
    const of = async (email: string) => {
      const found = await db
        .select()
        .from(quotes)
        .innerJoin(users, eq(users.id, quotes.customerId))
        .where(eq(users.email, email))
      return found.map((row) => `${row.quotes.revision} ${row.quotes.state}`).sort()
    }
    expect(await of('cliente4@demo.mx')).toEqual(['1 superseded', '2 viewed'])
    expect(await of('cliente5@demo.mx')).toEqual(['1 accepted'])
  })

  test('projects have the dates of their quotes and payments, and nothing owed once installed', async () => {
    for (const { depositPaidAt, id, quoteAcceptedAt } of await db.select().from(projects)) {
      const { accepted, facts } = await ledgerFactsOf(db, id)
      const ledger = ledgerOf(facts)
      expect(quoteAcceptedAt).toEqual(accepted[0]?.acceptedAt ?? null)
      expect(depositPaidAt !== null).toBe(ledger.quote?.depositDue === 0)
      expect(ledger.credit).toBe(0)
      const deposits = await rowsIn({ db }, payments, { projectId: id, concept: 'deposit' })
      expect(depositPaidAt).toEqual((accepted[0] && deposits[0]?.paidAt) ?? null)
      const done = { projectId: id, service: 'installation', state: 'done' } as const
      if (await rowIn({ db }, appointments, done)) expect([ledger.owed, ledger.demanded]).toEqual([0, 0])
    }
  })

  test('deposits are pending, in review and paid; one was given back', async () => {
    const rows = await rowsIn({ db }, payments, { concept: 'deposit' })
    expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['pending', 'in_review', 'paid']))
    const back = await rowIn({ db }, payments, { concept: 'refund' })
    const [refund] = await db.select().from(refunds)
    expect([refund!.state, back!.amount]).toEqual(['paid', -refund!.amount])
    expect(isClabe(refund!.clabe!)).toBe(true)
  })

  test('folios rise with time, and every history ends where its row stands', async () => {
    const traces = await db.select().from(events).orderBy(asc(events.id))
    const versions = await db.select().from(quotes).orderBy(asc(quotes.createdAt))
    const rows = await db.select().from(payments).orderBy(asc(payments.createdAt))
    const folios = versions.filter(({ revision }) => revision === 1).map(({ folio }) => folio)
    expect(folios).toEqual(folios.toSorted())
    expect(rows.map(({ folio }) => folio)).toEqual(rows.map(({ folio }) => folio).toSorted())
    // Money that was given back is in the history of its refund.
    const recorded = [
      ...versions,
      ...rows.filter(({ refundId }) => !refundId),
      ...(await db.select().from(refunds)),
    ]
    for (const { createdAt, id, state, updatedAt } of recorded) {
      const trail = traces.filter(({ entityId }) => entityId === id)
      expect(trail.at(-1)).toMatchObject({ toState: state, at: updatedAt })
      expect(trail[0]!.at).toEqual(createdAt)
      for (const [n, { at, fromState }] of trail.entries()) {
        if (n > 0) expect([fromState, at >= trail[n - 1]!.at]).toEqual([trail[n - 1]!.toState, true])
        expect(at <= now).toBe(true)
      }
    }
  })

  test('fiscal data are in every state of a review, and the settings name the account for transfers and the issuer', async () => {
    const rows = await db.select().from(fiscalData)
    expect(rows.map(({ state }) => state).sort()).toEqual(['rejected', 'submitted', 'verified'])
    for (const { cfdiUse, constanciaId, regime, rfc } of rows) {
      const kind = kindOfRfc(rfc)
      expect(regimeFits(regime, kind)).toBe(true)
      expect(cfdiUseFits(cfdiUse, regime, kind)).toBe(true)
      const paper = await rowIn({ db }, documents, { id: constanciaId! })
      expect(paper).toMatchObject({ purpose: 'constancia', type: 'application/pdf' })
    }
    const { settings } = await editedSettings(db)
    expect(isClabe(settings.spei.clabe)).toBe(true)
    expect(settings.issuer.rfc).toBe('EKU9003173C9')
  })
})
