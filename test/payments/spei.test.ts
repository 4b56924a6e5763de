import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { cancelCharges } from '../../src/payments/charges.ts'
import { transaction } from '../../src/platform/database/client.ts'
import { documents, payments, quotes } from '../../src/platform/database/schema/payments.ts'
import { paperKey } from '../../src/platform/storage/drive.ts'
import { lapseQuotes } from '../../src/quotes/jobs.ts'
import { centavosOf } from '../../src/shared/money.ts'
import { fileOf, pdf } from '../documents/samples.ts'
import { emailsOf } from '../kit/delivered.ts'
import {
  analyst,
  fixture as app,
  customer,
  customer2,
  eventsAbout,
  expectNotOnPage,
  expectScreen,
  expectTrail,
  fromNow,
  manager,
  markupOf,
  openEach,
  rowsWhere,
  sendJobs,
  sentAbout,
  setRow,
} from '../kit/open.ts'
import {
  acceptQuote,
  account,
  confirming,
  demandOf,
  office,
  prove,
  recording,
  refundsOf,
  rowsOf,
  sendForm,
  set,
  wordsOf,
} from '../kit/payments.ts'
import type { Home } from '../kit/people.ts'
import {
  expectAnswered,
  expectPage,
  expectShown,
  expectTwice,
  expectWords,
  statusesOf,
} from '../kit/reading.ts'

let home: Home
openEach(async () => {
  home = await app.home(customer)
  await acceptQuote(customer, home)
  await set(app, { spei: account })
})
sendJobs()

type Form = Record<string, string>
const demand = async () =>
  ((await demandOf(home.projectId)) ?? (await demandOf(home.projectId, 'visit_fee')))!
const stored = () => rowsOf(home.projectId)
const rows = async () => wordsOf(await stored())
const send = (more: Form = {}, file?: File | null) => prove(customer, home.projectId, more, file)
const post = (form: Form, as = analyst) => app.post(office(home.projectId), form, as)
/** What the amount leaves to pay is confirmed. */
const confirm = async (amount: string, as = analyst, of = demand()) =>
  post(confirming(await of, amount, { sure: String(centavosOf(amount)) }), as)
const reject = async (reason: string) =>
  post(confirming(await demand(), '', { intent: 'reject-proof', reason }))
const expectOwn = (...words: string[]) => expectScreen('/payments', customer, ...words)
const expectOffice = (...words: string[]) => expectScreen(office(home.projectId), analyst, ...words)

test('the customer reads how much to transfer, and where to', async () => {
  const { folio } = await demand()
  await expectOwn(
    'Pagos realizados',
    'Anticipo',
    '$5,000.00',
    '646 180 15700000000 4',
    'Carga en Casa',
    folio,
  )
})

test('no transfer is offered or accepted without an account', async () => {
  await set(app, {})
  await expectNotOnPage('/payments', customer, 'Transfiere')
  await expectAnswered(send(), 409)
  expect(await rows()).toEqual(['deposit pending 5000'])
})

test('a proof waits for a review, of which customer and managers are emailed; sent twice it is one', async () => {
  const { version } = await demand()
  await expectTwice(() => send({ version: String(version) }))
  const row = await demand()
  expect(row).toMatchObject({
    state: 'in_review',
    method: 'spei',
    bank: '012',
    trackingKey: 'MBAN01002411',
  })
  expect(await rowsWhere(documents)).toMatchObject([{ id: row.proofId, purpose: 'payment_proof' }])
  const emails = await sentAbout(row, 'proof_received')
  expect(emails.toSorted()).toEqual(['proof_received to customer', 'proof_received to managers'])
  await expectOwn(
    'Estamos revisando tu transferencia',
    'Lo revisamos en 1 día hábil',
    'Revisamos tu comprobante de $5,000.00.',
    'Retirar mi comprobante',
  )
  await expectNotOnPage('/payments', customer, 'Te toca pagar')
  await expectScreen('/', customer, 'revisando tu comprobante')
})

