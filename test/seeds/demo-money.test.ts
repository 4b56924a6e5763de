import { asc, isNull } from 'drizzle-orm'
import { syncCommissions } from '../../src/agencies/commission-commands.ts'
import { benefitFrom, codeStateBy, codeStates, isWithin } from '../../src/agencies/rules/codes.ts'
import { commissionOf, statementOf } from '../../src/agencies/rules/commissions.ts'
import { leadingStatuses, projectStatusesOf } from '../../src/customers/overview.ts'
import { cfdiUseFits, kindOfRfc, regimeFits } from '../../src/invoices/rules/taxpayer.ts'
import { ledgerFactsOf } from '../../src/payments/rows.ts'
import { isClabe } from '../../src/payments/rules/banks.ts'
import { ledgerOf } from '../../src/payments/rules/ledger.ts'
import type { Db } from '../../src/platform/database/client.ts'
import { users } from '../../src/platform/database/schema/accounts.ts'
import {
  apiKeys,
  clients,
  codes,
  commissionPayouts,
  commissions,
} from '../../src/platform/database/schema/agencies.ts'
import { appointments, sheets } from '../../src/platform/database/schema/appointments.ts'
import {
  documents,
  fiscalData,
  payments,
  quotes,
  refunds,
} from '../../src/platform/database/schema/payments.ts'
import { agencies, events, projects } from '../../src/platform/database/schema/projects.ts'
import { digestOf, fittingBenefit } from '../../src/quotes/benefit.ts'
import { typedOf } from '../../src/quotes/rules/draft.ts'
import { judgeQuote } from '../../src/quotes/rules/schema.ts'
import { depositOf, totalsOfOption } from '../../src/quotes/rules/totals.ts'
import { editedSettings } from '../../src/settings/queries.ts'
import { addDays, localDate, toMinutes } from '../../src/shared/calendar.ts'
import { demoDatabase } from '../kit/fresh-database.ts'
import { rowIn, rowsIn } from '../kit/reading.ts'
import { moments } from './moments.ts'

