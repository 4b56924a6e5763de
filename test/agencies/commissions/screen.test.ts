import { randomUUID } from 'node:crypto'
import { syncCommissions } from '../../../src/agencies/commission-commands.ts'
import { commissionFolio } from '../../../src/agencies/rules/commissions.ts'
import { agree, earn, payoutsIn } from '../../kit/agencies.ts'
import { emailsOf } from '../../kit/delivered.ts'
import {
  ally,
  analyst,
  customer,
  db,
  expectNotOnPage,
  expectScreen,
  fixture,
  manager,
  openOnce,
  sendJobsOnce,
} from '../../kit/open.ts'
import { paper, sendForm } from '../../kit/payments.ts'
import type { Person } from '../../kit/people.ts'
import { expectAnswered, expectPage, expectStatuses, expectWords } from '../../kit/reading.ts'
import { textOf } from '../../reports/pdf-text.ts'

openOnce()
sendJobsOnce()
let path: string
let sale: Awaited<ReturnType<typeof earn>>
beforeAll(async () => {
  const agencyId = ally.agencyId!
  path = `/admin/agency/${agencyId}`
  await agree(agencyId, { commissionKind: 'percent', commissionValue: 10_00 })
  sale = await earn({ agencyId, finishedAt: new Date('2026-10-31T23:30:00-06:00') })
  await earn({ agencyId, net: 55_555_55, finishedAt: new Date('2026-11-01T00:30:00-06:00') })
  await syncCommissions(db, new Date(Date.UTC(2026, 10, 17)))
  fixture.at(new Date('2026-11-20T12:00:00-06:00'))
})

const comisiones = () => `${path}/comisiones`
const csv = (month = '2026-10') => `${path}/comisiones.csv?mes=${month}`
const pdf = (month = '2026-10') => `/papers/commissions/${ally.agencyId}~${month}.pdf`
const answered = async (address: string, who: Person) => {
  const answer = await fixture.open(address, who)
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
}

test('a manager adjusts a commission and pays the rest once from two tabs; invalid forms keep what was typed', async () => {
  const month = '2026-10'
  const october = `${comisiones()}?mes=${month}`
  const about = { commissionId: sale.row.id, standing: '123457', month, requestKey: randomUUID() }
  const adjust = (amount: string, reason: string) =>
    fixture.post(october, { intent: 'commissions.adjust', ...about, amount, reason }, manager)
  expectPage(await adjust('9,999', ''), 400, 'Escribe por qué se ajusta.', 'value="9,999"')
  expect((await adjust('234.57', 'Se devolvió una parte.')).location).toBe(october)
  await expectScreen(october, manager, '10 % de $12,345.67', 'Quedan $1,000.00', '$6,555.56')
  await expectScreen(comisiones(), manager, 'Ajuste: Se devolvió una parte.')

  const line = { [`line.${sale.row.id}`]: '100000', amount: '1,000.00' }
  const transfer = { paidOn: '2026-11-19', reference: 'MBAN0100', requestKey: randomUUID() }
  const send = (changes: Record<string, string> = {}, file: File | null = paper()) =>
    sendForm(
      fixture,
      comisiones(),
      { intent: 'commissions.pay', ...line, ...transfer, ...changes },
      manager,
      file,
    )
  expectPage(await send({ amount: '999.99' }), 400, 'Lo elegido suma $1,000.00. Revisa', 'value="MBAN0100"')
  await expectAnswered(send({}, null), 400)
  await expectAnswered(send({ paidOn: '2026-11-21' }), 400)
  expectStatuses(await Promise.all([send(), send({ requestKey: randomUUID() })]), 303, 409)
  expect(await payoutsIn(ally.agencyId!)).toMatchObject([{ amount: 1_000_00, paidOn: '2026-11-19' }])
  await expectScreen(comisiones(), manager, 'MBAN0100', 'jue 19 nov 2026', 'Partidas')
})

