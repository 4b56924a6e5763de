import { eq } from 'drizzle-orm'
import { invoiceKindLabels } from '../../../domain/invoice.ts'
import { money } from '../../../domain/shared/format.ts'
import { users } from '../../database/account-schema.ts'
import type { Db } from '../../database/database.ts'
import { invoices, quotes } from '../../database/money-schema.ts'
import type { AboutInvoice } from '../jobs.ts'
import type { Addressed } from '../money-letters.ts'
import { activeManagers, reader } from '../recipients.ts'
import type { Fact, House } from '../told.ts'
import { laidOut, type Words } from '../written.ts'

type Told = NonNullable<Awaited<ReturnType<typeof toldOf>>>

/** The letters about an invoice; none when it no longer stands as they would say. */
export async function invoiceLetters(
  db: Db,
  job: AboutInvoice,
  house: House,
  _now: Date,
): Promise<Addressed[]> {
  const told = await toldOf(db, job.invoiceId)
  if (!told || told.state !== stateOf[job.letter]) return []
  const words = wordsOf[job.letter](told)
  if (job.to === 'managers') {
    const link = {
      label: 'Ver la solicitud',
      href: `${house.baseUrl}/admin/cotizations/detail-quote/${told.quoteId}`,
    }
    return (await activeManagers(db)).map((one) => ({
      reader: one,
      letter: laidOut(words, one, house, link),
    }))
  }
  const link = { label: 'Ver mis facturas', href: `${house.baseUrl}/payments` }
  const { customer } = told
  return customer.active ? [{ reader: customer, letter: laidOut(words, customer, house, link) }] : []
}

const stateOf = {
  invoice_requested: 'requested',
  invoice_issued: 'issued',
  invoice_cancelled: 'cancelled',
} as const satisfies Record<AboutInvoice['letter'], string>

const facts = ({ folio, kind, total }: Told): Fact[] => [
  ['Documento', invoiceKindLabels[kind]],
  ...(folio ? [['Cotización', folio] as const] : []),
  ['Importe', money(total)],
]

const wordsOf: Record<AboutInvoice['letter'], (told: Told) => Words> = {
  invoice_requested: (told) => ({
    subject: `Hay una factura por timbrar${told.folio ? ` (${told.folio})` : ''}`,
    heading: 'Hay una factura por timbrar',
    paragraphs: [
      'Baja la solicitud, tímbrala y sube su XML y su PDF. Si tienes un proveedor configurado, se timbra sola.',
    ],
    facts: facts(told),
  }),
  invoice_issued: (told) => ({
    subject: `${issuedWords[told.kind]}${told.folio ? ` (${told.folio})` : ''}`,
    heading: issuedWords[told.kind],
    paragraphs: ['Baja su PDF y su XML cuando quieras.'],
    facts: [...facts(told), told.uuid ? ['Folio fiscal', told.uuid] : null],
  }),
  invoice_cancelled: (told) => ({
    subject: `Cancelamos un documento fiscal tuyo${told.folio ? ` (${told.folio})` : ''}`,
    heading: 'Cancelamos un documento fiscal tuyo',
    paragraphs: ['Si todavía necesitas tu factura, puedes pedirla otra vez.'],
    facts: [...facts(told), told.cancelReason ? ['Motivo', told.cancelReason] : null],
  }),
}
const issuedWords = {
  income: 'Tu factura está lista',
  payment: 'Tu complemento de pago está listo',
  credit_note: 'Tu nota de crédito está lista',
} as const

async function toldOf(db: Db, id: string) {
  const { cancelReason, kind, quoteId, state, total, uuid } = invoices
  const [row] = await db
    .select({ cancelReason, kind, quoteId, state, total, uuid, folio: quotes.folio, customer: reader })
    .from(invoices)
    .innerJoin(users, eq(users.id, invoices.customerId))
    .leftJoin(quotes, eq(quotes.id, quoteId))
    .where(eq(invoices.id, id))
  return row ?? null
}