test('a proof is refused without its key or its file, and what was typed stays', async () => {
  expectPage(await send({ trackingKey: '', bank: '' }, null), 400, 'Escribe la clave de rastreo')
  expectPage(await send({ trackingKey: 'ABC 123-45' }, null), 400, 'Elige el comprobante', 'ABC 123-45')
  await expectAnswered(send({}, fileOf('no es un PDF', 'algo.pdf')), 400)
  expect(await rows()).toEqual(['deposit pending 5000'])
})

test('a proof is refused as a picture too small to read', async () => {
  const picture = async (side: number) => {
    const drawn = sharp({ create: { width: side, height: side, channels: 3, background: '#fff' } })
    return fileOf(new Uint8Array(await drawn.png().toBuffer()), 'captura.png', 'image/png')
  }
  expectPage(await send({}, await picture(200)), 400, 'muy pequeña')
  await expectAnswered(send({}, await picture(640)), 303)
})

test('a proof of a transfer that paid something else is refused, however its key is written', async () => {
  const other = await app.home(customer2)
  await acceptQuote(customer2, other)
  await prove(customer2, other.projectId)
  expectPage(await send({ trackingKey: 'mban 0100 2411' }), 409, 'ya está en otro pago')
  expect(await rows()).toEqual(['deposit pending 5000'])
  await expectAnswered(send({ bank: '014' }), 303)
})

describe('the review of a proof', () => {
  beforeEach(() => send())

  test('confirms what came once, whatever was asked for', async () => {
    const form = confirming(await demand(), '4,800', { sure: '480000' })
    await expectTwice(() => post(form))
    expect(await rows()).toEqual(['deposit paid 4800', 'deposit pending 200'])
    const [paid] = await stored()
    expect(paid).toMatchObject({ reviewedBy: analyst.id, trackingKey: 'MBAN01002411' })
    expect(await sentAbout(paid!)).toContain('payment_received to customer')
    await expectOwn('Te faltan $200.00 de tu anticipo.', '$4,800.00', 'Recibo')
    await expectScreen('/', customer, 'Te faltan $200.00 de tu anticipo.')
  })

  test('books what was asked for by one press, whatever amount is sent, once', async () => {
    const form = confirming(await demand(), '1', { intent: 'confirm-whole-proof' })
    await expectOffice('Llegó completo: $5,000.00')
    await expectAnswered(post({ ...form, version: '1' }), 409)
    await expectTwice(() => post(form))
    expect(await rows()).toEqual(['deposit paid 5000'])
    expect(await stored()).toMatchObject([{ reviewedBy: analyst.id, trackingKey: 'MBAN01002411' }])
    const sums = /Total a pagar\s+\$10,000\.00\s+Pagado\s+\$5,000\.00\s+Falta\s+\$5,000\.00/
    for (const [path, who] of [
      ['/payments', customer],
      [office(home.projectId), analyst],
    ] as const)
      expect((await markupOf(path, who)).replace(/<[^>]+>/g, ' ')).toMatch(sums)
  })

  test('shows a picture beside the form, and a PDF as a link', async () => {
    const { proofId } = await demand()
    const picture = `<img src="/documents/${proofId}"`
    expect(await markupOf(office(home.projectId), analyst)).not.toContain(picture)
    await setRow(documents, proofId!, { type: 'image/png' })
    await expectOffice(picture, `href="/documents/${proofId}"`)
  })

  test('refuses no amount and a day to come', async () => {
    await expectAnswered(confirm(''), 400)
    await expectAnswered(post(confirming(await demand(), '5000', { paidOn: '2099-01-01' })), 400)
    expect(await rows()).toEqual(['deposit in_review 5000'])
  })

  test('by two at once is one payment', async () => {
    // Both have the same page: what is asked for is read once.
    const of = demand()
    await of
    expect(await statusesOf(confirm('5000', analyst, of), confirm('4800', manager, of))).toEqual([303, 409])
    expect((await stored()).filter(({ state }) => state === 'paid')).toHaveLength(1)
  })

  test('rejects it with a reason that the customer reads, who sends another', async () => {
    await expectAnswered(reject(''), 400)
    await expectAnswered(reject('Es de otra cuenta.'), 303)
    expect(await rows()).toEqual(['deposit pending 5000'])
    const row = await demand()
    await expectTrail(row, ['demand', 'send_proof', 'reject_proof'])
    expect(JSON.stringify(await eventsAbout(row))).not.toContain('MBAN01002411')
    expect(await sentAbout(row)).toContain('proof_rejected to customer')
    await expectOwn('Es de otra cuenta.')
    await expectScreen('/', customer, 'No pudimos aceptar tu comprobante: “Es de otra cuenta”. Sube otro.')
    await expectAnswered(post(confirming(row, '5000')), 409)
    await expectAnswered(send(), 303)
  })
})

