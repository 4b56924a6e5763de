import { asc, isNull } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { benefitFrom, codeStateBy, codeStates, isWithin } from '../../src/domain/agencies/codes.ts'
import { commissionOf, statementOf } from '../../src/domain/agencies/commissions.ts'
import { totalsOfOption } from '../../src/domain/quotes/totals.ts'
import { localDate, toMinutes } from '../../src/domain/shared/calendar.ts'
import { syncCommissions } from '../../src/server/agencies/commission-commands.ts'
import type { Db } from '../../src/server/platform/database/client.ts'
import { users } from '../../src/server/platform/database/schema/accounts.ts'
import {
  apiKeys,
  clients,
  codes,
  commissionPayouts,
  commissions,
} from '../../src/server/platform/database/schema/agencies.ts'
import { quotes } from '../../src/server/platform/database/schema/payments.ts'
import { agencies, events, projects } from '../../src/server/platform/database/schema/projects.ts'
import { leadingStatuses, projectStatusesOf } from '../../src/server/projects/overview.ts'
import { fittingBenefit } from '../../src/server/quotes/benefit.ts'
import { demoDatabase } from '../kit/fresh-database.ts'
import { rowIn, rowsIn } from '../kit/reading.ts'
import { moments } from './moments.ts'

describe.each(moments(2))('the allies of a demo loaded at %s', (_name, moment) => {
  const now = new Date(moment)
  let db: Db
  beforeAll(async () => {
    db = await demoDatabase(now)
  })
  afterAll(() => db.$client.end())

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
