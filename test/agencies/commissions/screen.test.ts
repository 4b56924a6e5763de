import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { commissionFolio } from '../../../src/domain/agencies/commissions.ts'
import { syncCommissions } from '../../../src/server/agencies/commission-commands.ts'
import { agree, earn, payoutsIn } from '../../kit/agencies.ts'
import { emailsOf } from '../../kit/delivered.ts'
import { openOnce, people, sendJobsOnce, world } from '../../kit/open.ts'
import { paper, sendForm } from '../../kit/payments.ts'
import type { Person } from '../../kit/people.ts'
import { readable } from '../../kit/reading.ts'
import { textOf } from '../../reports/pdf-text.ts'

openOnce()
sendJobsOnce()
let path: string
let sale: Awaited<ReturnType<typeof earn>>
beforeAll(async () => {
  const agencyId = people.ally.agencyId!
  path = `/admin/agency/${agencyId}`
  await agree(world, agencyId, { commissionKind: 'percent', commissionValue: 10_00 })
  sale = await earn(world, { agencyId, finishedAt: new Date('2026-10-31T23:30:00-06:00') })
  await earn(world, { agencyId, net: 55_555_55, finishedAt: new Date('2026-11-01T00:30:00-06:00') })
  await syncCommissions(world.db, new Date(Date.UTC(2026, 10, 17)))
  world.at(new Date('2026-11-20T12:00:00-06:00'))
})

const comisiones = () => `${path}/comisiones`
const csv = (month = '2026-10') => `${path}/comisiones.csv?mes=${month}`
const pdf = (month = '2026-10') => `/papers/commissions/${people.ally.agencyId}~${month}.pdf`
const answered = async (address: string, who: Person) => {
  const answer = await world.open(address, who)
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
}

test('the manager takes something off, and pays the rest: two tabs pay once, and wrong words lose nothing', async () => {
  const adjusting = {
    intent: 'commissions.adjust',
    commissionId: sale.row.id,
    standing: '123457',
    month: '2026-10',
    amount: '234.57',
    reason: 'Se devolvió una parte.',
    requestKey: randomUUID(),
  }
  const wrong = await sendForm(
    world,
    `${comisiones()}?mes=2026-10`,
    { ...adjusting, amount: '9,999', reason: '' },
    people.manager,
  )
  expect(wrong.status).toBe(400)
  for (const words of ['Escribe por qué se ajusta.', 'value="9,999"'])
    expect(wrong.text.includes(words), words).toBe(true)
  const adjusted = await sendForm(world, `${comisiones()}?mes=2026-10`, adjusting, people.manager)
  expect([adjusted.status, adjusted.location]).toEqual([303, `${comisiones()}?mes=2026-10`])
  const october = readable(await world.visit(adjusted.location!, people.manager))
  for (const words of ['10 % de $12,345.67', 'Quedan $1,000.00', '$6,555.56'])
    expect(october).toContain(words)
  const november = readable(await world.visit(comisiones(), people.manager))
  expect(november).toContain('Ajuste: Se devolvió una parte.')

  const paying = {
    intent: 'commissions.pay',
    [`line.${sale.row.id}`]: '100000',
    requestKey: randomUUID(),
    amount: '1,000.00',
    paidOn: '2026-11-19',
    reference: 'MBAN0100',
  }
  const send = (changes: Record<string, string> = {}, file: File | null = paper()) =>
    sendForm(world, comisiones(), { ...paying, ...changes }, people.manager, file)
  const answers = [
    await send({ amount: '999.99' }),
    await send({}, null),
    await send({ paidOn: '2026-11-21' }),
    await send({ [`line.${sale.row.id}`]: '123457' }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 409])
  for (const words of ['Lo elegido suma $1,000.00. Revisa', 'value="MBAN0100"'])
    expect(answers[0]!.text.includes(words), words).toBe(true)
  expect(await payoutsIn(world, people.ally.agencyId!)).toEqual([])
  const other = { requestKey: randomUUID() }
  const tabs = await Promise.all([send(), send(other)])
  expect(tabs.map(({ status }) => status).toSorted()).toEqual([303, 409])
  const again = [await send(), await send(other)]
  expect(again.map(({ status }) => status)).toEqual(tabs.map(({ status }) => status))
  const [payout, ...more] = await payoutsIn(world, people.ally.agencyId!)
  expect([payout?.amount, payout?.paidOn, more]).toEqual([1_000_00, '2026-11-19', []])
  const page = readable(await world.visit(comisiones(), people.manager))
  for (const words of ['MBAN0100', 'jue 19 nov 2026', 'Partidas']) expect(page).toContain(words)
})

