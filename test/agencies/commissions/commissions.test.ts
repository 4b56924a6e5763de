import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import {
  adjustCommission,
  commissionFor,
  syncCommissions,
} from '../../../src/agencies/commission-commands.ts'
import { payableCommissions, statementFor } from '../../../src/agencies/commission-queries.ts'
import { transaction } from '../../../src/platform/database/client.ts'
import { commissions } from '../../../src/platform/database/schema/agencies.ts'
import { documents, quotes } from '../../../src/platform/database/schema/payments.ts'
import { localDate, toMinutes } from '../../../src/shared/calendar.ts'
import {
  agree,
  begunSale,
  commissionsOf,
  day,
  earn,
  installed,
  payLines,
  payoutsIn,
  payWhole,
  sell,
} from '../../kit/agencies.ts'
import { around, hour } from '../../kit/appointments.ts'
import {
  ago,
  ally,
  db,
  expectCount,
  expectRowsIn,
  inParallel,
  manager,
  openEach,
  runSql,
  sendJobs,
  setRow,
  technician,
} from '../../kit/open.ts'
import { expectTwice } from '../../kit/reading.ts'
import { press } from '../../reports/phone.ts'

let agencyId: string
openEach(async () => {
  agencyId = ally.agencyId!
  await agree(agencyId, { commissionKind: 'percent', commissionValue: 10_00 })
})
sendJobs()

const aDay = (of: string) => new Date(`${of}T12:00:00-06:00`)
/** Expects a change to be refused with a code, and some words under a field or above the form. */
const expectFault = (change: Promise<unknown>, code: string, words = '') =>
  expect(
    change.catch(({ code, description, details }) => [
      code,
      Object.values(details?.errors ?? {})[0] ?? description,
    ]),
  ).resolves.toEqual([code, expect.stringContaining(words)])
const adjust = (commissionId: string, input: Partial<Parameters<typeof adjustCommission>[3]> = {}) => {
  const form = { commissionId, amount: 200_00, standing: 1_234_57, reason: 'Faltó un material.' }
  const whole = { ...form, requestKey: randomUUID(), ...input }
  return adjustCommission(db, manager.actor, agencyId, whole, new Date())
}

test('a commission is recorded once, by the terms of that day, when the technician sends the record', async () => {
  const { quote, work } = await begunSale(agencyId)
  await expectTwice(() => press(technician, work, 'submit', around(work, 3 * hour)), 200)
  expect(await commissionsOf(agencyId)).toMatchObject([
    {
      kind: 'commission',
      state: 'pending',
      amount: 1_234_57,
      basis: 12_345_67,
      termsKind: 'percent',
      termsValue: 10_00,
      appointmentId: work.id,
      quoteId: quote.id,
      earnedAt: around(work, 3 * hour),
    },
  ])
  await agree(agencyId, { commissionKind: 'amount', commissionValue: 1 })
  expect(await commissionsOf(agencyId)).toMatchObject([{ amount: 1_234_57, termsValue: 10_00 }])
})

test('a commission is recorded once for eight requests at once, not without an agency, terms or a completed installation, or twice for a quote', async () => {
  const written = (id: string) => transaction(db, (tx) => commissionFor(tx, { appointmentId: id }))
  expect(await written((await sell({})).installation.id)).toBe(false)
  const { installation } = await sell({ agencyId })
  expect((await inParallel(8, () => written(installation.id))).filter(Boolean)).toHaveLength(1)
  const { customer, home } = await earn({ agencyId })
  expect(await written((await installed(customer, home, new Date())).id)).toBe(false)
  const begun = await sell({ agencyId })
  await runSql`update appointments set outcome = 'partial', closing_reason = 'clima' where id = ${begun.installation.id}`
  expect(await written(begun.installation.id)).toBe(false)
  await agree(agencyId, { commissionKind: 'percent', commissionValue: 0 })
  expect(await written((await sell({ agencyId })).installation.id)).toBe(false)
  expect(await commissionsOf(agencyId)).toHaveLength(2)
})

test('approves a paid commission and its adjustment from the fifteenth day on, once for two rounds at once', async () => {
  const sale = await earn({ agencyId, finishedAt: aDay('2026-11-01'), isPaid: false })
  await adjust(sale.row.id)
  expect(await syncCommissions(db, aDay('2026-11-20'))).toBe(0)
  await payWhole(sale)
  expect(await syncCommissions(db, aDay('2026-11-15'))).toBe(0)
  expect((await inParallel(2, () => syncCommissions(db, aDay('2026-11-16')))).toSorted()).toEqual([0, 1])
  expect(await commissionsOf(agencyId)).toMatchObject([
    { kind: 'commission', state: 'approved' },
    { kind: 'adjustment', state: 'approved' },
  ])
})

test('does not approve a commission whose quote is no longer accepted', async () => {
  const { quote } = await earn({ agencyId, finishedAt: aDay('2026-09-01') })
  await setRow(quotes, quote, { state: 'cancelled' })
  expect(await syncCommissions(db, aDay('2026-11-16'))).toBe(0)
})

test('an adjustment takes off no more than stands, of a commission of the agency, once when sent twice', async () => {
  const { row } = await earn({ agencyId })
  const requestKey = randomUUID()
  await Promise.all([adjust(row.id, { requestKey }), adjust(row.id, { requestKey })])
  expect((await commissionsOf(agencyId)).map(({ amount, state }) => [amount, state])).toEqual([
    [1_234_57, 'pending'],
    [-200_00, 'pending'],
  ])
  await expectFault(adjust(randomUUID()), 'not-found')
  await expectFault(
    adjust(row.id, { amount: 1 }),
    'aborted',
    'Mientras tanto se ajustó: ahora quedan $1,034.57.',
  )
  const more = adjust(row.id, { amount: 1_034_58, standing: 1_034_57 })
  await expectFault(more, 'invalid-argument', 'Quita como máximo $1,034.57.')
  await adjust(row.id, { amount: 1_034_57, standing: 1_034_57 })
  const none = adjust(row.id, { amount: 1, standing: 0 })
  await expectFault(none, 'invalid-argument', 'Ya no queda nada de esta comisión.')
})

