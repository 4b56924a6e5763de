import { randomUUID } from 'node:crypto'
import { makeFeed } from '../../src/appointments/calendar.ts'
import { shareVisit } from '../../src/appointments/shared-visit.ts'
import { visitCards } from '../../src/platform/database/schema/accounts.ts'
import { handoverProofs } from '../../src/platform/database/schema/appointments.ts'
import { cfeCases } from '../../src/platform/database/schema/cfe.ts'
import { documents, invoices, payments } from '../../src/platform/database/schema/payments.ts'
import { paperKey } from '../../src/platform/storage/drive.ts'
import { storeCode } from '../kit/agencies.ts'
import { hour, storeVisit, type Visit } from '../kit/appointments.ts'
import { db, fixture, fromNow, newHome, storeRows } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { content, storeDraft } from '../kit/quotes.ts'
import { insertIn } from '../kit/reading.ts'
import { storePaper } from '../kit/users.ts'
import { storeInstallation, storePicture, storeSheet } from '../reports/installed.ts'
import type { Everyone } from './everyone.ts'

/** What stands behind addresses outside the screens, by the name that a table of them uses: one customer's, of one agency. */
export async function plantOutsideScreens(everyone: Everyone): Promise<Record<string, string>> {
  const { ally, analyst, customer, gester, technician } = everyone
  const agencyId = ally.agencyId!
  const home = await newHome(customer, {}, agencyId)
  const visit = (daysAhead: number, input: Partial<Visit> = {}, whose = { customer, home }) =>
    storeVisit(fixture, whose.customer, whose.home, fromNow((24 * daysAhead + 5) * hour), {
      assigneeId: technician.id,
      agencyId,
      ...input,
    })
  // Of one service there is one active visit to a home.
  const another = async (daysAhead: number, input: Partial<Visit> = {}) => {
    const stranger = await fixture.person()
    const whose = { customer: stranger, home: await newHome(stranger, {}, agencyId) }
    return (await visit(daysAhead, input, whose)).id
  }
  await storeRows(visitCards, { userId: technician.id, photo: Buffer.from('RIFF'), photoTag: 'tag' })
  const done = await visit(-2, { state: 'done' })
  const old = await visit(-31, { state: 'done' })
  await storeSheet('visit', old, technician)
  const quote = await storeDraft(fixture, done, analyst, {
    state: 'sent',
    sentAt: new Date(),
    validUntil: fromNow(48 * hour),
    digest: 'digest',
    content: content(),
  })
  const { visit: installed } = await storeInstallation(customer, technician, {}, home)
  const code = await storeCode(ally)
  const made = await insertIn(fixture, cfeCases, {
    folio: 'GES-2020-900001',
    projectId: home.projectId,
    customerId: customer.id,
    kind: 'load_increase',
    waitingOn: 'gester',
    gesterId: gester.id,
  })
  const next = await visit(2)
  return {
    ...(await moneyOf(customer, home.projectId, quote.id)),
    visit: next.id,
    shared: await shareVisit(db, customer.actor, next.id, new Date()),
    technician: technician.id,
    done: done.id,
    old: old.id,
    far: await another(61),
    provisional: await another(4, { state: 'requested', confirmedAt: null }),
    photo: (await storePicture(done, 'meter', technician.id)).id,
    oldPhoto: (await storePicture(old, 'extra_1', technician.id)).id,
    installed: installed.id,
    proof: await proofOf(installed.id),
    quote: quote.id,
    code: code.id,
    feed: await makeFeed(db, customer.actor, new Date()),
    case: made.id,
    agency: agencyId,
    month: new Date().toISOString().slice(0, 7),
    staffPaper: (await storePaper(technician)).documentId,
    nobody: randomUUID(),
  }
}

async function proofOf(appointmentId: string): Promise<string> {
  return (await insertIn(fixture, handoverProofs, { appointmentId })).secret
}

type Marked = {
  document?: Partial<typeof documents.$inferInsert>
  payment?: Partial<typeof payments.$inferInsert>
  invoice?: Partial<typeof invoices.$inferInsert>
}

/** A deposit paid with a proof, and its invoice. */
export async function moneyOf(
  { id: customerId }: Person,
  projectId: string,
  quoteId: string,
  marked: Marked = {},
) {
  const whose = { customerId, projectId }
  const document = randomUUID()
  await fixture.drive.put(paperKey({ id: document }), Buffer.from('%PDF-1.4'), 'application/pdf')
  await storeRows(documents, {
    ...whose,
    id: document,
    purpose: 'payment_proof',
    type: 'application/pdf',
    bytes: 8,
    name: 'comprobante.pdf',
    sha256: 'a'.repeat(64),
    uploadedBy: customerId,
    ...marked.document,
  })
  const paid = await insertIn(fixture, payments, {
    ...whose,
    quoteId,
    folio: 'PAG-PRUEBA',
    concept: 'deposit',
    amount: 100_00,
    state: 'paid',
    method: 'spei',
    paidAt: new Date(),
    proofId: document,
    ...marked.payment,
  })
  const invoice = await insertIn(fixture, invoices, {
    ...whose,
    quoteId,
    kind: 'income',
    total: 100_00,
    request: {
      Receptor: { Rfc: 'CACX7605101P8', Nombre: 'CAMILA PRUEBA' },
      Conceptos: [],
      MetodoPago: 'PUE',
      FormaPago: '03',
      TipoDeComprobante: 'I',
    },
    ...marked.invoice,
  })
  return { document, payment: paid.id, invoice: invoice.id }
}
