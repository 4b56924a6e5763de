import { payments, quotes, refunds } from '../../src/platform/database/schema/payments.ts'
import { projects } from '../../src/platform/database/schema/projects.ts'
import { joined } from '../kit/agencies.ts'
import { hour, storeVisit } from '../kit/appointments.ts'
import { storeFiscal } from '../kit/invoices.ts'
import { db, fixture, fromNow, markupOf, openBare, storeRows } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { content, line, option, storeDraft, visited } from '../kit/quotes.ts'
import { everyone, nameless, openEveryoneOnce, signedOut, type Who } from './everyone.ts'
import { markAmount as amount, mark, markEmail, marksFor, metBy, note, openMarksOnce } from './marks.ts'
import { moneyOf } from './planted.ts'

/**
 * Every amount and every private column of a customer's quotes and money holds a mark that stands nowhere else. Each person
 * then reads every screen, every paper and every file, by its real address.
 */
openBare()
openEveryoneOnce()
openMarksOnce()
let paths: string[]
let files: string[]
beforeAll(() => plant())

async function plant() {
  const { analyst, ally, customer, technician, technician2 } = everyone
  const home = await fixture.home(customer, {}, ally.agencyId!)
  const visit = await visited(customer, technician, home)
  const offered = content({
    options: [
      option('essential', {
        lines: [line('uno', { unitPrice: amount('unit price') * 100 })],
        addOns: [line('dos', { unitPrice: amount('add-on price') * 100 })],
        metres: { included: 100, furtherPrice: amount('further metre') * 100 },
      }),
    ],
  })
  const sent = { sentAt: new Date(), validUntil: fromNow(48 * hour), digest: mark('digest') }
  const totals = () => ({ lowestTotal: amount('lowest total'), highestTotal: amount('highest total') })
  const first = await storeDraft(fixture, visit, analyst, {
    ...sent,
    ...totals(),
    state: 'superseded',
    content: offered,
    reason: mark('reason'),
    acceptedIp: mark('accepted ip'),
  })
  const second = await storeDraft(fixture, visit, analyst, {
    ...sent,
    ...totals(),
    state: 'accepted',
    content: offered,
    acceptedOption: 'essential',
    // The deposit is no more than the total: its mark comes first.
    depositAmount: amount('deposit amount'),
    acceptedTotal: amount('accepted total'),
    acceptedName: mark('accepted name'),
    acceptedAt: new Date(),
    acceptedDigest: sent.digest,
    acceptedIp: mark('accepted ip'),
  })
  const draft = await storeDraft(fixture, visit, analyst, {
    ...totals(),
    content: { ...offered, notes: mark('draft notes') },
  })
  const accepted = { quoteAcceptedAt: new Date(), depositPaidAt: new Date() }
  await db.update(projects).set(accepted)
  const installation = await storeVisit(fixture, customer, home, fromNow(100 * hour), {
    service: 'installation',
    folio: 'IN-DINERO',
    minutes: 240,
    assigneeId: technician2.id,
  })
  const money = await moneyWithMarks(customer, home.projectId, second.id)
  const each = [first, second, draft].map(({ id }) => id)
  const brought = await joined(customer, ally)
  const fixed = `/ /quote /payments /fiscal /installation /cuenta /cuenta?datos /account/data /admin
    /admin/cotizations /admin/cotizations?text=Camila /admin/cotizations?state=accepted /admin/cotizations.csv
    /admin/appointments-pending /admin/appointments-done`
  paths = [
    ...fixed.split(/\s+/),
    ...each.flatMap((id) => [`/quote?version=${id}`, `/admin/cotizations/detail-quote/${id}`]),
    ...[visit.id, ...each].map((id) => `/admin/cotizations/add-quote/${id}`),
    `/admin/appointments-done/${visit.id}`,
    `/admin/appointments-pending/${installation.id}`,
    ...[home.projectId, second.id].map((id) => `/admin/cotizations/cobros/${id}`),
    `/admin/users/${customer.id}`,
    `/admin/alliate/clients/${brought}`,
    `/payments/tarjeta/${money.payment}`,
  ]
  files = [
    ...each.map((id) => `/papers/quote/${id}.pdf`),
    `/papers/receipt/${money.payment}.pdf`,
    `/invoices/${money.invoice}.json`,
    `/documents/${money.document}`,
  ]
}

