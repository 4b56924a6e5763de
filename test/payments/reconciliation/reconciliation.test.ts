import { readFileSync } from 'node:fs'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { confirmPair } from '../../../src/server/payments/bank-matching.ts'
import { bankLines, bankStatements, payments } from '../../../src/server/platform/database/schema/payments.ts'
import { openOnce, people, sendJobsOnce, world } from '../../kit/open.ts'
import {
  account,
  bank,
  came,
  csv,
  lineOf,
  linesOf,
  office,
  owing,
  reads,
  rowsOf,
  set,
  today,
  uploads,
  wordsOf,
} from '../../kit/payments.ts'
import { emailsAbout, expectWords, readable, rowsIn } from '../../kit/reading.ts'

openOnce({ MODULES: 'payments' })
sendJobsOnce()
beforeAll(async () => {
  await set(world, { spei: account })
  // The first page takes long where much else runs.
  await page()
}, 120_000)
beforeEach(async () => {
  // What an earlier story left waiting is no candidate of the next one.
  await world.db.execute(sql`update payments set state = 'cancelled' where state in ('pending', 'in_review')`)
  await world.db.execute(sql`delete from bank_lines where state in ('open', 'ignored')`)
})

const page = async () => readable(await world.visit(bank, people.analyst))
/** A local day as a bank writes it. */
const slashed = (date: string) => date.split('-').reverse().join('/')
const match = (line: { id: string }, payment: { id: string; version: number }, sure = '') => ({
  intent: 'confirm-match',
  lineId: line.id,
  paymentId: payment.id,
  version: String(payment.version),
  sure,
})

describe('a file of the bank', () => {
  test('becomes movements once its columns are confirmed; what it said of others is not kept', async () => {
    const text = csv(
      came('20/11/2026', '5,000.00', { key: 'FILE0001' }),
      '21/11/2026,Comisión,1,,58.00,,7',
      'Total,,,,,,',
    )
    expect((await reads(world, people.analyst, text)).status).toBe(303)
    const [line] = await linesOf(world)
    expect(line).toMatchObject({
      bookedOn: '2026-11-20',
      amount: 5_000_00,
      trackingKey: 'FILE0001',
      state: 'open',
    })
    const [kept] = await rowsIn(world, bankStatements, { id: line!.statementId })
    expect(kept).toMatchObject({ content: null, linesNew: 1, linesKnown: 0, debits: 1, unread: [4] })
    expect(await page()).toContain('Sin identificar')
  })

  test('read twice, or beside one that overlaps, counts each movement once; two equal ones of a day are two', async () => {
    const twin = came('19/11/2026', '700.00', { text: 'DEPOSITO' })
    const first = csv(came('18/11/2026', '600.00', { key: 'TWICE001' }), twin, twin)
    await reads(world, people.analyst, first)
    expect((await linesOf(world)).map(({ amount }) => amount)).toEqual([600_00, 700_00, 700_00])
    await reads(world, people.manager, first, 'otro nombre.csv')
    await reads(world, people.manager, csv(twin, twin, came('20/11/2026', '800.00')))
    expect((await linesOf(world)).map(({ amount }) => amount)).toEqual([600_00, 700_00, 700_00, 800_00])
    // The same transfer in a file of another shape.
    await reads(
      world,
      people.manager,
      csv(came('18/11/2026', '600.00', { key: 'TWICE001', text: 'De otra forma' })),
    )
    expect(await linesOf(world)).toHaveLength(4)
  })

  test('that is none says what to do; wrong columns keep the file', async () => {
    const heard = async (bytes: string, name?: string) =>
      readable(await uploads(world, people.analyst, bytes, name))
    expect(await heard('PK\x03\x04hoja', 'hoja.xlsx')).toContain('guárdalo como CSV')
    expect(await heard('%PDF-1.7')).toContain('Es un PDF')
    const picture = new Uint8Array(readFileSync('test/photos/sharp-facade.jpg'))
    const png = Uint8Array.from([0x89, ...new TextEncoder().encode('PNG\r\n\x1a\n,a,b\n1,2,3')])
    for (const bytes of [picture, png])
      expect(readable(await uploads(world, people.analyst, bytes, 'movimientos.csv'))).toContain(
        'No es un CSV: parece una imagen',
      )
    expect(await linesOf(world)).toEqual([])
    expect(await heard('una sola columna\nsin nada')).toContain('no hay columnas')
    expect(await heard(`a,b\n${'x'.repeat(1024 * 1024)},1`)).toContain('El archivo pesa demasiado')
    expect(await heard('1,2\n'.repeat(200_000))).toContain('más de 20,000 renglones')
    expect(await readable(await world.post(bank, { intent: 'upload-statement' }, people.analyst))).toContain(
      'Elige el archivo',
    )
    const { location } = await uploads(world, people.analyst, csv(came('20/11/2026', '5.00')))
    const { text } = await world.visit(location!, people.analyst)
    const statementId = /name="statementId" value="([^"]+)"/.exec(text)![1]!
    const wrong = { intent: 'read-statement', statementId, version: '1', date: '', credit: '1' }
    const answer = await world.post(location!, wrong, people.analyst)
    expect([answer.status, await readable(answer)]).toEqual([
      400,
      expect.stringContaining('Elige la columna de la fecha.'),
    ])
    expect(await readable(await world.post(location!, { ...wrong, date: '0' }, people.analyst))).toContain(
      'no hay ningún abono',
    )
    // Nobody else goes on with it.
    expect((await world.post(location!, { ...wrong, date: '0', credit: '5' }, people.manager)).status).toBe(
      404,
    )
    expect((await world.post(location!, { ...wrong, date: '0', credit: '5' }, people.analyst)).status).toBe(
      303,
    )
  })
})

