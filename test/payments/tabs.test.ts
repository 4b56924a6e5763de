import { listPayments } from '../../src/payments/queries.ts'
import { payments } from '../../src/platform/database/schema/payments.ts'
import {
  analyst,
  customer,
  db,
  expectLed,
  fixture,
  manager,
  markupOf,
  newHome,
  newPerson,
  openOnce,
  post,
  sendJobsOnce,
  storeRows,
  technician,
} from '../kit/open.ts'
import {
  acceptQuote,
  account,
  came,
  confirming,
  csv,
  demandOf,
  lineOf,
  prove,
  reads,
  set,
} from '../kit/payments.ts'
import { expectAnswered, expectLeadsTo } from '../kit/reading.ts'
import { dataPath } from '../kit/visitor.ts'

openOnce({ MODULES: 'payments' })
sendJobsOnce()
// Before the first page reads the settings.
beforeAll(() => set(fixture, { spei: account }))

const page = '/admin/payments'
const moved = [
  [`${page}?parte=revision`, page],
  [`${page}?parte=libro&year=2026&text=a%26b`, `${page}/libro?year=2026&text=a%26b`],
  [`${page}?after=x&parte=banco`, `${page}/banco?after=x`],
] as const

test('addresses with a part in the query redirect for good, with the rest of the query', async () => {
  for (const [from, to] of moved) {
    await expectAnswered(fixture.visit(from, analyst), 301, to)
    await expectLed(from, analyst, to)
    await expectLed(from, undefined, '/signin')
    await expectLed(from, technician, '/admin')
    await expectAnswered(post(from, {}, customer), 403)
  }
})

test('they redirect a form unchanged, without the change that it asks for', async () => {
  for (const [from, to] of moved)
    for (const address of [from, dataPath(from)])
      await expectLeadsTo(post(address, { intent: 'x' }, analyst), to)
  await reads(analyst, csv(came('20/11/2026', '1.00', { key: 'MOVED001' })))
  const { id } = await lineOf('MOVED001')
  const form = { intent: 'ignore-line', lineId: id, reason: 'Un traspaso' }
  await expectAnswered(post(`${page}?parte=banco`, form, analyst), 308, `${page}/banco`)
  expect((await lineOf('MOVED001')).state).toBe('open')
})

test('an unknown part is the page itself', async () => {
  for (const part of ['', 'nada', '__proto__', 'constructor'])
    await expectAnswered(fixture.data(`${page}?parte=${part}`, analyst), 200)
})

test('each part marks its own tab as the current page', async () => {
  for (const [path, words] of [
    [page, 'Por revisar'],
    [`${page}/cobrar`, 'Por cobrar'],
    [`${page}/libro`, 'Libro'],
    [`${page}/banco`, 'Banco'],
  ] as const) {
    const { status, text } = await fixture.visit(path, analyst)
    const current = [...text.matchAll(/<a[^>]*aria-current="page"[^>]*>([^<]+)<\/a>/g)].map(([, one]) => one)
    expect([path, status, current]).toEqual([path, 200, expect.arrayContaining([words])])
  }
})

/** Asked for at some moment, by what the database says of it. */
async function askedFor(...moments: string[]) {
  const customer = await newPerson()
  const { projectId } = await newHome(customer)
  const row = { projectId, customerId: customer.id, concept: 'extra_work', amount: 100_00 } as const
  const rows = moments.map((moment) => ({ ...row, folio: `PAG-${moment}`, createdAt: new Date(moment) }))
  await storeRows(payments, rows)
}

const years = async (who = manager) => (await listPayments(db, who.actor, {}, new Date())).years
const rowsIn = async (year: string) => (await listPayments(db, manager.actor, { year }, new Date())).rows

test('the ledger offers the years by local dates, and none to a technician', async () => {
  expect(await years()).toEqual([])
  // In UTC it is 2027 by then; the evening of the last day of 2026 here.
  await askedFor('2027-01-01T01:00:00Z')
  expect(await years()).toEqual([])
  expect(await rowsIn('2026')).toHaveLength(1)
  await askedFor('2027-01-01T06:00:00Z', '2024-01-01T05:59:59Z')
  expect(await years()).toEqual([2023, 2027])
  for (const year of ['2023', '2026', '2027']) expect(await rowsIn(year)).toHaveLength(1)
  expect(await years(technician)).toEqual([])
})

async function proved(trackingKey: string, depositAmount: number) {
  const customer = await newPerson()
  const home = await newHome(customer)
  await acceptQuote(customer, home, { depositAmount })
  await expectAnswered(prove(customer, home.projectId, { trackingKey }), 303)
  return (await demandOf(home.projectId))!
}

/** The proofs of the list: folio, whether the bank has it, whether it is the chosen one. */
const listed = (text: string) =>
  [...text.matchAll(/<a[^>]*href="\/admin\/payments\?comprobante=([^"]+)".*?<\/a>/g)].map(([link, folio]) => [
    folio,
    /ya lo trae/.test(link),
    /aria-current/.test(link),
  ])

test('reviewers see which proof the bank has and choose one by its address', async () => {
  const { folio: cameIn } = await proved('CAME0001', 3_000_00)
  const { folio: late } = await proved('LATE0002', 3_000_01)
  await reads(analyst, csv(came('20/11/2026', '3,000.00', { key: 'CAME0001' })))
  for (const chosen of [cameIn, late]) {
    const text = await markupOf(`${page}?comprobante=${chosen}`, analyst)
    const expected = [cameIn, late].map((folio) => [folio, folio === cameIn, folio === chosen])
    expect(listed(text).toSorted()).toEqual(expected.toSorted())
    expect([...text.matchAll(/Revisa la transferencia (PAG[\w-]+)</g)].map(([, one]) => one)).toEqual([
      chosen,
    ])
  }
  const text = await markupOf(`${page}?comprobante=otro`, analyst)
  expect(listed(text).filter(([, , isShown]) => isShown)).toHaveLength(1)
})

test('a reviewer without JavaScript goes on to the proof below the judged one, and from the last to the first', async () => {
  const second = await proved('NEXT0001', 4_000_00)
  const last = await proved('NEXT0002', 4_000_00)
  const judge = async (proof: typeof last, fields: Record<string, string>, then?: string) => {
    const text = await markupOf(`${page}?comprobante=${proof.folio}`, analyst)
    const [, next = ''] = /name="next" value="([^"]+)"/.exec(text) ?? []
    const judged = post(page, confirming(proof, '', { ...fields, next }), analyst)
    await expectAnswered(judged, 303, `${page}?comprobante=${then ?? listed(text)[0]![0]}`)
  }
  await judge(second, { intent: 'confirm-whole-proof' }, last.folio)
  await judge(last, { intent: 'reject-proof', reason: 'No llegó.' })
})