describe('a proof in review', () => {
  let shown: { id: string; version: number; proofId: string | null }
  beforeEach(async () => {
    await send()
    shown = await demand()
  })
  const press = (form: Form, file: File | null = null) => {
    const seen = { paymentId: shown.id, version: String(shown.version) }
    return sendForm(app, '/payments', { ...seen, ...form }, customer, file)
  }
  const change = (form: Form = {}, file: File | null = null) =>
    press({ intent: 'replace-proof', bank: '014', trackingKey: 'NUEVA12345', ...form }, file)
  const takeBack = () => press({ intent: 'take-back-proof' })
  const bytesOf = (id: string | null) => app.drive.get(paperKey({ id: id! }))

  test('is changed by its customer: its fields, or its file, of which no bytes stay', async () => {
    await expectTwice(() => change())
    const { version, ...first } = await demand()
    expect(first).toMatchObject({ bank: '014', trackingKey: 'NUEVA12345', proofId: shown.proofId })
    const another = fileOf(pdf('<</S/GoTo>>'), 'otro.pdf')
    await expectAnswered(change({ version: String(version) }, another), 303)
    const { proofId } = await demand()
    expect(proofId).not.toBe(shown.proofId)
    expect(await bytesOf(shown.proofId)).toBeNull()
    expect(await bytesOf(proofId)).not.toBeNull()
    await expectAnswered(app.open(`/documents/${shown.proofId}`, manager), 404)
    expect(await rows()).toEqual(['deposit in_review 5000'])
    await expectTrail(shown, ['demand', 'send_proof', 'replace_proof', 'replace_proof'])
  })

  test('is taken back: nothing of it stays, and its key may be used again', async () => {
    await expectTwice(() => takeBack())
    expect(await rows()).toEqual(['deposit pending 5000'])
    expect(await demand()).toMatchObject({ trackingKey: null, proofId: null, rejectedKeys: [] })
    expect(await bytesOf(shown.proofId)).toBeNull()
    await expectAnswered(send(), 303)
  })

  test('is decided once: whoever is second, customer or office, is refused', async () => {
    const reviewing = confirming(shown, '5000')
    await expectAnswered(change(), 303)
    await expectAnswered(post(reviewing), 409)
    await expectAnswered(confirm('5000'), 303)
    expectShown(await takeBack(), 409, 'Este pago ya está registrado')
    await expectAnswered(change({ bank: '012' }), 409)
    expect(await rows()).toEqual(['deposit paid 5000'])
  })

  test('is confirmed or taken back at once, not both', async () => {
    expect(await statusesOf(confirm('5000'), takeBack())).toEqual([303, 409])
    expect(['deposit paid 5000', 'deposit pending 5000']).toContain((await rows())[0])
  })

  test('is asked for as much as the next version costs once it is rejected', async () => {
    await app.db.update(quotes).set({ state: 'superseded' }).where(eq(quotes.projectId, home.projectId))
    await acceptQuote(customer, home, { acceptedTotal: 4_000_00, depositAmount: 1_000_00 })
    await reject('No llegó.')
    expect(await rows()).toEqual(['deposit expired 5000', 'deposit pending 1000'])
  })
})