describe('the columns of a file', () => {
  const shown = async (text: string, wish?: Record<string, string>) => {
    const { location } = await uploads(world, people.analyst, text)
    const address = new URL(location!, 'http://carga.test')
    for (const [name, at] of Object.entries(wish ?? {})) address.searchParams.set(name, at)
    return world.visit(address.pathname + address.search, people.analyst)
  }
  const others = { description: '', reference: '', trackingKey: '', sign: '' }

  test('are shown as they are chosen before anything is read, without scripts too', async () => {
    const text = csv('20/11/2026,SPEI,,,,"5,000.00","91,234.50"')
    expect(await readable(await shown(text))).toContain('$5,000.00')
    const balance = await shown(text, { ...others, date: '0', credit: '6' })
    const words = await readable(balance)
    expect([words, words]).toEqual([
      expect.stringContaining('$91,234.50'),
      expect.not.stringContaining('$5,000.00'),
    ])
    const credit = /<select[^>]*name="credit".*?<\/select>/s.exec(balance.text)![0]
    expect(/<option[^>]*selected[^>]*>([^<]*)/.exec(credit)![1]).toBe('7: Saldo')
    const button = /<button[^>]*>Vista previa/.exec(balance.text)![0]
    for (const part of ['formMethod="get"', 'formAction="/admin/payments/banco"'])
      expect(button.toLowerCase()).toContain(part.toLowerCase())
    expect(await linesOf(world)).toEqual([])
    // What can be no column is as if nothing was asked.
    expect(await readable(await shown(text, { date: 'x', credit: '6' }))).toContain('$5,000.00')
  })

  test('of a file without headings are chosen first', async () => {
    const bare = '24/11/2026,SPEI,5000.00\n25/11/2026,SPEI,100.00\n'
    expect(await readable(await shown(bare))).toContain('mira cómo queda')
    expect(await readable(await shown(bare, { ...others, date: '0' }))).toContain('mira cómo queda')
    expect(await readable(await shown(bare, { date: '0', credit: '2' }))).toContain('2 abonos')
  })
})

