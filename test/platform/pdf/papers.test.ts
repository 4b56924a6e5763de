import { amountInWords } from '../../../src/app/papers.ts'
import { payments, quotes } from '../../../src/platform/database/schema/payments.ts'
import { digestOf } from '../../../src/quotes/benefit.ts'
import { optionNames } from '../../../src/quotes/rules/content.ts'
import { depositOf, totalsOfOption } from '../../../src/quotes/rules/totals.ts'
import { shortDate } from '../../../src/shared/format.ts'
import { storeVisit } from '../../kit/appointments.ts'
import {
  ago,
  analyst,
  customer,
  fixture,
  inParallel,
  manager,
  openOnce,
  sendJobsOnce,
  setRow,
  technician,
} from '../../kit/open.ts'
import { acceptQuote, rowsOf } from '../../kit/payments.ts'
import type { Home, Person } from '../../kit/people.ts'
import { content, line, option, type Quote, storeDraft } from '../../kit/quotes.ts'
import { expectWords } from '../../kit/reading.ts'
import { storeSheet } from '../../reports/installed.ts'
import { drawnOn, textOf } from '../../reports/pdf-text.ts'

openOnce()
sendJobsOnce()
let home: Home
beforeAll(async () => {
  home = await fixture.home(customer)
})

const offered = content({
  options: [
    option('essential', {
      lines: [
        line('cable', { description: 'Cable THHW 8 AWG', unit: 'm', quantity: 13_500, unitPrice: 483_750 }),
        line('permiso', { description: 'Permiso municipal', iva: 0, unitPrice: 750_0000 }),
        { id: 'd', kind: 'discount', description: 'Promoción', percent: 12_50, amount: null },
      ],
    }),
    option('recommended', { lines: [line('cable'), line('tubo')] }),
  ],
  depositPercent: 40,
  exclusions: 'Obra civil.\nPintura.',
})

/** A sent version, written straight into the database as its writer would. */
async function sent(input: Partial<Quote> = {}) {
  const visit = await storeVisit(fixture, customer, home, ago(86_400_000), {
    state: 'done',
  })
  const { address } = visit
  const draft = await storeDraft(fixture, visit, analyst, { content: offered })
  const addressee = 'Camila Prueba'
  const [quote] = await setRow(quotes, draft, {
    state: 'withdrawn',
    addressee,
    address,
    digest: digestOf({ ...draft, addressee, address }),
    sentAt: new Date(),
    sentBy: analyst.id,
    validUntil: new Date('2031-12-07T23:59:59-06:00'),
    ...input,
  }).returning()
  return quote!
}

const peso = (centavos: number) =>
  `$${String(Math.floor(centavos / 100)).replace(/\B(?=(\d{3})+$)/g, ',')}.${String(centavos % 100).padStart(2, '0')}`

async function pdf(path: string, who: Person) {
  const answer = await fixture.open(path, who)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/pdf')
  return { text: await textOf(new Uint8Array(await answer.clone().arrayBuffer())), answer }
}

const statusFor = async (path: string, who?: Person) => (await fixture.visit(path, who)).status

test('many papers asked for at once delay nobody else', async () => {
  const quote = await sent()
  const ask = (as: Person) => fixture.visit(`/papers/quote/${quote.id}.pdf`, as)
  const many = inParallel(12, () => ask(customer))
  expect([await ask(manager), await ask(analyst)].map(({ status }) => status)).toEqual([200, 200])
  const statuses = (await many).map(({ status }) => status)
  // Two at a time: whoever comes when one of them is done finds a place.
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
  expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(4)
  expect((await ask(customer)).status).toBe(200)
})

test('the document of a quote has the figures of the totals, and the digest', async () => {
  const quote = await sent({ state: 'sent' })
  const { answer, text } = await pdf(`/papers/quote/${quote.id}.pdf`, customer)
  expect(answer.headers.get('content-disposition')).toContain(`${quote.folio}-v1.pdf`)
  for (const one of offered.options) {
    const { discount, iva, lines, subtotal, total } = totalsOfOption(one)
    const figures = [...lines.map(({ gross }) => gross), subtotal, iva, total, depositOf(total, 40)]
    expectWords(text, optionNames[one.id], ...figures.map(peso))
    if (discount > 0) expect(text).toContain(`-${peso(discount)}`)
  }
  expectWords(
    text,
    quote.folio,
    'Versión 1',
    'Camila Prueba',
    'Calle Ejemplo 12',
    'domingo 7 de diciembre de 2031',
    'Cable THHW 8 AWG',
    '13.5 m',
    '$48.375',
    'Descuento: Promoción, 12.5 %',
    'Funda (con IVA $580.00)',
    'Opcional en Esencial: no está en el total',
    'ayuda@cargaencasa.mx',
    '12 meses',
    'Obra civil.',
    'Pintura.',
    'Lo de siempre.',
    'de recorrido, del tablero al cargador',
    '$348.00 con IVA',
  )
  // Side by side: what both include alike is not said again.
  const beside = text.slice(text.indexOf('lado a lado'), text.indexOf('Las partidas van'))
  const totals = offered.options.map((one) => peso(totalsOfOption(one).total))
  expectWords(beside, ...totals, 'Anticipo (40 %)', 'Permiso municipal', 'No incluye')
  expect(beside, 'nothing was measured').not.toContain('Base técnica')
  expect(text.replaceAll(' ', '')).toContain(quote.digest)
  // What lies a thousand points away is on no page.
  const drawn = drawnOn(Buffer.from(await answer.arrayBuffer())).join('\n')
  expect(drawn).not.toMatch(/\s-?\d{4,}(\.\d+)? cm/)
  await setRow(quotes, quote, { state: 'superseded' })
  expect((await pdf(`/papers/quote/${quote.id}.pdf`, customer)).text).toContain('ya no se puede aceptar')
})

