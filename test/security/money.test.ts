import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  documents,
  fiscalData,
  invoices,
  payments,
  quotes,
  refunds,
} from '../../src/server/platform/database/schema/payments.ts'
import { projects } from '../../src/server/platform/database/schema/projects.ts'
import { paperKey } from '../../src/server/platform/storage/drive.ts'
import { hour, storeVisit } from '../kit/appointments.ts'
import { openBare, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { content, line, option, storeDraft, visited } from '../kit/quotes.ts'
import { cast, openCastOnce, type Who } from './cast.ts'

/**
 * Every amount and every private column of a customer's quotes and money holds a mark that stands nowhere else. Each person
 * then reads every screen, as page and as data, every paper and every file, by its real address.
 */
openBare()
openCastOnce()
let paths: string[]
let files: string[]
let seen: Record<string, ReadonlySet<string>>
beforeAll(async () => {
  await plant()
  seen = {}
  for (const who of Object.keys(cast) as Who[]) seen[who] = await readBy(who)
}, 180_000)

let marks = 0
const known = new Map<RegExp, string>()
/** A word that tells which column it stood in. */
function mark(column: string): string {
  const word = `Zm${String(++marks).padStart(3, '0')}z`
  known.set(new RegExp(word, 'i'), column)
  return word
}
/** Centavos, whose digits tell it however they are written: "12345601", "123,456.01", "123456.01". */
function amount(column: string): number {
  const pesos = 731_000 + ++marks
  const words = [`${pesos}01`, `${String(pesos).replace(/(\d{3})$/, ',$1')}\\.01`, `${pesos}\\.01`]
  known.set(new RegExp(`(?<!\\d)(${words.join('|')})(?!\\d)`), column)
  return pesos * 100 + 1
}

async function plant() {
  const { analyst, ally, customer, technician, technician2 } = cast
  const home = await world.home(customer, {}, ally.agencyId!)
  const visit = await visited(world, customer, technician, home)
  const offered = content({
    options: [
      option('essential', {
        lines: [line('uno', { unitPrice: amount('unit price') * 100 })],
        addOns: [line('dos', { unitPrice: amount('add-on price') * 100 })],
        metres: { included: 100, furtherPrice: amount('further metre') * 100 },
      }),
    ],
  })
  const sent = { sentAt: new Date(), validUntil: new Date(Date.now() + 48 * hour), digest: mark('digest') }
  const totals = () => ({ lowestTotal: amount('lowest total'), highestTotal: amount('highest total') })
  const first = await storeDraft(world, visit, analyst, {
    ...sent,
    ...totals(),
    state: 'superseded',
    content: offered,
    reason: mark('reason'),
    acceptedIp: mark('accepted ip'),
  })
  const [deposit, total] = [amount('deposit amount'), amount('accepted total')]
  const second = await storeDraft(world, visit, analyst, {
    ...sent,
    ...totals(),
    state: 'accepted',
    content: offered,
    acceptedOption: 'essential',
    acceptedTotal: total,
    depositAmount: deposit,
    acceptedName: mark('accepted name'),
    acceptedAt: new Date(),
    acceptedDigest: sent.digest,
    acceptedIp: mark('accepted ip'),
  })
  const draft = await storeDraft(world, visit, analyst, {
    ...totals(),
    content: { ...offered, notes: mark('draft notes') },
  })
  const accepted = { quoteAcceptedAt: new Date(), depositPaidAt: new Date() }
  await world.db.update(projects).set(accepted)
  const installation = await storeVisit(world, customer, home, new Date(Date.now() + 100 * hour), {
    service: 'installation',
    folio: 'IN-DINERO',
    minutes: 240,
    assigneeId: technician2.id,
  })
  const money = await moneyOf(customer, home.projectId, second.id)
  const each = [first, second, draft].map(({ id }) => id)
  paths = [
    '/',
    '/quote',
    '/payments',
    '/fiscal',
    '/installation',
    '/cuenta',
    '/cuenta?datos',
    '/account/data',

    '/admin',
    '/admin/cotizations',
    '/admin/cotizations?text=Camila',
    '/admin/cotizations?state=accepted',
    '/admin/cotizations.csv',
    '/admin/appointments-pending',
    '/admin/appointments-done',
    ...each.flatMap((id) => [`/quote?version=${id}`, `/admin/cotizations/detail-quote/${id}`]),
    ...[visit.id, ...each].map((id) => `/admin/cotizations/add-quote/${id}`),
    `/admin/appointments-done/${visit.id}`,
    `/admin/appointments-pending/${installation.id}`,
    ...[home.projectId, second.id].map((id) => `/admin/cotizations/cobros/${id}`),
    `/admin/users/${customer.id}`,
    `/payments/tarjeta/${money.paid}`,
  ]
  files = [
    ...each.map((id) => `/papers/quote/${id}.pdf`),
    `/papers/receipt/${money.paid}.pdf`,
    `/invoices/${money.invoice}.json`,
    `/documents/${money.paper}`,
  ]
}

async function moneyOf({ id: customerId }: Person, projectId: string, quoteId: string) {
  const whose = { customerId, projectId }
  const paper = randomUUID()
  await world.drive.put(paperKey({ id: paper }), Buffer.from('%PDF-1.4'), 'application/pdf')
  await world.db.insert(documents).values({
    ...whose,
    id: paper,
    purpose: 'payment_proof',
    type: 'application/pdf',
    bytes: 8,
    name: `${mark('document name')}.pdf`,
    sha256: 'a'.repeat(64),
    uploadedBy: customerId,
  })
  const [paid] = await world.db
    .insert(payments)
    .values([
      {
        ...whose,
        quoteId,
        folio: mark('payment folio'),
        concept: 'deposit',
        amount: amount('paid'),
        state: 'paid',
        method: 'spei',
        paidAt: new Date(),
        proofId: paper,
        note: mark('payment note'),
        bank: mark('bank'),
        trackingKey: mark('tracking key'),
      },
      {
        ...whose,
        quoteId,
        folio: mark('payment folio'),
        concept: 'balance',
        amount: amount('demanded'),
        rejectedReason: mark('rejected proof'),
      },
    ])
    .returning()
  await world.db.insert(refunds).values({
    ...whose,
    quoteId,
    folio: mark('refund folio'),
    amount: amount('refund'),
    reason: mark('refund reason'),
    clabe: '012180001234567899',
    beneficiary: mark('beneficiary'),
  })
  known.set(/012180001234567899/, 'clabe')
  await world.db.insert(fiscalData).values({
    customerId,
    state: 'submitted',
    rfc: 'CACX7605101P8',
    legalName: mark('legal name').toUpperCase(),
    regime: '612',
    cfdiUse: 'G03',
    postalCode: '04000',
    email: `${mark('fiscal email')}@prueba.mx`,
  })
  known.set(/CACX7605101P8/, 'rfc')
  const [invoice] = await world.db
    .insert(invoices)
    .values({
      ...whose,
      quoteId,
      kind: 'income',
      total: amount('invoice'),
      providerError: mark('provider error'),
      request: {
        Receptor: { Rfc: 'CACX7605101P8', Nombre: mark('invoice receiver') },
        Conceptos: [],
        MetodoPago: 'PUE',
        FormaPago: '03',
        TipoDeComprobante: 'I',
      },
    })
    .returning()
  return { paid: paid!.id, paper, invoice: invoice!.id }
}

/** The columns whose mark somebody meets anywhere. */
async function readBy(who: Who): Promise<Set<string>> {
  const found = new Set<string>()
  for (const path of [...paths, ...files])
    for (const { text, headers } of [await world.visit(path, cast[who]), await world.data(path, cast[who])]) {
      // What one asked for stands in the address of the answer.
      const all = `${text}${[...headers].flat().join()}`
      for (const [pattern, column] of known) if (pattern.test(all)) found.add(column)
    }
  return found
}

const others = [
  'customer2',
  'technician',
  'technician2',
  'gester',
  'ally',
  'ally2',
  'anonymous',
  'inactive',
  'ended',
  'expired',
  'forged',
  'closedAgency',
  'unnamed',
  'unnamedStaff',
] as readonly Who[]

test.each(others)('%s meets no amount and nothing private of it, on any screen', (who) => {
  expect([...seen[who]!]).toEqual([])
})

test.each(others)('%s opens none of its papers, by their real addresses', async (who) => {
  for (const path of files) {
    const { status } = await world.visit(path, cast[who])
    expect([path, [302, 401, 404].includes(status)]).toEqual([path, true])
  }
})

describe('those it is meant for', () => {
  test('the office reads what it needs', () => {
    for (const who of ['analyst', 'manager'] as const)
      for (const column of ['lowest total', 'accepted total', 'unit price', 'rfc'])
        expect([who, [...seen[who]!]]).toEqual([who, expect.arrayContaining([column])])
  })

  test('its customer reads their own, and nothing of a draft', () => {
    const own = ['accepted total', 'paid', 'demanded', 'refund', 'rfc', 'clabe', 'tracking key', 'invoice']
    expect([...seen.customer!]).toEqual(expect.arrayContaining(own))
    for (const column of ['draft notes', 'payment note', 'provider error'])
      expect([...seen.customer!]).not.toContain(column)
  })

  test('they open their papers', async () => {
    for (const who of ['customer', 'analyst', 'manager'] as const)
      for (const path of [files[1]!, files.at(-1)!])
        expect([who, path, (await world.visit(path, cast[who])).status]).toEqual([who, path, 200])
  })
})

test('whoever installs reads what was agreed, without a price', async () => {
  const { text } = await world.visit(
    paths.find((path) => path.startsWith('/admin/appointments-pending/'))!,
    cast.technician2,
  )
  expect(text).toContain('Partida uno')
})

test('no guessed word of a search says more than the list', async () => {
  const [{ id } = { id: '' }] = await world.db.select({ id: quotes.id }).from(quotes)
  for (const who of ['technician', 'technician2', 'ally', 'ally2', 'gester'] as const)
    for (const text of ['731', '0121800', 'CACX', id]) {
      const answer = await world.data(`/admin/cotizations?text=${text}`, cast[who])
      expect([who, text, answer.text.includes('COT-PRUEBA')]).toEqual([who, text, false])
    }
})