describe('a movement and its payment', () => {
  test('a transfer whose key and amount agree settles its proof as a review does', async () => {
    const { customer, demand, projectId } = await owing(world, 'KEYOK001')
    await reads(world, people.analyst, csv(came('20/11/2026', '5,000.00', { key: 'KEYOK001' })))
    const line = await lineOf(world, 'KEYOK001')
    expect(await page()).toContain('Misma clave de rastreo y misma cantidad')
    const form = match(line, demand)
    for (let n = 0; n < 2; n++) expect((await world.post(bank, form, people.analyst)).status).toBe(303)
    const rows = await rowsOf(world, projectId)
    expect(wordsOf(rows)).toEqual(['deposit paid 5000'])
    expect(rows[0]).toMatchObject({ reviewedBy: people.analyst.id, paidAt: new Date('2026-11-20T18:00:00Z') })
    expect(await lineOf(world, 'KEYOK001')).toMatchObject({ state: 'settled', paymentId: rows[0]!.id })
    expect(await emailsAbout(world, rows[0]!.id)).toContain('payment_received to customer')
    expect(await readable(await world.visit('/payments', customer))).toContain('$5,000.00')
  })

  test('twenty at once are one payment', async () => {
    const { demand, projectId } = await owing(world, 'RACE0001')
    const other = await owing(world)
    await reads(world, people.analyst, csv(came('20/11/2026', '5,000.00', { key: 'RACE0001' })))
    const { id: lineId } = await lineOf(world, 'RACE0001')
    const { analyst, manager } = people
    const tried = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => {
        const paymentId = n % 2 ? demand.id : other.demand.id
        return confirmPair(
          world.db,
          (n % 3 ? analyst : manager).actor!,
          { lineId, paymentId, version: null, sure: null },
          new Date(),
        )
      }),
    )
    expect(tried.some(({ status }) => status === 'fulfilled')).toBe(true)
    const paid = [...(await rowsOf(world, projectId)), ...(await rowsOf(world, other.projectId))]
    expect(paid.filter(({ state }) => state === 'paid')).toHaveLength(1)
  })

  test('of another amount it leaves the rest pending; a version that is gone is refused', async () => {
    const { demand, projectId } = await owing(world, 'LESS0001')
    await reads(world, people.manager, csv(came('20/11/2026', '3,000.00', { key: 'LESS0001' })))
    const line = await lineOf(world, 'LESS0001')
    expectWords(
      await page(),
      'con otra cantidad',
      'Faltan $2,000.00 y queda un pago pendiente por esa cantidad.',
    )
    const stale = await world.post(
      bank,
      match(line, { ...demand, version: demand.version + 1 }),
      people.analyst,
    )
    expect([stale.status, await readable(stale)]).toEqual([
      409,
      expect.stringContaining('Alguien más actualizó'),
    ])
    // What it does is shown beside it: a form that does not know it is asked.
    expect((await world.post(bank, match(line, demand), people.analyst)).status).toBe(409)
    expect((await world.post(bank, match(line, demand, '300000'), people.analyst)).status).toBe(303)
    expect(wordsOf(await rowsOf(world, projectId))).toEqual(['deposit paid 3000', 'deposit pending 2000'])
  })

  test('those that are sure are confirmed together, and nothing that was not shown', async () => {
    const [one, two] = [await owing(world, 'SURE0001'), await owing(world, 'SURE0002')]
    const three = await owing(world)
    const rows = ['SURE0001', 'SURE0002'].map((key) => came('20/11/2026', '5,000.00', { key }))
    await reads(world, people.analyst, csv(...rows, came('20/11/2026', '4,999.00')))
    const { text } = await world.visit(bank, people.analyst)
    expect(text).toContain('Confirmar los 2 seguros')
    const pairs = /name="pairs" value="([^"]+)"/.exec(text)![1]!
    await world.post(bank, { intent: 'confirm-sure', pairs }, people.analyst)
    for (const { projectId } of [one, two])
      expect(wordsOf(await rowsOf(world, projectId))).toEqual(['deposit paid 5000'])
    expect(wordsOf(await rowsOf(world, three.projectId))).toEqual(['deposit pending 5000'])
  })

  test('what was recorded by hand is tied, and no money is made of it; a payment is one movement', async () => {
    const { demand, projectId } = await owing(world, 'HAND0001')
    const form = { intent: 'confirm-proof', paymentId: demand.id, version: String(demand.version) }
    await world.post(office(projectId), { ...form, amount: '5000', paidOn: today() }, people.analyst)
    const transfer = came('20/11/2026', '5,000.00', { text: 'SPEI hand0001 RECIBIDO' })
    await reads(world, people.analyst, csv(transfer, transfer))
    const [paid] = await rowsOf(world, projectId)
    const [first, second] = (await linesOf(world)).filter(({ state }) => state === 'open')
    await world.post(bank, match(first!, paid!), people.analyst)
    const again = await world.post(bank, match(second!, paid!), people.analyst)
    expect([again.status, await readable(again)]).toEqual([
      409,
      expect.stringContaining('ya tiene su movimiento'),
    ])
    expect(wordsOf(await rowsOf(world, projectId))).toEqual(['deposit paid 5000'])
    expect(
      (await linesOf(world)).map(({ state }) => state).filter((state) => state === 'recorded'),
    ).toHaveLength(1)
  })

  test('a transfer that is written down already pays nothing else, whatever its amount was taken for', async () => {
    const [known, other] = [await owing(world, 'KNOWN001'), await owing(world, 'TYPED001')]
    const form = {
      intent: 'confirm-proof',
      paymentId: known.demand.id,
      version: String(known.demand.version),
    }
    await world.post(
      office(known.projectId),
      { ...form, amount: '4999', sure: '499900', paidOn: today() },
      people.analyst,
    )
    await reads(world, people.analyst, csv(came('20/11/2026', '5,000.00', { key: 'KNOWN001' })))
    const line = await lineOf(world, 'KNOWN001')
    const answer = await world.post(bank, match(line, other.demand), people.analyst)
    expect([answer.status, await readable(answer)]).toEqual([
      409,
      expect.stringContaining(`ya está en el pago ${known.demand.folio}`),
    ])
    expect(wordsOf(await rowsOf(world, other.projectId))).toEqual(['deposit in_review 5000'])
    expect(await lineOf(world, 'KNOWN001')).toMatchObject({ state: 'open', paymentId: null })
  })

  test('the key that a payment keeps is the bank’s, not the one that was typed', async () => {
    const { demand, projectId } = await owing(world, 'TYPO0001')
    await reads(world, people.analyst, csv(came('20/11/2026', '5,000.00', { key: 'RIGHT001' })))
    await world.post(bank, match(await lineOf(world, 'RIGHT001'), demand), people.analyst)
    expect((await rowsOf(world, projectId))[0]).toMatchObject({ state: 'paid', trackingKey: 'RIGHT001' })
  })

  test('one that was recorded under a mistyped key is never taken for what somebody else owes', async () => {
    const known = await owing(world, 'WRONG002')
    const form = {
      intent: 'confirm-proof',
      paymentId: known.demand.id,
      amount: '5000',
      paidOn: today(),
      version: String(known.demand.version),
    }
    await world.post(office(known.projectId), form, people.analyst)
    const [paid] = await rowsOf(world, known.projectId)
    const other = await owing(world)
    await reads(world, people.analyst, csv(came(slashed(today()), '5,000.00', { key: 'RIGHT002' })))
    const suggested = async () => {
      const { text } = await world.visit(bank, people.analyst)
      return [...text.matchAll(/name="paymentId" value="([^"]+)"/g)].map(([, id]) => id)
    }
    // Two of so much: nobody is proposed.
    expect(await suggested()).toEqual([])
    expect(await page()).toContain('No encontramos un solo pago que coincida.')
    // What the other one asked for is gone: it can only be the one that was recorded, which is tied and makes no money.
    await world.db.update(payments).set({ state: 'cancelled' }).where(eq(payments.projectId, other.projectId))
    expect(await suggested()).toEqual([paid!.id])
    await world.post(bank, match(await lineOf(world, 'RIGHT002'), paid!), people.analyst)
    expect(await lineOf(world, 'RIGHT002')).toMatchObject({ state: 'recorded', paymentId: paid!.id })
    expect(wordsOf(await rowsOf(world, known.projectId))).toEqual(['deposit paid 5000'])
  })

  test('by hand: by its folio, or it is none, which can be taken back', async () => {
    const { demand, projectId } = await owing(world)
    await reads(world, people.manager, csv(came('17/11/2026', '5,000.00', { key: 'FOLIO001' })))
    const { id: lineId } = await lineOf(world, 'FOLIO001')
    const send = (form: Record<string, string>) => world.post(bank, { lineId, ...form }, people.analyst)
    expect((await send({ intent: 'ignore-line', reason: '' })).status).toBe(400)
    expect((await send({ intent: 'ignore-line', reason: 'Un traspaso' })).status).toBe(303)
    expect((await send({ intent: 'tie-line', folio: demand.folio })).status).toBe(409)
    expect((await send({ intent: 'reopen-line' })).status).toBe(303)
    const unknown = await send({ intent: 'tie-line', folio: 'PAG-1999-99999' })
    expect([unknown.status, await readable(unknown)]).toEqual([
      400,
      expect.stringContaining('No hay un pago con ese folio'),
    ])
    const tie = { intent: 'tie-line', folio: demand.folio.toLowerCase() }
    const asked = await send(tie)
    expect([asked.status, wordsOf(await rowsOf(world, projectId))]).toEqual([409, ['deposit pending 5000']])
    const seen = /name="seen" value="([^"]+)"/.exec(asked.text)![1]!
    expect((await send({ ...tie, seen, sure: '500000' })).status).toBe(303)
    expect(wordsOf(await rowsOf(world, projectId))).toEqual(['deposit paid 5000'])
    expect(await page()).toContain('Pago registrado')
  })

  test('the database itself keeps a movement that is a payment as it is', async () => {
    const paid = sql`${bankLines.state} = 'settled'`
    await expect(world.db.update(bankLines).set({ amount: 1 }).where(paid)).rejects.toThrow()
    await expect(
      world.db.update(bankLines).set({ state: 'open', paymentId: null }).where(paid),
    ).rejects.toThrow()
    const sums = await world.db.execute<{ same: boolean }>(sql`
      select bool_and(bank_lines.amount >= payments.amount) as same from bank_lines join payments on payments.id = payment_id`)
    expect(sums.rows[0]!.same).toBe(true)
    expect(await rowsIn(world, payments, { state: 'paid' })).not.toHaveLength(0)
  })
})

test('without the module there is nothing', async () => {
  const { analyst } = people
  const off = world.under({ MODULES: '' })
  expect((await off.visit(bank, analyst)).status).toBe(404)
  expect((await off.post(bank, { intent: 'upload-statement' }, analyst)).status).toBe(404)
})
