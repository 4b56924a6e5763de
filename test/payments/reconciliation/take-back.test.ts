import { ignoreLine, lockLine } from '../../../src/payments/bank-matching.ts'
import { takeBackStatement } from '../../../src/payments/statements.ts'
import { transaction } from '../../../src/platform/database/client.ts'
import { bankStatements } from '../../../src/platform/database/schema/payments.ts'
import { events } from '../../../src/platform/database/schema/projects.ts'
import {
  analyst,
  db,
  expectRow,
  expectScreen,
  manager,
  markupOf,
  openOnce,
  post,
  rowsWhere,
  runSql,
} from '../../kit/open.ts'
import { bank, came, csv, lineOf, linesOf, reads } from '../../kit/payments.ts'
import { expectAnswered, expectShown } from '../../kit/reading.ts'

openOnce({ MODULES: 'payments' })
beforeEach(() => runSql`truncate bank_lines, bank_statements`)

const text = () =>
  csv(came('20/11/2026', '5,000.00', { key: 'SALDO001' }), came('21/11/2026', '700.00', { key: 'SALDO002' }))
const takeBack = (statementId: string, who = analyst) =>
  post(bank, { intent: 'take-back-statement', statementId }, who)
const button = 'Deshacer la importación'

test('a file read by the wrong column is taken back once, and read by the right one', async () => {
  const file = text()
  await reads(analyst, file, 'noviembre.csv', { credit: '6', debit: '', 'entra.': 'in' })
  const amounts = async () => (await linesOf()).map(({ amount }) => amount)
  expect(await amounts()).not.toContain(5_000_00)
  await expectScreen(bank, analyst, `${button} de noviembre.csv`)
  const { statementId } = await lineOf('SALDO001')
  for (const who of [manager, analyst]) await expectAnswered(takeBack(statementId, who), 303)
  expect([await linesOf(), await rowsWhere(bankStatements)]).toEqual([[], []])
  const made = { actorId: manager.id, data: { lines: 2, columns: { credit: 6 } } }
  await expectRow(events, { entityId: statementId, name: 'take_back' }, made)
  await reads(analyst, file)
  expect(await amounts()).toEqual([5_000_00, 700_00])
})

test('a file with a decided movement, or not read yet, is not taken back', async () => {
  await reads(analyst, text())
  const { id, statementId } = await lineOf('SALDO002')
  await post(bank, { intent: 'ignore-line', lineId: id, reason: 'Un traspaso' }, analyst)
  expect(await markupOf(bank, analyst)).not.toContain(button)
  expectShown(await takeBack(statementId), 409, 'Alguien quitó de la lista movimientos de este archivo.')
  expect(await linesOf()).toHaveLength(2)
  await post(bank, { intent: 'reopen-line', lineId: id }, manager)
  await expectScreen(bank, analyst, button)
  await db.update(bankStatements).set({ content: 'a,b', readAt: null })
  await expectAnswered(takeBack(statementId), 404)
  expect(await linesOf()).toHaveLength(2)
})

/** Until so many of this database's connections stand behind someone's lock. */
async function waiting(count: number) {
  await expect
    .poll(async () => {
      const { rows } = await runSql<{ count: number }>`select count(*)::int as count
        from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return rows[0]!.count
    })
    .toBe(count)
}

test.each([
  ['a decision that comes first keeps its file', 'ignore', 'failed-precondition'],
  ['a file that is taken back first ends the decision', 'take back', 'not-found'],
] as const)('at the same moment %s', async (_, first, code) => {
  const actor = analyst.actor
  await reads(analyst, text())
  const { id, statementId } = await lineOf('SALDO001')
  const takesBack = () => takeBackStatement(db, actor, statementId)
  const ignores = () => ignoreLine(db, actor, { lineId: id, reason: 'Un traspaso' }, new Date())
  const tried = first === 'ignore' ? [ignores, takesBack] : [takesBack, ignores]
  const under: Promise<PromiseSettledResult<void>[]>[] = []
  await transaction(db, async (tx) => {
    await lockLine(tx, id)
    for (const [n, go] of tried.entries()) {
      under.push(Promise.allSettled([go()]))
      await waiting(n + 1)
    }
  })
  const [one, other] = (await Promise.all(under)).flat()
  expect(one).toMatchObject({ status: 'fulfilled' })
  expect(other).toMatchObject({ status: 'rejected', reason: { code } })
  const left = (await linesOf()).map(({ state }) => state).toSorted()
  expect(left).toEqual(first === 'ignore' ? ['ignored', 'open'] : [])
  expect(await db.$count(bankStatements)).toBe(first === 'ignore' ? 1 : 0)
})
