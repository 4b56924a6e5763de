import { randomUUID } from 'node:crypto'
import { and, asc, eq, sql } from 'drizzle-orm'
import { createDepositCharge } from '../../src/payments/charges.ts'
import type { Concept } from '../../src/payments/rules/payment.ts'
import { transaction } from '../../src/platform/database/client.ts'
import { bankLines, payments, quotes, refunds } from '../../src/platform/database/schema/payments.ts'
import { projects } from '../../src/platform/database/schema/projects.ts'
import { localDate, toMinutes } from '../../src/shared/calendar.ts'
import { fileOf, pdf } from '../documents/samples.ts'
import { storeVisit } from './appointments.ts'
import type { Fixture } from './fixture.ts'
import { db, fixture, newPerson, rowWhere, setRow } from './open.ts'
import type { Home, Person } from './people.ts'
import { content, option } from './quotes.ts'
import { insertIn } from './reading.ts'
import type { Answer } from './visitor.ts'

export const day = 24 * 3_600_000

/** Content that says nothing: what is paid asks nothing of it but the totals that were accepted. */
const nothing = content({ options: [option('recommended', { lines: [], addOns: [], metres: null })] })

type QuoteInput = Partial<typeof quotes.$inferInsert>

/** A quote of a customer's that was accepted, of $10,000.00 with a deposit of half; nothing is asked for yet. */
export async function storeAccepted(customer: Person, home: Home, input: QuoteInput = {}) {
  const acceptedAt = input.acceptedAt ?? new Date()
  const visit = await storeVisit(fixture, customer, home, new Date(acceptedAt.getTime() - 2 * day), {
    state: 'done',
    outcome: 'completed',
    finishedAt: new Date(acceptedAt.getTime() - 2 * day),
  })
  const maker = await newPerson({ kind: 'analyst', name: 'Ana' })
  const digest = 'a'.repeat(64)
  const quote = await insertIn(fixture, quotes, {
    folio: `COT-${randomUUID().slice(0, 8)}`,
    projectId: home.projectId,
    customerId: customer.id,
    appointmentId: visit.id,
    state: 'accepted',
    content: nothing,
    digest,
    madeBy: maker.id,
    sentBy: maker.id,
    sentAt: acceptedAt,
    answeredAt: acceptedAt,
    validUntil: new Date(acceptedAt.getTime() + 15 * day),
    acceptedOption: 'recommended',
    acceptedTotal: 10_000_00,
    depositAmount: 5_000_00,
    acceptedName: 'Camila Prueba',
    acceptedAt,
    acceptedDigest: digest,
    ...input,
  })
  if (quote.kind === 'installation') await setRow(projects, home.projectId, { quoteAcceptedAt: acceptedAt })
  return quote
}

export type Quote = Awaited<ReturnType<typeof storeAccepted>>

/** The same with what its acceptance asks for. */
export async function acceptQuote(customer: Person, home: Home, input: QuoteInput = {}) {
  const quote = await storeAccepted(customer, home, input)
  await transaction(db, (tx) => createDepositCharge(tx, quote, quote.acceptedAt!))
  return quote
}

export const rowsOf = (projectId: string) =>
  db
    .select()
    .from(payments)
    .where(eq(payments.projectId, projectId))
    .orderBy(asc(payments.createdAt), asc(payments.id))

/** What is asked for now, of one concept. */
export async function demandOf(projectId: string, concept: Concept = 'deposit') {
  const open = sql`${payments.state} in ('pending', 'in_review')`
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.projectId, projectId), eq(payments.concept, concept), open))
  return row
}

export const refundsOf = (projectId: string) =>
  db.select().from(refunds).where(eq(refunds.projectId, projectId)).orderBy(asc(refunds.createdAt))

/** "deposit paid 500000", of each row. */
export const wordsOf = (rows: readonly { concept: string; state: string; amount: number }[]) =>
  rows.map(({ amount, concept, state }) => `${concept} ${state} ${amount / 100}`)

/** The account of a real CLABE, to which the house's customers transfer. */
export const account = { beneficiary: 'Carga en Casa', bank: 'STP', clabe: '646180157000000004' }

/** Sets what the manager would. */
export const set = ({ db }: Pick<Fixture, 'db'>, value: object) =>
  db.execute(sql`insert into settings (key, value) values ('service', ${JSON.stringify(value)})
    on conflict (key) do update set value = excluded.value, version = settings.version + 1`)

type Fields = Record<string, string>

