import { randomUUID } from 'node:crypto'
import type { DocumentPurpose } from '../../src/documents/rules/document.ts'
import { users } from '../../src/platform/database/schema/accounts.ts'
import { documents, payments } from '../../src/platform/database/schema/payments.ts'
import { projects } from '../../src/platform/database/schema/projects.ts'
import { paperKey } from '../../src/platform/storage/drive.ts'
import { fixture, fromNow, setRow, storeRows } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'

/** So many days from now; negative is ago. */
export const inDays = (days: number) => fromNow(days * 24 * 3_600_000)

/** A paper of a customer's with its file; returns its id. */
export async function storePaper(
  { id: customerId }: Person,
  purpose: DocumentPurpose,
  more: Partial<typeof documents.$inferInsert> = {},
) {
  const id = randomUUID()
  await fixture.drive.put(paperKey({ id }), Buffer.from('x'), 'application/pdf')
  const file = { type: 'application/pdf', name: 'irrepetible.pdf', bytes: 1, sha256: 'e'.repeat(64) } as const
  await storeRows(documents, { id, customerId, purpose, uploadedBy: customerId, ...file, ...more })
  return id
}

/** A transfer that was received. */
export async function storeTransfer(
  { id: customerId }: Person,
  projectId: string,
  more: Partial<typeof payments.$inferInsert> = {},
) {
  const paid = { state: 'paid', paidAt: new Date(), method: 'spei', trackingKey: randomUUID() } as const
  const [payment] = await storeRows(payments, {
    customerId,
    projectId,
    folio: `PAG-${randomUUID().slice(0, 8)}`,
    concept: 'deposit',
    amount: 580_00,
    ...paid,
    ...more,
  })
  return payment!
}

/** Closes a customer's project and ends the days of waiting for the deletion of the account. */
export async function leave({ id }: Person, projectId: string) {
  await setRow(projects, projectId, { closedAt: new Date() })
  await setRow(users, id, { deletionRequestedAt: inDays(-6) })
}
