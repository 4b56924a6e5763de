import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import { centavosOf } from '../../src/domain/shared/money.ts'
import { cancelCharges } from '../../src/server/payments/charges.ts'
import { transaction } from '../../src/server/platform/database/client.ts'
import { documents, quotes } from '../../src/server/platform/database/schema/payments.ts'
import { events } from '../../src/server/platform/database/schema/projects.ts'
import { paperKey } from '../../src/server/platform/storage/drive.ts'
import { fileOf, pdf } from '../documents/samples.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import {
  acceptQuote,
  account,
  demandOf,
  office,
  prove,
  rowsOf,
  sendForm,
  set,
  today,
  wordsOf,
} from '../kit/payments.ts'
import type { Home } from '../kit/people.ts'
import { emailsAbout, readable, rowIn, rowsIn } from '../kit/reading.ts'

openEach()
sendJobs()

let place: Home
beforeEach(async () => {
  place = await world.home(people.customer)
  await acceptQuote(world, people.customer, place)
  await set(world, { spei: account })
})

const demand = async () => (await demandOf(world, place.projectId))!
const rows = async () => wordsOf(await rowsOf(world, place.projectId))
const send = (more: Record<string, string> = {}, file?: File | null) =>
  prove(world, people.customer, place.projectId, more, file)
const review = async (intent: string, form: Record<string, string>, as = people.analyst) => {
  const { id, version } =
    (await rowsOf(world, place.projectId)).find(({ proofId }) => proofId) ?? (await demand())
  return world.post(office(place.projectId), { intent, paymentId: id, version: String(version), ...form }, as)
}
const home = async () => readable(await world.visit('/', people.customer))
const confirm = (amount: string, as = people.analyst) =>
  // What it leaves to pay was said, and confirmed.
  review('confirm-proof', { amount, paidOn: today(), sure: String(centavosOf(amount)) }, as)

describe('what its customer reads', () => {
  test('how much, until when, and where to transfer it', async () => {
    const { folio } = await demand()
    const page = readable(await world.visit('/payments', people.customer))
    for (const words of [
      'Pagos realizados',
      'Anticipo',
      '$5,000.00',
      '646 180 15700000000 4',
      'Carga en Casa',
      folio,
    ])
      expect(page).toContain(words)
  })

  test('without an account no transfer is offered, nor taken', async () => {
    await set(world, {})
    expect(readable(await world.visit('/payments', people.customer))).not.toContain('Transfiere')
    expect((await send()).status).toBe(409)
    expect(await rows()).toEqual(['deposit pending 5000'])
  })

  test('nothing of anybody else’s', async () => {
    const page = readable(await world.visit('/payments', people.customer2))
    expect(page).toContain('Todavía no tienes pagos')
    expect(page).not.toContain('$5,000.00')
    expect((await prove(world, people.customer2, place.projectId)).status).toBe(404)
  })
})

describe('a proof', () => {
  test('waits for a review, and the managers hear of it', async () => {
    expect((await send()).status).toBe(303)
    const sent = await demand()
    expect(sent).toMatchObject({
      state: 'in_review',
      method: 'spei',
      bank: '012',
      trackingKey: 'MBAN01002411',
    })
    expect(await world.db.select().from(documents)).toMatchObject([
      { id: sent.proofId, purpose: 'payment_proof' },
    ])
    for (const to of ['managers', 'customer'])
      expect(await emailsAbout(world, sent.id)).toContain(`proof_received to ${to}`)
    const page = readable(await world.visit('/payments', people.customer))
    for (const words of [
      'Estamos revisando tu transferencia',
      'Lo revisamos en 1 día hábil',
      'Revisamos tu comprobante de $5,000.00.',
      'Retirar mi comprobante',
    ])
      expect(page).toContain(words)
    expect(page).not.toContain('Te toca pagar')
    expect(await home()).toContain('revisando tu comprobante')
  })

  test('sent twice is one', async () => {
    const { version } = await demand()
    for (let time = 0; time < 2; time++) expect((await send({ version: String(version) })).status).toBe(303)
    expect(await world.db.select().from(documents)).toHaveLength(1)
  })

  test('lacks its file, its bank or its key: it is said where, and what was typed stays', async () => {
    const empty = await send({ trackingKey: '', bank: '' }, null)
    expect(empty.status).toBe(400)
    expect(readable(empty)).toContain('Escribe la clave de rastreo')
    const without = await send({ trackingKey: 'ABC 123-45' }, null)
    expect([without.status, readable(without).includes('Elige el comprobante')]).toEqual([400, true])
    expect(without.text).toContain('ABC 123-45')
    expect((await send({}, fileOf('no es un PDF', 'algo.pdf'))).status).toBe(400)
    expect(await rows()).toEqual(['deposit pending 5000'])
  })

  test('of a transfer that paid something else already is refused, in any letters', async () => {
    const other = await world.home(people.customer2)
    await acceptQuote(world, people.customer2, other)
    await prove(world, people.customer2, other.projectId)
    const again = await send({ trackingKey: 'mban 0100 2411' })
    expect([again.status, readable(again).includes('ya está en otro pago')]).toEqual([409, true])
    expect(await rows()).toEqual(['deposit pending 5000'])
    expect((await send({ bank: '014' })).status).toBe(303)
  })
})