/** Sends a form that may carry a file, as a page without JavaScript does. */
export async function sendForm(
  fixture: Fixture,
  path: string,
  fields: Fields,
  as: Person,
  file: File | null = null,
  box = 'file',
): Promise<Answer> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set(box, file ?? new Blob([]), file?.name ?? '')
  const encoded = new Response(form)
  const headers = { origin: 'http://carga.test', 'content-type': encoded.headers.get('content-type') }
  const body = Buffer.from(await encoded.arrayBuffer()) as unknown as string
  return fixture.send(path, as, { method: 'POST', body, headers })
}

/** The bank's paper. */
export const paper = () => fileOf(pdf(), 'comprobante.pdf')

/** Where the office has the money of a project. */
export const office = (projectId: string) => `/admin/cotizations/cobros/${projectId}`

/** A customer sends the proof of a demand. */
export async function prove(
  customer: Person,
  projectId: string,
  more: Fields = {},
  file: File | null = paper(),
) {
  const demand = (await demandOf(projectId)) ?? (await demandOf(projectId, 'visit_fee'))
  const fields = {
    paymentId: demand?.id ?? '',
    version: String(demand?.version ?? 1),
    bank: '012',
    trackingKey: 'MBAN01002411',
  }
  return sendForm(fixture, '/payments', { intent: 'send-proof', ...fields, ...more }, customer, file)
}

/** The local date of now. */
export const today = () => localDate(toMinutes(new Date()))

export const bank = '/admin/payments/banco'
const heading = 'Fecha,Descripción,Referencia,Clave de rastreo,Cargo,Abono,Saldo'
let balance = 0

/** A row of the bank's file: money that came in. */
export const came = (
  day: string,
  amount: string,
  { text = 'SPEI RECIBIDO', reference = '', key = '' } = {},
) => `${day},"${text}",${reference},${key},,"${amount}",${++balance}`
export const csv = (...rows: string[]) => [heading, ...rows].join('\r\n')

/** Hands in a file, confirms its columns as they are proposed, and answers what its reader is told. */
export async function reads(
  who: Person,
  text: string,
  name = 'movimientos.csv',
  otherwise: Record<string, string> = {},
) {
  const up = await uploads(who, text, name)
  const address = up.location!
  const { text: page } = await fixture.visit(address, who)
  const statementId = /name="statementId" value="([^"]+)"/.exec(page)![1]!
  const columns = { date: '0', description: '1', reference: '2', trackingKey: '3', debit: '4', credit: '5' }
  const file = { statementId, version: '1', account: '1234', ...columns }
  return fixture.post(address, { intent: 'read-statement', ...file, ...otherwise }, who)
}

export const uploads = (who: Person, text: string | Uint8Array<ArrayBuffer>, name = 'movimientos.csv') =>
  sendForm(fixture, bank, { intent: 'upload-statement' }, who, new File([text], name, { type: 'text/csv' }))

/** A customer whose deposit of $5,000.00 waits: with the proof of a transfer, or without one. */
export async function owing(trackingKey: string | null = null) {
  const customer = await newPerson({ name: 'Camila', lastname: 'Prueba' })
  const home = await fixture.home(customer)
  await acceptQuote(customer, home)
  if (trackingKey) await prove(customer, home.projectId, { trackingKey })
  const demand = (await demandOf(home.projectId))!
  return { customer, projectId: home.projectId, demand }
}

/** The movements as stored, in the order they came. */
export const linesOf = () =>
  db.select().from(bankLines).orderBy(asc(bankLines.bookedOn), asc(bankLines.amount), asc(bankLines.id))
export const lineOf = async (trackingKey: string) => (await rowWhere(bankLines, { trackingKey }))!

type Seen = { id: string; version: number }

/** The form by which the office confirms a proof. */
export const confirming = ({ id, version }: Seen, amount: string, more: Fields = {}) => ({
  intent: 'confirm-proof',
  paymentId: id,
  version: String(version),
  amount,
  paidOn: today(),
  ...more,
})

/** The form of a payment that the manager records, in cash by default. */
export const recording = (amount: string, more: Fields = {}) => ({
  intent: 'record-payment',
  requestKey: randomUUID(),
  paymentId: '',
  amount,
  method: 'cash',
  paidOn: today(),
  bank: '',
  trackingKey: '',
  note: '',
  ...more,
})

/** The form by which the office matches a movement of the bank with a payment. */
export const matching = (line: { id: string }, payment: Seen, sure = '') => ({
  intent: 'confirm-match',
  lineId: line.id,
  paymentId: payment.id,
  version: String(payment.version),
  sure,
})

/** A local date as a bank writes it. */
export const slashed = (date: string) => date.split('-').reverse().join('/')
