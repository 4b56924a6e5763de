import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { timeOff } from '../../src/platform/database/schema/accounts.ts'
import { clients, commissionPayouts, webhookEndpoints } from '../../src/platform/database/schema/agencies.ts'
import {
  appointments,
  moveOffers,
  slotOffers,
  slotWishes,
} from '../../src/platform/database/schema/appointments.ts'
import { cfeCases } from '../../src/platform/database/schema/cfe.ts'
import { documents, invoices, payments, refunds } from '../../src/platform/database/schema/payments.ts'
import { staffPapers } from '../../src/platform/database/schema/staff.ts'
import { hashOf } from '../../src/platform/http/sealing.ts'
import { storeCode } from '../kit/agencies.ts'
import { storeVisit } from '../kit/appointments.ts'
import { storeFiscal } from '../kit/invoices.ts'
import {
  ally,
  analyst,
  customer,
  db,
  fixture,
  fromNow,
  gester,
  manager,
  rowWhere,
  technician,
  technician2,
} from '../kit/open.ts'
import type { Home } from '../kit/people.ts'
import { storeSent } from '../kit/quotes.ts'

/** At ten past ten in Mexico City: no hour of the office's. */
export const soon = new Date(
  `${fromNow(20 * 24 * 3_600_000)
    .toISOString()
    .slice(0, 10)}T16:10:00Z`,
)
export const before = new Date(soon.getTime() - 135 * 60_000)
export const offered = new Date(soon.getTime() - 3_600_000)
export const since = new Date('2026-11-01T16:00:00Z')

/** Stores one of everything that e-mails are about, and answers what their jobs name. */
export async function storeSubjects(): Promise<Record<string, object>> {
  const quote = await storeSent({ customer, technician, maker: analyst })
  const { address } = (await rowWhere(appointments, { id: quote.appointmentId }))!
  const { id: quoteId, projectId } = quote
  const customerId = customer.id
  const agencyId = ally.agencyId!
  const home = { projectId, address } as Home
  const { id: appointmentId } = await storeVisit(fixture, customer, home, soon, { assigneeId: technician.id })
  await storeFiscal(customer)
  const { id: codeId } = await storeCode(ally, { code: 'CDG2345' })
  const of = { customerId, projectId }
  return db.transaction(async (tx) => {
    // Not everything that a row names is here.
    await tx.execute(sql`set local session_replication_role = replica`)
    const add = async (table: PgTable, values: object) => {
      const [row] = await tx.insert(table).values(values).returning()
      return (row as { id: string }).id
    }
    const offer = { expiresAt: new Date(soon.getTime() - 4 * 3_600_000), startsAt: offered }
    const wishId = await add(slotWishes, { ...of, appointmentId, service: 'technical_visit' })
    return {
      slot_offer: { offerId: await add(slotOffers, { ...offer, wishId }) },
      move_offer: {
        offerId: await add(moveOffers, {
          appointmentId,
          absentId: technician.id,
          assigneeId: technician2.id,
          harm: 60,
          fromStartsAt: soon,
          toStartsAt: offer.startsAt,
          madeBy: manager.id,
          expiresAt: offer.expiresAt,
        }),
      },
      time_off: {
        timeOffId: await add(timeOff, {
          personId: technician.id,
          during: '[2031-03-04T00:00-06:00,2031-03-06T00:00-06:00)',
          reason: 'Boda',
        }),
      },
      paper: {
        paperId: await add(staffPapers, {
          personId: technician.id,
          kind: 'ec0118',
          number: 'D-0001',
          issued: '2024-01-10',
          expires: '2027-01-10',
          documentId: await add(documents, {
            purpose: 'staff_paper',
            name: 'papel.pdf',
            type: 'application/pdf',
            bytes: 8,
            sha256: 'a'.repeat(64),
            uploadedBy: technician.id,
          }),
        }),
      },
      payment: {
        paymentId: await add(payments, {
          ...of,
          folio: 'PAG-2026-00001',
          concept: 'deposit',
          amount: 100_00,
        }),
      },
      refund: {
        refundId: await add(refunds, { ...of, folio: 'REE-2026-00001', amount: 100_00, reason: 'De más' }),
      },
      invoice: {
        invoiceId: await add(invoices, { ...of, quoteId, kind: 'income', request: {}, total: 100_00 }),
      },
      case: {
        caseId: await add(cfeCases, {
          ...of,
          folio: 'CFE-2026-00001',
          kind: 'second_meter',
          gesterId: gester.id,
          waitingSince: since,
        }),
        since: since.toISOString(),
      },
      client: {
        clientId: await add(clients, {
          agencyId,
          allyId: ally.id,
          source: 'counter',
          name: 'Nadia',
          email: 'nadia@prueba.mx',
          phone: '5544332211',
          inviteHash: hashOf('token'),
          inviteExpiresAt: soon,
        }),
        token: 'token',
      },
      commission: {
        payoutId: await add(commissionPayouts, {
          agencyId,
          amount: 100_00,
          paidOn: '2026-11-20',
          reference: 'SPEI 1',
          proofId: randomUUID(),
          paidBy: manager.id,
          requestKey: randomUUID(),
        }),
      },
      webhook: {
        endpointId: await add(webhookEndpoints, {
          agencyId,
          url: 'https://sistema.example/hook',
          secret: 'x',
          madeBy: manager.id,
        }),
      },
      quote: { quoteId },
      appointment: { appointmentId, was: { startsAt: soon.toISOString() } },
      project: { projectId },
      fiscal: { fiscalOf: customerId },
      code: { codeId },
      cases_handed: { gesterId: gester.id, count: 2 },
    }
  })
}