describe('its review', () => {
  beforeEach(async () => {
    await send()
  })

  test('shows the proof to analyst and manager, and to nobody else', async () => {
    for (const who of [people.analyst, people.manager])
      expect(readable(await world.visit(office(place.projectId), who))).toContain('MBAN01002411')
    for (const who of [people.technician, people.gester, people.ally])
      expect((await world.visit(office(place.projectId), who)).status).toBe(404)
  })

  test('confirms what came, whatever was asked for', async () => {
    expect((await confirm('4,800')).status).toBe(303)
    expect(await rows()).toEqual(['deposit paid 4800', 'deposit pending 200'])
    const [paid] = await rowsOf(world, place.projectId)
    expect(paid).toMatchObject({ reviewedBy: people.analyst.id, trackingKey: 'MBAN01002411' })
    expect(await emailsAbout(world, paid!.id)).toContain('payment_received to customer')
    const page = readable(await world.visit('/payments', people.customer))
    for (const words of ['Te faltan $200.00 de tu anticipo.', '$4,800.00', 'Recibo'])
      expect(page).toContain(words)
    expect(await home()).toContain('Te faltan $200.00 de tu anticipo.')
  })

  test('books what was asked for by one press, whatever else is sent, once', async () => {
    const { id, version } = await demand()
    const form = { intent: 'confirm-whole-proof', paymentId: id, version: String(version), paidOn: today() }
    const page = await world.visit(office(place.projectId), people.analyst)
    expect(readable(page)).toContain('Llegó completo: $5,000.00')
    const late = await world.post(office(place.projectId), { ...form, version: '1' }, people.analyst)
    expect(late.status).toBe(409)
    for (const more of [{ amount: '1' }, {}])
      expect((await world.post(office(place.projectId), { ...form, ...more }, people.analyst)).status).toBe(
        303,
      )
    expect(await rows()).toEqual(['deposit paid 5000'])
    const [paid] = await rowsOf(world, place.projectId)
    expect(paid).toMatchObject({ reviewedBy: people.analyst.id, trackingKey: 'MBAN01002411' })
  })

  test('sees a picture of it beside the form, and a PDF as a link', async () => {
    const shown = async () => (await world.visit(office(place.projectId), people.analyst)).text
    const { proofId } = await demand()
    const picture = `<img src="/documents/${proofId}"`
    expect((await rowIn(world, documents, { id: proofId! }))!.type).toBe('application/pdf')
    expect(await shown()).not.toContain(picture)
    await world.db.update(documents).set({ type: 'image/png' }).where(eq(documents.id, proofId!))
    expect(await shown()).toContain(picture)
    expect(await shown()).toContain(`href="/documents/${proofId}"`)
  })

  test('wants an amount and a day that has come', async () => {
    expect((await confirm('')).status).toBe(400)
    expect((await review('confirm-proof', { amount: '5000', paidOn: '2099-01-01' })).status).toBe(400)
    expect(await rows()).toEqual(['deposit in_review 5000'])
  })

  test('by two at once is one payment', async () => {
    const answers = await Promise.all([confirm('5000'), confirm('4800', people.manager)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409])
    const paid = (await rowsOf(world, place.projectId)).filter(({ state }) => state === 'paid')
    expect(paid).toHaveLength(1)
  })

  test('the same form sent twice is one payment', async () => {
    const { id, version } = await demand()
    const form = {
      intent: 'confirm-proof',
      paymentId: id,
      version: String(version),
      amount: '4800',
      sure: '480000',
      paidOn: today(),
    }
    for (let time = 0; time < 2; time++)
      expect((await world.post(office(place.projectId), form, people.analyst)).status).toBe(303)
    expect(await rows()).toEqual(['deposit paid 4800', 'deposit pending 200'])
  })

  test('rejects it with a reason that its customer reads, who sends another', async () => {
    expect((await review('reject-proof', { reason: '' })).status).toBe(400)
    expect((await review('reject-proof', { reason: 'Es de otra cuenta.' })).status).toBe(303)
    expect(await rows()).toEqual(['deposit pending 5000'])
    const { id, version } = await demand()
    const trail = await rowsIn(world, events, { entityId: id })
    expect(trail.map(({ name }) => name)).toEqual(['demand', 'send_proof', 'reject_proof'])
    expect(JSON.stringify(trail)).not.toContain('MBAN01002411')
    expect(await emailsAbout(world, id)).toContain('proof_rejected to customer')
    expect(readable(await world.visit('/payments', people.customer))).toContain('Es de otra cuenta.')
    expect(await home()).toContain('No pudimos aceptar tu comprobante: “Es de otra cuenta”. Sube otro.')
    const late = {
      intent: 'confirm-proof',
      paymentId: id,
      version: String(version),
      amount: '5000',
      paidOn: today(),
    }
    expect((await world.post(office(place.projectId), late, people.analyst)).status).toBe(409)
    expect((await send()).status).toBe(303)
  })
})

