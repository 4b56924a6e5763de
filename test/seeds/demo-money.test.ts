import { and, asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Actor } from '../../src/domain/access/actor.ts'
import { cfdiUseFits, kindOfRfc, regimeFits } from '../../src/domain/invoices/taxpayer.ts'
import { isClabe } from '../../src/domain/payments/banks.ts'
import { ledgerOf } from '../../src/domain/payments/ledger.ts'
import { typedOf } from '../../src/domain/quotes/draft.ts'
import { isOpenQuote } from '../../src/domain/quotes/quote.ts'
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
import { startJobs, stopJobs } from '../../src/server/platform/jobs/jobs.ts'
import { digestOf } from '../../src/server/quotes/benefit.ts'
import { withdrawQuote } from '../../src/server/quotes/detail.ts'
import { openDraft, saveDraft } from '../../src/server/quotes/drafts.ts'
import { sendQuote } from '../../src/server/quotes/send.ts'
import { editedSettings } from '../../src/server/settings/queries.ts'
import { demoDatabase } from '../kit/fresh-database.ts'
import { anyDay, moments } from './moments.ts'

describe.each(moments(3))('the money of a demo world loaded at %s', (_name, moment) => {
  const now = new Date(moment)
  let db: Db
  beforeAll(async () => {
    db = await demoDatabase(now)
  })
  afterAll(() => db.$client.end())

  test('there is a quote in every state that says something, and one that waits to be made', async () => {
    const rows = await db.select().from(quotes)
    expect(new Set(rows.map(({ state }) => state))).toEqual(
      new Set(['draft', 'sent', 'viewed', 'accepted', 'rejected', 'expired', 'superseded', 'cancelled']),
    )
    expect(rows.filter(({ revision }) => revision === 2)).toMatchObject([{ state: 'viewed' }])
    const approved = await db
      .select()
      .from(sheets)
      .where(and(eq(sheets.kind, 'visit'), eq(sheets.state, 'approved')))
    const quoted = new Set(rows.map(({ appointmentId }) => appointmentId))
    expect(approved.filter(({ appointmentId }) => !quoted.has(appointmentId))).toHaveLength(1)
  })

  test('each quote is what its options come to, frozen under its digest, and can still be accepted exactly while it is open', async () => {
    for (const quote of await db.select().from(quotes)) {
      const { acceptedOption, content, digest, validUntil } = quote
      const totals = content.options.map((option) => totalsOfOption(option).total)
      expect(content.options).toHaveLength(3)
      expect([quote.lowestTotal, quote.highestTotal]).toEqual([Math.min(...totals), Math.max(...totals)])
      expect(digest).toBe(
        quote.sentAt && digestOf({ ...quote, addressee: quote.addressee!, address: quote.address }),
      )
      if (quote.state === 'sent' || quote.state === 'viewed') expect(validUntil! > now).toBe(true)
      if (quote.state === 'expired') expect(validUntil).toEqual(quote.endedAt)
      if (acceptedOption === null) continue
      const option = content.options.find(({ id }) => id === acceptedOption)!
      const { total } = totalsOfOption(option)
      expect([quote.acceptedTotal, quote.depositAmount]).toEqual([
        total,
        depositOf(total, content.depositPercent),
      ])
      expect(quote.acceptedAt! <= validUntil!).toBe(true)
    }
  })

  test('projects say what their quotes and payments say', async () => {
    for (const project of await db.select().from(projects)) {
      const { accepted, facts } = await ledgerFactsOf(db, project.id)
      const ledger = ledgerOf(facts)
      expect(project.quoteAcceptedAt).toEqual(accepted[0]?.acceptedAt ?? null)
      expect(project.depositPaidAt !== null).toBe(ledger.quote?.depositDue === 0)
      expect(ledger.credit).toBe(0)
      const deposits = await db
        .select()
        .from(payments)
        .where(and(eq(payments.projectId, project.id), eq(payments.concept, 'deposit')))
      expect(project.depositPaidAt).toEqual((accepted[0] && deposits[0]?.paidAt) ?? null)
      const [installed] = await db
        .select()
        .from(appointments)
        .where(
          and(
            eq(appointments.projectId, project.id),
            eq(appointments.service, 'installation'),
            eq(appointments.state, 'done'),
          ),
        )
      if (installed) expect([ledger.owed, ledger.demanded]).toEqual([0, 0])
    }
  })

  test('deposits are pending, in review and paid; one was given back', async () => {
    const rows = await db.select().from(payments).where(eq(payments.concept, 'deposit'))
    expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['pending', 'in_review', 'paid']))
    const [back] = await db.select().from(payments).where(eq(payments.concept, 'refund'))
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
    // Money that was given back is told by its refund.
    const told = [
      ...versions,
      ...rows.filter(({ refundId }) => !refundId),
      ...(await db.select().from(refunds)),
    ]
    for (const { createdAt, id, state, updatedAt } of told) {
      const trail = traces.filter(({ entityId }) => entityId === id)
      expect(trail.at(-1)).toMatchObject({ toState: state, at: updatedAt })
      expect(trail[0]!.at).toEqual(createdAt)
      for (const [n, { at, fromState }] of trail.entries()) {
        if (n > 0) expect([fromState, at >= trail[n - 1]!.at]).toEqual([trail[n - 1]!.toState, true])
        expect(at <= now).toBe(true)
      }
    }
  })

  test('fiscal data stand in every state of a review, and the settings say where transfers go and who invoices', async () => {
    const rows = await db.select().from(fiscalData)
    expect(rows.map(({ state }) => state).sort()).toEqual(['rejected', 'submitted', 'verified'])
    for (const { cfdiUse, constanciaId, regime, rfc } of rows) {
      const kind = kindOfRfc(rfc)
      expect(regimeFits(regime, kind)).toBe(true)
      expect(cfdiUseFits(cfdiUse, regime, kind)).toBe(true)
      const [paper] = await db.select().from(documents).where(eq(documents.id, constanciaId!))
      expect(paper).toMatchObject({ purpose: 'constancia', type: 'application/pdf' })
    }
    const { settings } = await editedSettings(db)
    expect(isClabe(settings.spei.clabe)).toBe(true)
    expect(settings.issuer.rfc).toBe('EKU9003173C9')
  })
})

