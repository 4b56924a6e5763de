import { quotes } from '../../../src/platform/database/schema/payments.ts'
import { projects } from '../../../src/platform/database/schema/projects.ts'
import { digestOf } from '../../../src/quotes/benefit.ts'
import { storeCode } from '../../kit/agencies.ts'
import { storeVisit } from '../../kit/appointments.ts'
import { ago, fixture, fromNow, runSql, setRow } from '../../kit/open.ts'
import { storeDraft } from '../../kit/quotes.ts'
import type { Everyone } from '../everyone.ts'
import { homeOf } from './own-appointments.ts'
import { type Actions, customers, type Fields, formAt } from './shape.ts'

type Stored = Partial<typeof quotes.$inferInsert>

/** A quote of the customer's that was sent, in the place of whatever they had. */
async function sentQuote({ analyst, customer }: Everyone, input: Stored = {}) {
  await runSql`update quotes set state = 'withdrawn', ended_at = now()
    where customer_id = ${customer.id} and state in ('draft', 'sent', 'viewed', 'accepted')`
  // Nothing of it has begun, whatever was installed before.
  await runSql`update appointments set outcome = 'not_possible'
    where customer_id = ${customer.id} and service = 'installation' and state = 'done'`
  const visit = await storeVisit(fixture, customer, await homeOf(customer), ago(86_400_000), {
    state: 'done',
  })
  const draft = await storeDraft(fixture, visit, analyst)
  const sent = {
    addressee: 'Camila Prueba',
    address: visit.address,
    sentAt: new Date(),
    sentBy: analyst.id,
    validUntil: fromNow(9 * 86_400_000),
  }
  const digest = digestOf({ ...draft, ...sent })
  const [quote] = await setRow(quotes, draft, {
    state: 'viewed',
    ...sent,
    digest,
    ...input,
    ...(input.acceptedAt && { acceptedDigest: digest }),
  }).returning()
  return quote!
}

const answering = (intent: string, form: Fields, input: Stored = {}, heard: 200 | 303 = 303) =>
  formAt(
    intent,
    '/quote',
    async (everyone) => {
      const { digest, id, version } = await sentQuote(everyone, input)
      return { intent, quoteId: id, version: String(version), digest: digest!, ...form }
    },
    // For anybody else the quote does not exist.
    { hears: { customer2: 404 }, may: { customer: heard } },
  )

const accepted: Stored = {
  state: 'accepted',
  acceptedOption: 'essential',
  acceptedTotal: 1160_00,
  depositAmount: 580_00,
  acceptedName: 'Camila Prueba',
  acceptedAt: new Date(),
}

/** What a customer sends about a quote. */
export const ownQuotes: Actions = {
  'quotes/screens/quote.tsx': [
    answering('accept-quote', { option: 'essential', name: 'Camila Prueba', conditions: 'on' }),
    answering('reject-quote', { reason: 'price' }),
    answering('ask-changes', { changes: 'Quiero el cargador en la cochera.' }),
    answering('ask-anew', {}, { state: 'expired', endedAt: new Date() }),
    answering('cancel-quote', { reason: 'Me mudo.' }, accepted),
    answering('note-viewed', {}, { state: 'sent' }, 200),
    formAt(
      'redeem-code',
      '/quote',
      async (everyone) => {
        await sentQuote(everyone)
        return { intent: 'redeem-code', codigo: (await storeCode(everyone.ally)).code }
      },
      { may: customers(303) },
    ),
  ],
}

/** The condominium's permit, which is not in the form: nothing is sent but words. */
export const permitForm = formAt(
  'hand-in-permit',
  '/installation',
  async ({ customer }) => {
    const { projectId } = await homeOf(customer)
    await setRow(projects, projectId, { permitNeeded: true })
    return { intent: 'hand-in-permit' }
  },
  { hears: customers(400) },
)
