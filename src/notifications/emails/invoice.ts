import { desc, eq } from 'drizzle-orm'
import { type InvoiceState, invoiceKindLabels } from '../../invoices/rules/invoice.ts'
import type { FiscalState } from '../../invoices/rules/taxpayer.ts'
import type { Db } from '../../platform/database/client.ts'
import { users } from '../../platform/database/schema/accounts.ts'
import { fiscalData, invoices, quotes } from '../../platform/database/schema/payments.ts'
import type { FiscalEmailJob, InvoiceEmailJob } from '../../platform/jobs/emails.ts'
import { quotePartPath } from '../../quotes/rules/quote-path.ts'
import { money } from '../../shared/format.ts'
import {
  activeCustomer,
  activeManagers,
  type Email,
  type EmailBody,
  type EmailsOf,
  type Fact,
  recipient,
} from '../email.ts'

type InvoiceFacts = NonNullable<Awaited<ReturnType<typeof loadInvoice>>>

const issuedHeadings = {
  income: 'Tu factura está lista',
  payment: 'Tu complemento de pago está listo',
  credit_note: 'Tu nota de crédito está lista',
} as const

const invoiceRequested: Email<InvoiceEmailJob, InvoiceFacts> = {
  load: loadInvoice,
  isRelevant: ({ state }) => state === 'requested',
  recipients: activeManagers,
  compose: (invoice, _reader, { baseUrl }) => ({
    heading: 'Hay una factura por timbrar',
    folio: invoice.folio,
    paragraphs: [
      'Descarga los datos, timbra la factura y sube su XML y su PDF. Si tienes un proveedor configurado, se timbra sola.',
    ],
    facts: invoiceFacts(invoice),
    link: {
      label: 'Ver la solicitud',
      href: deskLink(baseUrl, invoice.quoteId),
    },
  }),
}

const invoiceToCustomer = (
  state: InvoiceState,
  compose: (invoice: InvoiceFacts) => EmailBody,
): Email<InvoiceEmailJob, InvoiceFacts> => ({
  load: loadInvoice,
  isRelevant: (invoice) => invoice.state === state,
  recipients: activeCustomer,
  compose: (invoice, _reader, { baseUrl }) => ({
    ...compose(invoice),
    folio: invoice.folio,
    link: { label: 'Ver mis facturas', href: `${baseUrl}/payments` },
  }),
})

/** The office's page of a quote's invoices; without a quote its list. */
const deskLink = (baseUrl: string, quoteId: string | null) =>
  `${baseUrl}${quoteId ? quotePartPath(quoteId, 'fiscal') : '/admin/cotizations'}`

const invoiceFacts = ({ folio, kind, total }: InvoiceFacts): Fact[] => [
  ['Documento', invoiceKindLabels[kind]],
  ...(folio ? [['Cotización', folio] as const] : []),
  ['Importe', money(total)],
]

async function loadInvoice(db: Db, { invoiceId }: InvoiceEmailJob) {
  const { cancelReason, kind, quoteId, state, total, uuid } = invoices
  const [row] = await db
    .select({ cancelReason, kind, quoteId, state, total, uuid, folio: quotes.folio, customer: recipient })
    .from(invoices)
    .innerJoin(users, eq(users.id, invoices.customerId))
    .leftJoin(quotes, eq(quotes.id, quoteId))
    .where(eq(invoices.id, invoiceId))
  return row
}

type FiscalFacts = NonNullable<Awaited<ReturnType<typeof loadFiscal>>>

const fiscalSubmitted: Email<FiscalEmailJob, FiscalFacts & { quoteId: string | null }> = {
  load: loadFiscalWithQuote,
  isRelevant: isIn('submitted'),
  recipients: activeManagers,
  compose: ({ customer, lastname, quoteId }, _reader, { baseUrl }) => ({
    heading: 'Hay datos fiscales por revisar',
    paragraphs: ['Compáralos con la Constancia antes de verificarlos. Están en su cotización.'],
    facts: [['Cliente', [customer.name, lastname].filter(Boolean).join(' ')]],
    link: {
      label: 'Revisarlos',
      href: deskLink(baseUrl, quoteId),
    },
  }),
}

/** They contain no fiscal data. */
const fiscalToCustomer = (
  state: FiscalState,
  compose: (fiscal: FiscalFacts) => EmailBody,
): Email<FiscalEmailJob, FiscalFacts> => ({
  load: loadFiscal,
  isRelevant: isIn(state),
  recipients: activeCustomer,
  compose: (fiscal, _reader, { baseUrl }) => ({
    ...compose(fiscal),
    link: { label: 'Ver mis datos fiscales', href: `${baseUrl}/fiscal` },
  }),
})

function isIn(wanted: FiscalState) {
  return ({ customer, state }: FiscalFacts) => state === wanted && customer.active
}

async function loadFiscal(db: Db, { fiscalOf }: FiscalEmailJob) {
  const [row] = await db
    .select({
      state: fiscalData.state,
      rejectedReason: fiscalData.rejectedReason,
      customer: recipient,
      lastname: users.lastname,
    })
    .from(fiscalData)
    .innerJoin(users, eq(users.id, fiscalData.customerId))
    .where(eq(fiscalData.customerId, fiscalOf))
  return row
}

/** With their newest quote, on whose page the managers review them. */
async function loadFiscalWithQuote(db: Db, job: FiscalEmailJob) {
  const fiscal = await loadFiscal(db, job)
  const [quote] = await db
    .select({ id: quotes.id })
    .from(quotes)
    .where(eq(quotes.customerId, job.fiscalOf))
    .orderBy(desc(quotes.createdAt))
    .limit(1)
  return fiscal && { ...fiscal, quoteId: quote?.id ?? null }
}

/** The e-mails about invoices and about a customer's fiscal data. */
export const invoiceEmails = {
  customer: {
    invoice_issued: invoiceToCustomer('issued', (invoice) => ({
      heading: issuedHeadings[invoice.kind],
      paragraphs: ['Descarga su PDF y su XML cuando quieras.'],
      facts: [...invoiceFacts(invoice), invoice.uuid ? ['Folio fiscal', invoice.uuid] : null],
    })),
    invoice_cancelled: invoiceToCustomer('cancelled', (invoice) => ({
      heading: 'Cancelamos un documento fiscal tuyo',
      paragraphs: ['Si todavía necesitas tu factura, puedes pedirla otra vez.'],
      facts: [...invoiceFacts(invoice), invoice.cancelReason ? ['Motivo', invoice.cancelReason] : null],
    })),
    fiscal_verified: fiscalToCustomer('verified', () => ({
      subject: 'Verificamos tus datos fiscales',
      heading: 'Tus datos fiscales están listos',
      paragraphs: ['Los usaremos en tus facturas. Si cambian, edítalos y los revisamos otra vez.'],
      facts: [],
    })),
    fiscal_rejected: fiscalToCustomer('rejected', ({ customer, rejectedReason }) => ({
      subject: 'Corrige tus datos fiscales',
      heading: 'Hay algo que corregir en tus datos fiscales',
      paragraphs: ['Sin ellos no podemos hacer tu factura. Corrígelos y los revisamos otra vez.'],
      facts: [rejectedReason && customer.emailVerified ? ['Qué corregir', rejectedReason] : null],
    })),
  },
  managers: { invoice_requested: invoiceRequested, fiscal_submitted: fiscalSubmitted },
} satisfies EmailsOf<InvoiceEmailJob | FiscalEmailJob>