describe('a proof that waits', () => {
  let shown: { id: string; version: number; proofId: string | null }
  beforeEach(async () => {
    await send()
    shown = await demand()
  })
  const change = (form: Record<string, string> = {}, file: File | null = null, as = people.customer) => {
    const fields = { bank: '014', trackingKey: 'NUEVA12345', version: String(shown.version), ...form }
    return sendForm(world, '/payments', { intent: 'replace-proof', paymentId: shown.id, ...fields }, as, file)
  }
  const takeBack = (as = people.customer) => {
    const form = { intent: 'take-back-proof', paymentId: shown.id, version: String(shown.version) }
    return world.post('/payments', form, as)
  }
  const bytesOf = (id: string | null) => world.drive.get(paperKey({ id: id! }))

  test('is changed by its customer: its words alone, or its file, of which the former leaves no bytes', async () => {
    for (let time = 0; time < 2; time++) expect((await change()).status).toBe(303)
    expect(await demand()).toMatchObject({ bank: '014', trackingKey: 'NUEVA12345', proofId: shown.proofId })
    const { version } = await demand()
    const another = fileOf(pdf('<</S/GoTo>>'), 'otro.pdf')
    expect((await change({ version: String(version) }, another)).status).toBe(303)
    const { proofId } = await demand()
    expect(proofId).not.toBe(shown.proofId)
    expect([await bytesOf(shown.proofId), (await bytesOf(proofId)) !== null]).toEqual([null, true])
    for (const who of [people.customer, people.manager])
      expect((await world.open(`/documents/${shown.proofId}`, who)).status).toBe(404)
    expect(await rows()).toEqual(['deposit in_review 5000'])
    const trail = await rowsIn(world, events, { entityId: shown.id })
    expect(trail.map(({ name }) => name)).toEqual(['demand', 'send_proof', 'replace_proof', 'replace_proof'])
  })

  test('is taken back: nothing of it is kept, and its key may be used again', async () => {
    for (let time = 0; time < 2; time++) expect((await takeBack()).status).toBe(303)
    expect(await rows()).toEqual(['deposit pending 5000'])
    expect(await demand()).toMatchObject({ trackingKey: null, proofId: null, rejectedKeys: [] })
    expect(await bytesOf(shown.proofId)).toBeNull()
    expect((await send()).status).toBe(303)
  })

  test('is changed and taken back by nobody else', async () => {
    for (const who of [people.customer2, people.analyst, people.manager, people.technician])
      expect([(await change({}, null, who)).status, (await takeBack(who)).status]).not.toContain(303)
    expect(await demand()).toMatchObject({ trackingKey: 'MBAN01002411', version: shown.version })
  })

  test('is decided once: who is second, customer or office, is told', async () => {
    const reviewing = { version: String(shown.version), amount: '5000', paidOn: today() }
    expect((await change()).status).toBe(303)
    expect((await review('confirm-proof', reviewing)).status).toBe(409)
    expect((await confirm('5000')).status).toBe(303)
    const late = await takeBack()
    expect([late.status, readable(late).includes('Este pago ya está registrado')]).toEqual([409, true])
    expect((await change({ bank: '012' })).status).toBe(409)
    expect(await rows()).toEqual(['deposit paid 5000'])
  })

  test('and is confirmed at the same moment as it is taken back, is one of both', async () => {
    const answers = await Promise.all([confirm('5000'), takeBack()])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409])
    const [row] = await rows()
    expect(['deposit paid 5000', 'deposit pending 5000']).toContain(row)
  })

  test('is no picture that nobody can read', async () => {
    await takeBack()
    const picture = async (side: number) =>
      new Uint8Array(
        await sharp({ create: { width: side, height: side, channels: 3, background: '#fff' } })
          .png()
          .toBuffer(),
      )
    const small = await send({}, fileOf(await picture(200), 'captura.png', 'image/png'))
    expect([small.status, readable(small).includes('muy pequeña')]).toEqual([400, true])
    expect((await send({}, fileOf(await picture(640), 'captura.png', 'image/png'))).status).toBe(303)
  })
})

