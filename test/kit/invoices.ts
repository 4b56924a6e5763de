import { asc, desc, eq } from 'drizzle-orm'
import type { Cfdi } from '../../src/invoices/rules/cfdi-schema.ts'
import type { InvoiceRow } from '../../src/invoices/sync-invoices.ts'
import { type IncomingPayment, recordPayment } from '../../src/payments/record-payment.ts'
import { transaction } from '../../src/platform/database/client.ts'
import { fiscalData, invoices } from '../../src/platform/database/schema/payments.ts'
import { events, settings } from '../../src/platform/database/schema/projects.ts'
import { totalsOf } from '../../src/quotes/rules/totals.ts'
import { defaultSettings } from '../../src/settings/rules/settings-schema.ts'
import { fileOf, pdf } from '../documents/samples.ts'
import { stampedXml } from '../invoices/stamped-xml.ts'
import type { Fixture } from './fixture.ts'
import { db, rowWhere } from './open.ts'
import { acceptQuote, demandOf, type Quote } from './payments.ts'
import type { Home, Person } from './people.ts'
import { line, option, content as quoteContent } from './quotes.ts'
import { dataPath } from './visitor.ts'

export const issuer = {
  rfc: 'EKU9003173C9',
  name: 'ESCUELA KEMPER URGATE',
  regime: '601',
  postalCode: '42501',
}
const someone = { rfc: 'CACX7605101P8', legalName: 'XOCHILT CASAS CHAVEZ', postalCode: '36257' }

export async function storeIssuer() {
  await db
    .insert(settings)
    .values({ key: 'service', value: { ...defaultSettings, issuer } })
    .onConflictDoNothing()
}

type Fiscal = Partial<typeof fiscalData.$inferInsert>
export const storeFiscal = ({ id }: Person, input: Fiscal = {}) =>
  db
    .insert(fiscalData)
    .values({
      customerId: id,
      state: 'verified',
      regime: '612',
      cfdiUse: 'G03',
      email: 'x@prueba.mx',
      ...someone,
      ...input,
    })
    .onConflictDoUpdate({ target: fiscalData.customerId, set: { version: 2, ...input } })

const lines = [
  line('cable', { quantity: 13_500, unitPrice: 483_7500 }),
  line('permiso', { iva: 0, unitPrice: 333_3333 }),
]
export const total = totalsOf(lines).total
const content = quoteContent({ options: [option('recommended', { lines, addOns: [], metres: null })] })

/** A quote of $7,910.82 that was accepted, its deposit asked for. */
export const storeAccepted = (customer: Person, home: Home) =>
  acceptQuote(customer, home, { content, acceptedTotal: total, depositAmount: Math.ceil(total / 2) })

/** Money that comes in for what is asked for now. */
export async function pay({ projectId }: Quote, amount: number, more: Partial<IncomingPayment> = {}) {
  const demand = (await demandOf(projectId)) ?? (await demandOf(projectId, 'balance'))
  const taking = { projectId, paymentId: demand?.id ?? null, amount, method: 'spei', actorId: null } as const
  const now = new Date()
  return transaction(db, (tx) => recordPayment(tx, { ...taking, paidAt: now, ...more }, now))
}

export const invoicesOf = async (projectId: string) =>
  (await db
    .select()
    .from(invoices)
    .where(eq(invoices.projectId, projectId))
    .orderBy(asc(invoices.createdAt), asc(invoices.id))) as InvoiceRow[]

/** "income requested 791082", of each. */
export const inShort = async (projectId: string) =>
  (await invoicesOf(projectId)).map(({ kind, state, total: sum }) => `${kind} ${state} ${sum / 100}`)

let stamps = 0
export const newFolio = () => `5F2C1D0A-8A0B-4C9E-9B0F-${String(++stamps).padStart(12, '0')}`

/** The XML of a request that was stamped as it is. */
export const xmlOf = (request: Cfdi, uuid = newFolio()) => stampedXml(request, uuid)

export const files = (xml: string) => ({
  xml: fileOf(xml, 'factura.xml', 'application/xml'),
  pdf: fileOf(pdf(), 'factura.pdf'),
})

/** The form of a customer who may deduct everything. */
export const typed = {
  rfc: ' gode-561231-gr8 ',
  legalName: ' Eva  Gómez ',
  regime: '612',
  cfdiUse: 'G03',
  postalCode: '04000',
  email: 'Facturas@Prueba.MX',
}
type Form = Partial<Record<keyof typeof typed | 'intent' | 'version', string>>

/** Sends /fiscal as a browser does, with a Constancia or without one. */
export function sendFiscal(
  fixture: Pick<Fixture, 'send'>,
  by: Person,
  form: Form = {},
  constancia?: Buffer,
  asData = false,
) {
  const body = new FormData()
  const fields = { intent: 'submit-fiscal', ...typed, ...form }
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) body.set(name, value)
  // A browser sends a box that was left empty as a file without a name.
  body.set('constancia', constancia ? fileOf(constancia, 'constancia.pdf') : fileOf('', ''))
  const headers = { origin: 'http://carga.test' }
  return fixture.send(asData ? dataPath('/fiscal') : '/fiscal', by, { method: 'POST', headers, body })
}

export const fiscalDataOf = (_world: Fixture, { id }: Person) => rowWhere(fiscalData, { customerId: id })

/** What was done to someone's fiscal data, last first, without what they say. */
export const trailOfFiscal = async ({ id }: Person) =>
  db
    .select({ name: events.name, to: events.toState, reason: events.reason, data: events.data })
    .from(events)
    .where(eq(events.entityId, id))
    .orderBy(desc(events.id))
    .then((rows) => rows.filter(({ name }) => ['keep', 'submit', 'verify', 'reject'].includes(name)))