test('the statement of a month in Mexico City says the same as CSV and as PDF', async () => {
  const { bytes } = await answered(csv(), manager)
  const lines = bytes.toString('utf8').trim().split('\r\n')
  expect(lines[1]).toMatch(/^Saldo anterior,.*,0\.00,/)
  expect(lines[2]).toMatch(
    /^Comisión,31\/10\/2026,C-[0-9A-F]{8},VT-.*,"10 % de \$12,345\.67",,1234\.57,Pagada,19\/11\/2026,MBAN0100$/,
  )
  expect(lines.at(-1)).toMatch(/^Saldo al cierre de octubre 2026,.*,1234\.57,/)
  const november = (await answered(csv('2026-11'), manager)).bytes.toString('utf8')
  const amounts = [...november.matchAll(/,(-?\d+\.\d\d),/g)].map(([, amount]) => amount)
  // What it begins with, a commission, the adjustment of that day, the transfer, and what is left.
  expect(amounts).toEqual(['1234.57', '5555.56', '-234.57', '-1000.00', '5555.56'])
  const text = await textOf((await answered(pdf(), manager)).bytes)
  expectWords(text, 'Comisiones de octubre de 2026', '10 % de $12,345.67', '$1,234.57', 'Camila Prueba')
})

test('an ally reads the sums of months, and rows with folio and first name but no amounts, terms or last names', async () => {
  await expectScreen(comisiones(), ally, '$1,234.57')
  const csvText = (await answered(csv(), ally)).bytes.toString('utf8')
  const pdfText = await textOf((await answered(pdf(), ally)).bytes)
  const page = await fixture.visit(comisiones(), ally)
  const data = await fixture.data(comisiones(), ally)
  const secrets = [
    'Camila Prueba',
    '12,345.67',
    '1234567',
    '10 %',
    sale.installation.folio,
    sale.row.id,
    'MBAN0100.pdf',
  ]
  for (const text of [page.text, data.text, csvText, pdfText])
    for (const secret of secrets) expect(text).not.toContain(secret)
  expectWords(pdfText, 'Comisiones de octubre de 2026')
  const folio = commissionFolio(sale.row.id)
  const words = [folio, 'Camila', 'Pagada', 'MBAN0100']
  for (const text of [csvText, pdfText]) expectWords(text, ...words)
  await expectScreen(`${comisiones()}?mes=2026-10`, ally, ...words)
  const rows = csvText.trim().split('\r\n').slice(1)
  const amounts = rows.map((row) => Number(/,(-?\d+\.\d\d),/.exec(row)?.[1] ?? 0))
  expect(amounts.at(-1)).toBeCloseTo(amounts.slice(0, -1).reduce((sum, one) => sum + one, 0))
  expect(rows.find((row) => row.includes(folio))).not.toMatch(/\d\.\d\d/)
})

test('an ally reads the amounts of a month of fixed sums, not of one with a percentage', async () => {
  const agencyId = ally.agencyId!
  await agree(agencyId, { commissionKind: 'amount', commissionValue: 1_543_21 })
  for (const month of ['11', '12'])
    await earn({ agencyId, finishedAt: new Date(`2026-${month}-18T12:00:00-06:00`) })
  await expectScreen(
    `${comisiones()}?mes=2026-12`,
    ally,
    'Importe',
    'Por aprobar',
    'A partir del sáb 2 ene 2027, cuando',
  )
  await expectNotOnPage(`${comisiones()}?mes=2026-11`, ally, 'Importe')
})

test('finds no statement of an invalid month, and shows the receipt of a transfer to managers only', async () => {
  await expectAnswered(answered(csv('2026-13'), manager), 404)
  const [payout] = await payoutsIn(ally.agencyId!)
  const proof = `/documents/${payout!.proofId}`
  await expectAnswered(answered(proof, manager), 200)
  for (const who of [analyst, ally, customer]) await expectAnswered(answered(proof, who), 404)
})

test('emails the allies of the agency the sum of a transfer and no client', async () => {
  const [payout] = await payoutsIn(ally.agencyId!)
  const job = { letter: 'commission_paid', payoutId: payout!.id, to: 'allies' } as const
  const [email, ...more] = await emailsOf(db, job)
  expect([email!.to, more]).toEqual([ally.email, []])
  expectWords(email!.text, '$1,000.00')
  expect(email!.text).not.toContain('Camila')
})
