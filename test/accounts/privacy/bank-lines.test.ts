import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { deleteExpired, deleteFiscalData, forgetting } from '../../../src/accounts/privacy.ts'
import { retentionDays } from '../../../src/accounts/rules/privacy.ts'
import { decidedMovements } from '../../../src/payments/bank-matching.ts'
import { databaseFault } from '../../../src/platform/database/client.ts'
import { users } from '../../../src/platform/database/schema/accounts.ts'
import { bankLines, bankStatements } from '../../../src/platform/database/schema/payments.ts'
import { analyst, db, fixture, manager, openOnce, rowWhere, setRow, storeRows } from '../../kit/open.ts'
import { inDays, storeTransfer } from '../holdings.ts'

openOnce()
let statementId: string
beforeAll(async () => {
  const file = { name: 'a.csv', sha256: 'a', head: 0, headWords: '', columns: {}, readAt: new Date() }
  const [made] = await storeRows(bankStatements, { ...file, uploadedBy: manager.id })
  statementId = made!.id
})

const written = { description: 'SPEI RECIBIDO DE JUAN PEREZ', reference: '0042', trackingKey: null }

/** A movement of the bank, without a payment unless given. */
async function came(more: Partial<typeof bankLines.$inferInsert> = {}) {
  const line = { statementId, hash: randomUUID(), rowNumber: 2, bookedOn: '2026-11-20', amount: 100_00 }
  const [made] = await storeRows(bankLines, { ...line, ...written, trackingKey: randomUUID(), ...more })
  return made!
}

const decided = () => ({ decidedBy: manager.id, decidedAt: new Date() })

/** A payment by transfer with its movement. */
async function paid() {
  const customer = await fixture.person()
  const { projectId } = await fixture.home(customer)
  const { id: paymentId } = await storeTransfer(customer, projectId, { amount: 100_00 })
  return { customer, line: await came({ state: 'settled', paymentId, ...decided() }) }
}

const rowOf = async ({ id }: { id: string }) => (await rowWhere(bankLines, { id }))!
const empty = { description: '', reference: '', trackingKey: null }

test('deletes the bank’s words of movements without a payment first, those of payments after the tax term; facts stay', async () => {
  const open = await came()
  const ignored = await came({ state: 'ignored', reason: 'Un traspaso de Juan', ...decided() })
  const { line } = await paid()
  const { otherMovements, paidMovements } = retentionDays
  const expire = (days: number) => deleteExpired(db, inDays(days))
  expect(await expire(otherMovements - 1)).not.toHaveProperty('otherMovements')
  expect(await expire(otherMovements + 1)).toMatchObject({ otherMovements: 2 })
  expect(await expire(otherMovements + 1)).toEqual({})
  expect(await rowOf(open)).toEqual({ ...open, ...empty })
  expect(await rowOf(ignored)).toEqual({ ...ignored, ...empty, reason: '–' })
  expect(await rowOf(line)).toEqual(line)
  expect(await expire(paidMovements - 1)).not.toHaveProperty('paidMovements')
  expect(await expire(paidMovements + 1)).toMatchObject({ paidMovements: 1 })
  expect(await rowOf(line)).toEqual({ ...line, ...empty })
})

test('deletes an unfinished statement the next day, with all that the bank wrote in it', async () => {
  const draft = { name: 'b.csv', sha256: 'b', content: 'DE JUAN PEREZ', head: 0, headWords: '', columns: {} }
  await storeRows(bankStatements, { ...draft, uploadedBy: analyst.id })
  expect(await deleteExpired(db, inDays(0.9))).toEqual({})
  expect(await deleteExpired(db, inDays(1.1))).toEqual({ unreadStatements: 1 })
  expect(await db.select({ id: bankStatements.id }).from(bankStatements)).toEqual([{ id: statementId }])
})

test('deletes the bank’s words of a deleted customer’s payments with the fiscal data; until then only the manager reads them', async () => {
  const { customer, line } = await paid()
  const other = await paid()
  const reads = async ({ actor }: typeof analyst) =>
    (await decidedMovements(db, actor)).some(({ id }) => id === line.id)
  expect([await reads(analyst), await reads(manager)]).toEqual([true, true])
  await setRow(users, customer, { deletedAt: new Date() })
  expect([await reads(analyst), await reads(manager)]).toEqual([false, true])
  expect(await deleteFiscalData(db, inDays(retentionDays.fiscal + 1))).toBe(1)
  expect(await deleteFiscalData(db, inDays(retentionDays.fiscal + 1))).toBe(0)
  expect(await rowOf(line)).toEqual({ ...line, ...empty })
  expect(await rowOf(other.line)).toEqual(other.line)
})

test('lets nothing else of a settled movement change, and only in a deletion', async () => {
  const { line } = await paid()
  const named = (error: unknown) => databaseFault(error).constraint
  const change = (set: ReturnType<typeof sql>, open = true) =>
    db
      .transaction(async (tx) => {
        if (open) await tx.execute(forgetting)
        await tx.execute(sql`update bank_lines set ${set} where id = ${line.id}`)
      })
      .then(() => 'done', named)
  const emptied = sql`description = '', reference = '', tracking_key = null`
  expect(await change(emptied, false)).toBe('bank_lines_frozen')
  for (const more of [
    sql`amount = 1`,
    sql`state = 'recorded'`,
    sql`booked_on = '2020-01-01'`,
    sql`hash = 'x'`,
  ])
    expect(await change(sql`${emptied}, ${more}`)).toBe('bank_lines_frozen')
  expect(await change(sql`description = 'Otra cosa'`)).toBe('bank_lines_frozen')
  expect(await change(emptied)).toBe('done')
})
