import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { statementOf, sumsByMonth, sumsOf } from '../../../src/domain/agencies/commissions.ts'
import { localDate, toMinutes } from '../../../src/domain/shared/calendar.ts'
import { Refusal } from '../../../src/domain/shared/refusal.ts'
import { adjustCommission, syncCommissions } from '../../../src/server/agencies/commission-commands.ts'
import {
  commissionMonth,
  commissionMonths,
  commissionsOfMonth,
  payableCommissions,
} from '../../../src/server/agencies/commission-queries.ts'
import { agree, commissionsOf, day, earn, payLines, payoutsIn } from '../../kit/agencies.ts'
import { type Dice, dice, rounds } from '../../kit/dice.ts'
import { openOnce, people, sendJobsOnce, world } from '../../kit/open.ts'

openOnce()
sendJobsOnce()
let both: [string, string]
beforeAll(async () => {
  const other = await world.agency({ name: 'Otra de prueba' })
  both = [people.ally.agencyId!, other.id]
  await agree(world, both[0], { commissionKind: 'percent', commissionValue: 7_35 })
  await agree(world, both[1], { commissionKind: 'amount', commissionValue: 1_111_11 })
})

const start = Date.UTC(2026, 5, 1, 18)
const sum = (amounts: readonly number[]) => amounts.reduce((a, b) => a + b, 0)
const dayOf = (at: Date) => localDate(toMinutes(at))

/** One thing that happens to an agency on a day; what is adjusted or paid, several tabs try at once. */
const steps: Record<string, (chance: Dice, agencyId: string, now: Date) => Promise<unknown>> = {
  earn: (chance, agencyId, now) =>
    earn(world, {
      agencyId,
      finishedAt: now,
      net: 1 + chance.below(40_000_00),
      isPaid: chance.below(4) > 0,
    }),
  follow: (_, __, now) => Promise.all([syncCommissions(world.db, now), syncCommissions(world.db, now)]),
  async adjust(chance, agencyId, now) {
    const month = chance.oneOf((await commissionMonths(world.db, manager(), agencyId)).months)?.month
    const rows = month ? await commissionsOfMonth(world.db, manager(), agencyId, month) : []
    const row = chance.oneOf(rows.filter(({ kind }) => kind === 'commission'))
    if (!row) return
    const form = { amount: 1 + chance.below(row.amount), standing: row.standing, reason: 'Se revisó.' }
    const tabs = [1, 2].map(() =>
      adjustCommission(
        ...([world.db, manager(), agencyId] as const),
        { ...form, commissionId: row.id, requestKey: randomUUID() },
        now,
      ),
    )
    await unlessRefused(Promise.all(tabs))
  },
  async pay(chance, agencyId, now) {
    const waiting = await payableCommissions(world.db, manager(), agencyId)
    const chosen = waiting.filter(() => chance.below(3) > 0)
    const lines = Object.fromEntries(chosen.map(({ id, due }) => [id, due]))
    const wish = { paidOn: dayOf(now) }
    const tabs = [1, 2, 3].map(() => unlessRefused(payLines(world, people.manager, agencyId, lines, wish)))
    const paid = (await Promise.all(tabs)).filter((one) => one !== null)
    expect(paid.length).toBe(sum(Object.values(lines)) > 0 ? 1 : 0)
  },
}
const manager = () => people.manager.actor

const unlessRefused = <Result>(of: Promise<Result>) =>
  of.catch((error) => {
    if (error instanceof Refusal) return null
    throw error
  })

/** Expects rows, months, statements and payouts to agree, as the database and the rules count them. */
async function expectConsistent(agencyId: string) {
  const rows = await commissionsOf(world, agencyId)
  const payouts = await payoutsIn(world, agencyId)
  const plain = rows.map((row) => ({ ...row, on: dayOf(row.earnedAt) }))
  const transfers = payouts.map(({ amount, paidOn }) => ({ amount, on: paidOn }))
  const { months, sums } = await commissionMonths(world.db, manager(), agencyId)
  expect(sums).toEqual(sumsOf(plain))
  expect(sum(months.map(({ total }) => total))).toBe(sum(rows.map(({ amount }) => amount)))
  for (const one of sumsByMonth(plain)) expect(months).toContainEqual(expect.objectContaining(one))
  for (const { month, ...shown } of months) {
    expect(shown).toMatchObject(statementOf(plain, transfers, month))
    expect(await commissionMonth(world.db, manager(), agencyId, month)).toEqual({ month, ...shown })
    const listed = await commissionsOfMonth(world.db, manager(), agencyId, month)
    expect(sum(listed.map(({ amount }) => amount))).toBe(shown.total)
  }
  expect(sums.paid).toBe(sum(payouts.map(({ amount }) => amount)))
  expect(months[0]?.closing ?? 0).toBe(sums.pending + sums.approved)
  for (const payout of payouts)
    expect(sum(rows.filter(({ payoutId }) => payoutId === payout.id).map(({ amount }) => amount))).toBe(
      payout.amount,
    )
  const due = await payableCommissions(world.db, manager(), agencyId)
  expect(sum(due.map((line) => line.due))).toBe(sums.approved)
  for (const { id, standing } of due.filter(({ kind }) => kind === 'commission'))
    expect(standing, id).toBeGreaterThanOrEqual(0)
}

test('after any sequence of changes sums equal those of their rows, and payouts those of what they paid', async () => {
  const chance = dice(20_261_122)
  for (let step = 0; step < rounds(40); step++) {
    const now = new Date(start + step * 3 * day)
    const agencyId = chance.oneOf(both)
    const name = chance.oneOf(['earn', 'earn', 'follow', 'adjust', 'pay'])
    await steps[name]!(chance, agencyId, now)
    if (step % 8 === 7) for (const one of both) await expectConsistent(one)
  }
  const paid = await Promise.all(both.map((one) => payoutsIn(world, one)))
  expect(paid.every((payouts) => payouts.length > 0)).toBe(true)
})