describe('a proof of a charge that is over', () => {
  const endQuote = async (state: 'cancelled' | 'lapsed') => {
    const { quoteId } = await demand()
    await setRow(quotes, quoteId!, { state, endedAt: new Date() })
    await transaction(app.db, (tx) => cancelCharges(tx, quoteId!, 'Cambió de casa.', new Date()))
  }
  const sendLate = async (more: Form = {}) => {
    const [row] = await stored()
    return send({ paymentId: row!.id, version: String(row!.version), ...more })
  }
  const endings = {
    'whose quote was cancelled': async () => {
      await send()
      await endQuote('cancelled')
    },
    'whose quote lapsed before it came': async () => {
      expect(await lapseQuotes(app.db, fromNow(21 * 24 * 3_600_000))).toBe(1)
      await expectOwn('Se venció el plazo')
      await expectAnswered(sendLate(), 303)
      await expectScreen('/', customer, 'revisando tu comprobante')
    },
    'of a visit that ended': async () => {
      await send()
      await endQuote('cancelled')
      await setRow(payments, (await demand()).id, {
        concept: 'visit_fee',
        feeOutcome: 'returned',
        quoteId: null,
      })
    },
  }
  test.each(Object.entries(endings))(
    '%s goes back to it when rejected; another is taken, and its money refunded',
    async (_, end) => {
      await end()
      await expectAnswered(reject('No se lee la foto.'), 303)
      const [row] = await stored()
      expect(row).toMatchObject({ state: 'expired', rejectedReason: 'No se lee la foto.' })
      expect((await eventsAbout(row!)).at(-1)).toMatchObject({ name: 'reject_proof', toState: 'expired' })
      await expectOwn('No se lee la foto.', 'Si ya pagaste, sube otro.', 'Enviar comprobante')
      await expectEmail(row!.id, 'Si ya pagaste, sube otro en tu cuenta.')
      await expectAnswered(sendLate({ trackingKey: 'OTRA12345' }), 303)
      await expectAnswered(confirm('5000'), 303)
      expect((await rows())[0]).toMatch(/ paid 5000$/)
      expect(await refundsOf(home.projectId)).toMatchObject([{ amount: 5_000_00, state: 'requested' }])
    },
  )

  test('is covered by other money meanwhile: then nothing is asked for', async () => {
    await send()
    const { id } = await demand()
    await expectAnswered(post(recording('10000', { paymentId: id }), manager), 303)
    await expectAnswered(reject('Es el mismo pago.'), 303)
    const [row] = await stored()
    expect((await eventsAbout(row!)).at(-1)).toMatchObject({ name: 'cancel', reason: 'Ya está pagado.' })
    await expectEmail(id, 'Ya no hace falta este pago.')
  })
})

/** Expects the letter about a rejected proof to say something. */
async function expectEmail(paymentId: string, words: string) {
  const [letter] = await emailsOf(app.db, { letter: 'proof_rejected', paymentId, to: 'customer' })
  expectWords(letter!.text, words)
}

test('the manager records a payment of a charge or of the balance, once by the same form', async () => {
  const record = (form: Form) => post(form, manager)
  const cash = recording('5000', { paymentId: (await demand()).id })
  await expectTwice(() => record(cash))
  await expectAnswered(record({ ...cash, amount: '700' }), 409)
  await expectAnswered(record(recording('1,500', { method: 'terminal' })), 303)
  await expectAnswered(record(recording('200', { method: 'spei' })), 400)
  await expectAnswered(record(recording('200', { method: 'spei', bank: '072', trackingKey: 'x12345' })), 303)
  expect(await rows()).toEqual(['deposit paid 5000', 'balance paid 1500', 'balance paid 200'])
  expect(await stored()).toMatchObject([
    { method: 'cash', recordedBy: manager.id },
    { method: 'terminal' },
    { bank: '072', trackingKey: 'X12345' },
  ])
})