describe.each(moments(3))('money and allies of a demo world loaded at %s', (_name, moment) => {
  const now = new Date(moment)
  let db: Db
  beforeAll(async () => {
    db = await demoDatabase(now)
  })
  afterAll(() => db.$client.end())

  test('there is a quote in every state that a customer meets, and one that waits to be made', async () => {
    const rows = await db.select().from(quotes)
    const states = 'draft sent viewed accepted rejected expired superseded cancelled lapsed'.split(' ')
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

  test('deposits are pending, in review, expired and paid; one was given back', async () => {
    const rows = await rowsIn({ db }, payments, { concept: 'deposit' })
    expect(new Set(rows.map(({ state }) => state))).toEqual(
      new Set(['pending', 'in_review', 'expired', 'paid']),
    )
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

  const joined = async () =>
    (await db.select().from(clients).where(isNull(clients.endedAt))).filter((row) => row.customerId)

  test('there is a code in every state, with as many uses as clients of its owner', async () => {
    const rows = await db.select().from(codes)
    const tied = await joined()
    expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(Object.keys(codeStates)))
    const agency = await rowIn({ db }, agencies, { id: rows[0]!.agencyId })
    const limit = benefitFrom({ kind: agency!.benefitKind, value: agency!.benefitValue })
    for (const code of rows) {
      const by = tied.filter(({ codeId }) => codeId === code.id)
      expect([code.code, code.uses]).toEqual([code.code, by.length])
      expect(codeStateBy(code, now)).toBe(code.state)
      const benefit = benefitFrom({ kind: code.benefitKind, value: code.benefitValue })
      const wasAllowed = isWithin(benefit, limit) || code.approvedAt !== null
      expect([code.code, wasAllowed]).toEqual([code.code, code.state !== 'draft'])
      for (const { allyId, joinedAt } of by) {
        expect(allyId).toBe(code.ownerId)
        expect((joinedAt! > code.createdAt && joinedAt! <= code.updatedAt) || code.state === 'active').toBe(
          true,
        )
      }
    }
  })

  test('clients have the stage of their own homes, from invited to installed', async () => {
    const tied = await joined()
    const ids = tied.map(({ customerId }) => customerId!)
    const standings = leadingStatuses(await projectStatusesOf(db, ids, now))
    for (const { agencyId, customerId, standingSince: since, stage, waitingOn } of tied) {
      expect(standings.get(customerId!)).toMatchObject({ since, stage, waitingOn })
      for (const project of await rowsIn({ db }, projects, { customerId: customerId! }))
        expect(project.agencyId).toBe(agencyId)
    }
    const all = await db.select().from(clients)
    expect(new Set(all.map(({ stage }) => stage)).size).toBeGreaterThanOrEqual(6)
    expect(all.filter(({ stage }) => stage === 'invited')).toHaveLength(all.length - tied.length)
    expect((await db.select().from(projects)).filter(({ agencyId }) => agencyId)).toHaveLength(tied.length)
  })

  test('quotes contain the benefits of codes, each given once', async () => {
    const given = []
    for (const quote of await db.select().from(quotes)) {
      const { content } = quote
      expect(await fittingBenefit(db, quote)).toEqual(content)
      const line = content.options[0]!.lines.find(({ id }) => id === 'benefit')
      if (line && quote.acceptedAt) given.push(quote.projectId)
    }
    const taken = (await joined()).flatMap(({ benefitProjectId }) => benefitProjectId ?? [])
    expect(given.length).toBeGreaterThan(2)
    expect(taken.sort()).toEqual(given.sort())
  })

  test('commissions are in every state, what is due was approved, and the transfer is the sum of its rows', async () => {
    const rows = await db.select().from(commissions)
    expect(new Set(rows.map(({ kind, state }) => `${kind} ${state}`))).toEqual(
      new Set(['commission pending', 'commission approved', 'commission paid', 'adjustment paid']),
    )
    for (const { amount, basis, kind, quoteId, termsKind, termsValue } of rows) {
      if (kind === 'adjustment') continue
      const quote = await rowIn({ db }, quotes, { id: quoteId })
      const option = quote!.content.options.find(({ id }) => id === quote!.acceptedOption)!
      expect(basis).toBe(totalsOfOption(option, quote!.acceptedAddOns).net)
      expect(amount).toBe(commissionOf({ kind: termsKind, value: termsValue }, basis))
    }
    expect(await syncCommissions(db, now)).toBe(0)
    const payouts = await db.select().from(commissionPayouts)
    const on = (at: Date) => localDate(toMinutes(at))
    const { closing } = statementOf(
      rows.map(({ amount, earnedAt, kind, state }) => ({ amount, kind, state, on: on(earnedAt) })),
      payouts.map(({ amount, paidOn }) => ({ amount, on: paidOn })),
      on(now).slice(0, 7),
    )
    const owed = rows.filter(({ state }) => state !== 'paid').reduce((sum, { amount }) => sum + amount, 0)
    expect(closing).toBe(owed)
  })

  test('histories end with the state of their rows, and none is later than now; a key of an agency is active', async () => {
    const traces = await db.select().from(events).orderBy(asc(events.id))
    const rows = [
      ...(await db.select().from(codes)),
      ...(await db.select().from(clients)),
      ...(await db.select().from(commissions)).filter(({ state }) => state !== 'paid'),
    ]
    for (const { id, ...row } of rows) {
      const trail = traces.filter(({ entityId }) => entityId === id)
      const last = trail.findLast(({ toState }) => toState)?.toState
      const stands = 'stage' in row ? row.stage : row.state
      expect(last ?? 'intake').toBe(stands)
      for (const [n, { at }] of trail.entries())
        expect(at <= now && (n === 0 || at >= trail[n - 1]!.at)).toBe(true)
    }
    const [key] = await db.select().from(apiKeys)
    expect(key).toMatchObject({ revokedAt: null, prefix: expect.stringMatching(/^cec_/) })
    const allies = await rowsIn({ db }, users, { kind: 'alliate' })
    expect(new Set(allies.map(({ agencyId }) => agencyId))).toEqual(new Set([key!.agencyId]))
  })
})