test('the document of a quote says what its visit measured, in one line', async () => {
  const quote = await sent({ state: 'sent' })
  await storeSheet('visit', { id: quote.appointmentId }, technician)
  const { text } = await pdf(`/papers/quote/${quote.id}.pdf`, customer)
  expect(text).toContain(
    'Base técnica: interruptor de 40 A, cable 8 AWG, 22.5 m del tablero al cargador, ruta visible, cruza muros (block o tabique, concreto), suministro bifásico 220 V. NOM-001-SEDE-2012.',
  )
  await setRow(quotes, quote, { state: 'withdrawn' })
})

test('the document of a quote says what was agreed, by whom and when', async () => {
  const quote = await sent({ state: 'sent' })
  const { total } = totalsOfOption(offered.options[0]!, ['funda'])
  await setRow(quotes, quote, {
    state: 'accepted',
    acceptedOption: 'essential',
    acceptedAddOns: ['funda'],
    acceptedTotal: total,
    depositAmount: depositOf(total, 40),
    acceptedName: 'Camila Peña',
    acceptedDigest: quote.digest,
    acceptedAt: new Date('2026-11-24T18:00:00Z'),
  })
  const { text } = await pdf(`/papers/quote/${quote.id}.pdf`, manager)
  const accepted = 'Aceptada por Camila Peña el martes 24 de noviembre de 2026: Esencial + Funda'
  expectWords(text, accepted, `${peso(total)} con IVA`)
  // What was added is among the lines that the total adds up, and no longer optional.
  const { iva, subtotal } = totalsOfOption(offered.options[0]!, ['funda'])
  expectWords(text, ...[subtotal, iva, total].map(peso), '12.5 % de $1,403.06, sin adicionales')
  expect(text).not.toContain('Opcional en Esencial')
  await setRow(quotes, quote, { state: 'cancelled' })
})

test('the document of a quote exists only after sending', async () => {
  const quote = await sent({ state: 'sent' })
  expect(await statusFor(`/papers/quote/${quote.id}.pdf`, customer)).toBe(200)
  const visit = await storeVisit(fixture, customer, home, new Date(), { state: 'done' })
  const draft = await storeDraft(fixture, visit, analyst)
  expect(await statusFor(`/papers/quote/${draft.id}.pdf`, manager)).toBe(404)
  for (const nothing of ['quote/nada', 'toString/x', `receipt/${quote.id}`])
    expect(await statusFor(`/papers/${nothing}.pdf`, manager)).toBe(404)
  await setRow(quotes, quote, { state: 'withdrawn' })
})

test('a receipt says what came in, its IVA apart, once it is paid', async () => {
  const quote = await acceptQuote(customer, home, {
    content: offered,
    acceptedOption: 'essential',
    acceptedTotal: totalsOfOption(offered.options[0]!).total,
    depositAmount: 500_00,
  })
  const [asked] = await rowsOf(home.projectId)
  const path = `/papers/receipt/${asked!.id}.pdf`
  expect(await statusFor(path, customer)).toBe(404)
  const paidAt = new Date('2026-11-24T18:00:00Z')
  await setRow(payments, asked!, { state: 'paid', method: 'spei', paidAt, trackingKey: 'ABC12345' } as const)
  const { text } = await pdf(path, customer)
  const { iva, total } = totalsOfOption(offered.options[0]!)
  const within = Math.round((500_00 * iva) / total)
  expect(within).not.toBe(Math.round(500_00 - 500_00 / 1.16))
  expectWords(
    text,
    asked!.folio,
    quote.folio,
    'Camila Prueba',
    'Anticipo',
    'Transferencia SPEI',
    'ABC12345',

    'Quinientos pesos 00/100 M.N.',
    peso(500_00),
    peso(within),
    peso(500_00 - within),
    'martes 24 de noviembre de 2026',
    'no es una factura',
    'Falta de esta cotización',
    `${peso(total - 500_00)}, al ${shortDate(new Date())}`,
  )
})

test.each([
  [0, 'Cero pesos 00/100 M.N.'],
  [100, 'Un peso 00/100 M.N.'],
  [21_50, 'Veintiún pesos 50/100 M.N.'],
  [31_000_01, 'Treinta y un mil pesos 01/100 M.N.'],
  [1_001_05, 'Mil un pesos 05/100 M.N.'],
  [13_676_84, 'Trece mil seiscientos setenta y seis pesos 84/100 M.N.'],
  [1_000_000_00, 'Un millón de pesos 00/100 M.N.'],
  [2_000_000_00, 'Dos millones de pesos 00/100 M.N.'],
  [1_000_001_00, 'Un millón un pesos 00/100 M.N.'],
])('%s centavos are written as a cheque has them', (centavos, words) =>
  expect(amountInWords(centavos)).toBe(words),
)