describe('a proof that is rejected when what it was for', () => {
  const quoteId = async () => (await demand()).quoteId!
  const reject = () => review('reject-proof', { reason: 'No llegó.' })
  const left = async () => (await rows()).filter((row) => row.includes('pending'))

  test('was cancelled is asked for no more', async () => {
    const id = await quoteId()
    await send()
    await world.db.update(quotes).set({ state: 'cancelled', endedAt: new Date() }).where(eq(quotes.id, id))
    await transaction(world.db, (tx) => cancelCharges(tx, id, 'Cambió de casa.', new Date()))
    expect((await reject()).status).toBe(303)
    expect(await rows()).toEqual(['deposit cancelled 5000'])
  })

  test('costs less in the version that was accepted since is asked for that much', async () => {
    const id = await quoteId()
    await send()
    await world.db.update(quotes).set({ state: 'superseded' }).where(eq(quotes.id, id))
    await acceptQuote(world, people.customer, place, { acceptedTotal: 4_000_00, depositAmount: 1_000_00 })
    await reject()
    expect(await left()).toEqual(['deposit pending 1000'])
  })
})

describe('money that the manager writes down', () => {
  const form = (more: Record<string, string> = {}) => ({
    intent: 'record-payment',
    requestKey: randomUUID(),
    paymentId: '',
    amount: '1,500',
    method: 'cash',
    paidOn: today(),
    bank: '',
    trackingKey: '',
    note: '',
    ...more,
  })
  const record = (fields = form(), as = people.manager) =>
    sendForm(world, office(place.projectId), fields, as)

  test('with a form that was gone back to, and another amount, is refused instead of forgotten', async () => {
    const first = form()
    expect((await record(first)).status).toBe(303)
    expect((await record({ ...first, amount: '700' })).status).toBe(409)
    expect((await record(first)).status).toBe(303)
    expect((await rows()).filter((row) => row.includes('paid'))).toEqual(['balance paid 1500'])
  })

  test('pays what was asked for, or the balance; sent twice it is one', async () => {
    const cash = form({ paymentId: (await demand()).id, amount: '5000' })
    for (let time = 0; time < 2; time++) expect((await record(cash)).status).toBe(303)
    expect((await record(form({ method: 'terminal' }))).status).toBe(303)
    expect(await rows()).toEqual(['deposit paid 5000', 'balance paid 1500'])
    expect(await rowsOf(world, place.projectId)).toMatchObject([
      { method: 'cash', recordedBy: people.manager.id },
      { method: 'terminal' },
    ])
  })

  test('a transfer needs its bank and key', async () => {
    expect((await record(form({ method: 'spei' }))).status).toBe(400)
    const whole = form({ method: 'spei', bank: '072', trackingKey: 'x12345' })
    expect((await record(whole)).status).toBe(303)
    expect(await rowsOf(world, place.projectId)).toMatchObject([{}, { bank: '072', trackingKey: 'X12345' }])
  })

  test('is the manager’s alone', async () => {
    for (const who of [people.analyst, people.technician, people.gester, people.ally])
      expect((await record(form(), who)).status).toBe(403)
    expect(await rows()).toEqual(['deposit pending 5000'])
  })
})

test('the account on the screens is the ledger’s: what is charged less what was paid is what is missing', async () => {
  await send()
  await confirm('5000')
  for (const [path, who] of [
    ['/payments', people.customer],
    [office(place.projectId), people.analyst],
  ] as const) {
    const page = readable(await world.visit(path, who))
    expect(page).toMatch(/Total a pagar\s+\$10,000\.00\s+Pagado\s+\$5,000\.00\s+Falta\s+\$5,000\.00/)
  }
})