test('two people who sign in find a quote to accept and a deposit to pay', async () => {
  const db = await demoDatabase(new Date(anyDay))
  const of = async (email: string) =>
    (
      await db
        .select({ quote: quotes })
        .from(quotes)
        .innerJoin(users, eq(users.id, quotes.customerId))
        .where(eq(users.email, email))
    )
      .map(({ quote }) => `${quote.revision} ${quote.state}`)
      .sort()
  expect(await of('cliente4@demo.mx')).toEqual(['1 superseded', '2 viewed'])
  expect(await of('cliente5@demo.mx')).toEqual(['1 accepted'])
  await db.$client.end()
})

test('every quote of a demo world can be revised: its next version is made by the builder, and sent', async () => {
  const now = new Date()
  const db = await demoDatabase()
  onTestFinished(() => db.$client.end())
  await startJobs(db)
  onTestFinished(() => stopJobs())
  const [person] = await db.select().from(users).where(eq(users.email, 'gerente@demo.mx'))
  const { id, kind, role } = person!
  const actor = { id, kind, role, name: '', isVerified: true } as unknown as Actor
  const today = localDate(toMinutes(now))
  const last = new Map<string, typeof quotes.$inferSelect>()
  for (const quote of await db.select().from(quotes).orderBy(asc(quotes.createdAt), asc(quotes.revision))) {
    // What a customer was sent may have a day that is over; everything else is as the builder takes it.
    const typed = { ...typedOf(quote.content), validUntil: addDays(today, 15) }
    expect([quote.folio, judgeQuote(typed, today)]).toEqual([
      quote.folio,
      { content: expect.objectContaining({ depositPercent: quote.content.depositPercent }) },
    ])
    last.set(quote.projectId, quote)
  }
  let sent = 0
  for (const quote of last.values()) {
    const at = new Date()
    const isOpen = isOpenQuote(quote.state)
    if (isOpen) await withdrawQuote(db, actor, quote.id, { version: quote.version, reason: 'Otra.' }, at)
    const draft = await openDraft(db, actor, quote.id, at).catch(closed)
    if (!draft) continue
    const judged = judgeQuote(typedOf(draft.content), localDate(toMinutes(at)))
    const content = 'content' in judged ? judged.content : expect.fail(JSON.stringify(judged.errors))
    const wish = { version: draft.version, content, sends: true }
    const saved = await saveDraft(db, actor, quote.appointmentId, wish, at)
    await sendQuote(db, actor, saved.id, saved.version, at).then(() => sent++, closed)
  }
  expect(sent).toBeGreaterThan(3)
})

/** What is installed, or over, has no next version; the first of them were installed before there were reports. */
function closed(error: unknown): null {
  const { description } = error as { description?: string }
  if (!description || !/ya está cerrado|instalación ya empezó|no tiene reporte/.test(description))
    throw new Error(description, { cause: error })
  return null
}