async function moneyWithMarks(customer: Person, projectId: string, quoteId: string) {
  const made = await moneyOf(customer, projectId, quoteId, {
    document: { name: `${mark('document name')}.pdf` },
    payment: { ...marksFor('payment', 'folio', 'note', 'bank', 'trackingKey'), amount: amount('paid') },
    invoice: { total: amount('invoice'), ...marksFor('invoice', 'providerError') },
  })
  const whose = { customerId: customer.id, projectId, quoteId }
  await storeRows(payments, {
    ...whose,
    ...marksFor('demand', 'folio', 'rejectedReason'),
    concept: 'balance',
    amount: amount('demanded'),
  })
  await storeRows(refunds, {
    ...whose,
    ...marksFor('refund', 'folio', 'reason', 'beneficiary'),
    amount: amount('refund'),
    clabe: note('012180001234567899', 'clabe'),
  })
  await storeFiscal(customer, {
    state: 'submitted',
    submittedAt: new Date(),
    rfc: note('CACX7605101P8', 'rfc'),
    legalName: mark('legal name').toUpperCase(),
    email: markEmail('fiscal email'),
  })
  return made
}

const others: readonly Who[] = [
  ...(['customer2', 'technician', 'technician2', 'gester', 'ally', 'ally2'] as const),
  ...signedOut,
  ...nameless,
]

test.each(others)('%s reads no amount and nothing private on any screen, and opens no paper', async (who) => {
  expect(await metBy(everyone[who], ...paths, ...files)).toEqual([])
  for (const path of files)
    expect([302, 401, 404], path).toContain((await fixture.visit(path, everyone[who])).status)
})

test('the office reads what it needs, and opens the papers', async () => {
  for (const who of ['analyst', 'manager'] as const) {
    const needed = ['lowest total', 'accepted total', 'unit price', 'rfc']
    expect(await metBy(everyone[who], ...paths, ...files)).toEqual(expect.arrayContaining(needed))
    for (const path of [files[3]!, files.at(-1)!])
      expect((await fixture.visit(path, everyone[who])).status, path).toBe(200)
  }
})

test('a customer reads their own, opens its papers, and reads nothing of a draft', async () => {
  const met = await metBy(everyone.customer, ...paths)
  const own = [
    'accepted total',
    'paid',
    'demanded',
    'refund',
    'rfc',
    'clabe',
    'payment trackingKey',
    'invoice',
  ]
  expect(met).toEqual(expect.arrayContaining(own))
  for (const column of ['draft notes', 'payment note', 'invoice providerError'])
    expect(met).not.toContain(column)
  for (const path of [files[1]!, files.at(-1)!])
    expect((await fixture.visit(path, everyone.customer)).status, path).toBe(200)
})

test('the installing technician reads what was agreed, without a price', async () => {
  const path = paths.find((one) => one.startsWith('/admin/appointments-pending/'))!
  expect(await markupOf(path, everyone.technician2)).toContain('Partida uno')
})

test('a search answers those who read no prices nothing by amounts, accounts or ids', async () => {
  const [{ id } = { id: '' }] = await db.select({ id: quotes.id }).from(quotes)
  for (const who of ['technician', 'technician2', 'ally', 'ally2', 'gester'] as const)
    for (const text of ['731', '0121800', 'CACX', id]) {
      const answer = await fixture.data(`/admin/cotizations?text=${text}`, everyone[who])
      expect(answer.text.includes('COT-PRUEBA'), `${who} ${text}`).toBe(false)
    }
})