test('months follow Mexico City, and the statement says the same on the screen, as PDF and as CSV', async () => {
  const { bytes } = await answered(csv(), people.manager)
  const lines = bytes.toString('utf8').trim().split('\r\n')
  expect(lines[1]).toMatch(/^Saldo anterior,.*,0\.00,/)
  expect(lines[2]).toMatch(
    /^Comisión,31\/10\/2026,C-[0-9A-F]{8},VT-.*,"10 % de \$12,345\.67",,1234\.57,Pagada,19\/11\/2026,MBAN0100$/,
  )
  expect(lines.at(-1)).toMatch(/^Saldo al cierre de octubre 2026,.*,1234\.57,/)
  const november = (await answered(csv('2026-11'), people.manager)).bytes.toString('utf8')
  const importes = november
    .trim()
    .split('\r\n')
    .slice(1)
    .map((one) => one.match(/,(-?\d+\.\d\d),/)![1])
  // What it begins with, a commission, the adjustment of that day, the transfer, and what is left.
  expect(importes).toEqual(['1234.57', '5555.56', '-234.57', '-1000.00', '5555.56'])
  const text = await textOf((await answered(pdf(), people.manager)).bytes)
  for (const words of ['Comisiones de octubre de 2026', '10 % de $12,345.67', '$1,234.57', 'Camila Prueba'])
    expect(text).toContain(words)
})

test('an ally reads what their agency’s months come to, and their rows without amounts, terms or full names', async () => {
  const page = await world.visit(comisiones(), people.ally)
  expect(readable(page)).toContain('$1,234.57')
  const texts = [
    page.text,
    (await world.data(comisiones(), people.ally)).text,
    (await answered(csv(), people.ally)).bytes.toString('utf8'),
    await textOf((await answered(pdf(), people.ally)).bytes),
  ]
  const secrets = [
    'Camila Prueba',
    '12,345.67',
    '1234567',
    '10 %',
    sale.installation.folio,
    sale.row.id,
    'MBAN0100.pdf',
  ]
  for (const text of texts) for (const secret of secrets) expect(text).not.toContain(secret)
  expect(texts[3]).toContain('Comisiones de octubre de 2026')
  // By these the agency finds each row in its own books.
  const folio = commissionFolio(sale.row.id)
  const october = readable(await world.visit(`${comisiones()}?mes=2026-10`, people.ally))
  for (const text of [october, texts[2]!, texts[3]!])
    for (const words of [folio, 'Camila', 'Pagada', 'MBAN0100']) expect(text).toContain(words)
  const rows = texts[2]!.trim().split('\r\n').slice(1)
  const importes = rows.map((row) => Number(/,(-?\d+\.\d\d),/.exec(row)?.[1] ?? 0))
  expect(importes.at(-1)).toBeCloseTo(importes.slice(0, -1).reduce((sum, one) => sum + one, 0))
  expect(rows.find((row) => row.includes(folio))).not.toMatch(/\d\.\d\d/)
})

test('for everybody else there is nothing', async () => {
  for (const who of [people.analyst, people.technician]) {
    const { text } = await world.visit(comisiones(), who)
    for (const secret of ['1,234.57', 'Estados de cuenta']) expect(text).not.toContain(secret)
  }
  expect((await answered(csv('2026-13'), people.manager)).status).toBe(404)
  const [payout] = await payoutsIn(world, people.ally.agencyId!)
  const proof = `/documents/${payout!.proofId}`
  expect((await answered(proof, people.manager)).status).toBe(200)
  for (const who of [people.analyst, people.ally, people.customer])
    expect((await answered(proof, who)).status).toBe(404)
})

test('the agency’s allies hear of a transfer by letter: its sum, and no client', async () => {
  const [payout] = await payoutsIn(world, people.ally.agencyId!)
  const job = { letter: 'commission_paid', payoutId: payout!.id, to: 'allies' } as const
  const letters = await emailsOf(world.db, job)
  expect(letters.map(({ to }) => to)).toEqual([people.ally.email])
  expect(letters[0]!.text).toContain('$1,000.00')
  expect(letters[0]!.text).not.toContain('Camila')
})