test('an adjustment appears in the rows and the sums of a statement together', async () => {
  const { row } = await earn({ agencyId })
  const month = localDate(toMinutes(new Date())).slice(0, 7)
  for (let round = 0; round < 4; round++) {
    const statements = Array.from({ length: 4 }, () => statementFor(db, manager.actor, agencyId, month))
    await adjust(row.id, { amount: 1, standing: 1_234_57 - round })
    for (const read of await Promise.all(statements)) {
      const listed = read!.lines.reduce((sum, { amount }) => sum + amount, 0)
      expect(listed).toBe(read!.sums.earned + read!.sums.adjusted)
    }
  }
})

const approved = async (net = 12_345_67) => {
  const sale = await earn({ agencyId, net, finishedAt: ago(20 * day) })
  await syncCommissions(db, new Date())
  return sale.row.id
}

test('a payout pays its rows once for eight requests at once, keeps one receipt, and answers the same form the same', async () => {
  const first = await approved()
  const second = await approved(20_000_00)
  await adjust(first)
  const lines = { [first]: 1_034_57, [second]: 2_000_00 }
  const all = Array.from({ length: 8 }, () => payLines(manager, agencyId, lines))
  const refused = (await Promise.allSettled(all)).filter(({ status }) => status === 'rejected')
  expect(refused).toMatchObject(Array(7).fill({ reason: { code: 'failed-precondition' } }))
  const [payout, ...more] = await payoutsIn(agencyId)
  expect([payout!.amount, more]).toEqual([3_034_57, []])
  for (const row of await commissionsOf(agencyId))
    expect(row).toMatchObject({ state: 'paid', payoutId: payout!.id })
  await expectCount(documents, { agencyId }, 1)
  const line = { [await approved()]: 1_234_57 }
  const requestKey = randomUUID()
  const send = () => payLines(manager, agencyId, line, { requestKey })
  const [once] = await Promise.all([send(), send()])
  expect(await send()).toBe(once)
  expect(await payoutsIn(agencyId)).toHaveLength(2)
})

test('a payout is refused when its sum, receipt or rows are not as shown, or come to nothing', async () => {
  const id = await approved()
  const { row: early } = await earn({ agencyId })
  const pay = (lines: Record<string, number>, changes = {}) => payLines(manager, agencyId, lines, changes)
  const whole = { [id]: 1_234_57 }
  await expectFault(pay(whole, { amount: 1_234_56 }), 'invalid-argument', 'Lo elegido suma $1,234.57. Revisa')
  await expectFault(pay(whole, { file: null }), 'invalid-argument', 'Elige el comprobante')
  await expectFault(pay({}), 'invalid-argument', 'Elige al menos una comisión.')
  await expectFault(pay({ [early.id]: 1_234_57 }), 'failed-precondition')
  await expectFault(pay({ [randomUUID()]: 1_00 }), 'not-found')
  await adjust(id)
  await expectFault(pay(whole), 'aborted')
  expect(await payoutsIn(agencyId)).toEqual([])
  await pay({ [id]: 1_034_57 })
  // An adjustment of a paid commission is taken off the next payout.
  await adjust(id, { amount: 34_57, standing: 1_034_57 })
  const [line] = await payableCommissions(db, manager.actor, agencyId)
  expect(line).toMatchObject({ kind: 'adjustment', due: -34_57, standing: -34_57 })
  await expectFault(pay({ [line!.id]: -34_57 }), 'invalid-argument', 'no hay nada que transferir.')
  await pay({ [await approved()]: 1_234_57, [line!.id]: -34_57 })
  expect((await payoutsIn(agencyId)).map(({ amount }) => amount).toSorted()).toEqual([1_034_57, 1_200_00])
})

test('a payout cannot be changed or mismatched in the database', async () => {
  const id = await approved()
  const payout = await payLines(manager, agencyId, { [id]: 1_234_57 })
  const fault = (statement: ReturnType<typeof sql>) =>
    db.execute(statement).then(
      () => 'done',
      ({ cause }) => cause.constraint,
    )
  for (const statement of [
    sql`update commissions set amount = 1 where id = ${id}`,
    sql`update commissions set state = 'approved', payout_id = null where id = ${id}`,
    sql`delete from commissions where id = ${id}`,
  ])
    expect(await fault(statement)).toBe('commissions_frozen')
  expect(await fault(sql`update commission_payouts set amount = 1 where id = ${payout}`)).toBe(
    'commission_payouts_frozen',
  )
  const open = await approved(1_000_00)
  expect(
    await fault(sql`update commissions set state = 'paid', payout_id = ${payout} where id = ${open}`),
  ).toBe('commission_payouts_matched')
  const copied = sql`insert into commissions (kind, agency_id, project_id, quote_id, appointment_id, adjusts_id, terms_kind,
      terms_value, amount, reason, made_by, earned_at)
    select 'adjustment', agency_id, project_id, quote_id, appointment_id, id, terms_kind, terms_value, -10001, 'x',
      ${manager.id}, now() from commissions where id = ${open}`
  expect(await fault(copied)).toBe('commissions_covered')
  await expectRowsIn(commissions, { kind: 'adjustment' }, [])
})
