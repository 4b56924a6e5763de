import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { openMovements } from '../../../src/server/payments/bank-matching.ts'
import { bankLines } from '../../../src/server/platform/database/schema/payments.ts'
import { openOnce, people, sendJobsOnce, world } from '../../kit/open.ts'
import { account, bank, came, csv, linesOf, owing, reads, set } from '../../kit/payments.ts'
import { expectLeadsTo } from '../../kit/reading.ts'

openOnce({ MODULES: 'payments' })
sendJobsOnce()
beforeAll(async () => {
  await set(world, { spei: account })
})
beforeEach(() => world.db.execute(sql`truncate bank_lines, bank_statements`))

/** Of consecutive days and different amounts. */
const rows = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    came(`${(n % 28) + 1}/${Math.floor(n / 28) + 1}/2026`, `${n + 1}.00`),
  )

test('an analyst stays on the page of a movement they decide, while anything is on it', async () => {
  await reads(world, people.analyst, csv(...rows(102)))
  const all = await linesOf(world)
  const second = `${bank}?after=${all[99]!.id}`
  const ignore = (n: number) =>
    world.post(second, { intent: 'ignore-line', lineId: all[n]!.id, reason: 'Un traspaso' }, people.analyst)
  await expectLeadsTo(ignore(100), second)
  const shown = async (after: string) => {
    const { isFirst, lines, next } = await openMovements(world.db, people.analyst.actor, after)
    return [lines.length, isFirst, next]
  }
  expect(await shown(all[99]!.id)).toEqual([1, false, null])
  await ignore(101)
  expect(await shown(all[99]!.id)).toEqual([100, true, null])
  // What it begins behind is gone, or never was.
  await world.db.delete(bankLines).where(eq(bankLines.id, all[50]!.id))
  expect(await shown(all[50]!.id)).toEqual([99, true, null])
  expect(await shown('no-id')).toEqual([99, true, null])
})

test('two movements of an amount are proposed for nobody, on whatever pages they are', async () => {
  const { demand } = await owing(world)
  await reads(world, people.analyst, csv(came('01/01/2025', '5,000.00'), ...rows(100)))
  const proposed = async () =>
    (await openMovements(world.db, people.analyst.actor)).matches.map(({ payment }) => payment.id)
  expect(await proposed()).toEqual([demand.id])
  await reads(world, people.analyst, csv(came('20/11/2026', '5,000.00')))
  expect(await proposed()).toEqual([])
})
