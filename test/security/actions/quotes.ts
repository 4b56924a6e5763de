import { documents } from '../../../src/platform/database/schema/payments.ts'
import { projects } from '../../../src/platform/database/schema/projects.ts'
import { askApproval } from '../../../src/quotes/approvals.ts'
import { saveDraft } from '../../../src/quotes/drafts.ts'
import { hour } from '../../kit/appointments.ts'
import { acceptedOf } from '../../kit/cfe.ts'
import { ago, db, fixture, setRow } from '../../kit/open.ts'
import { addressForm } from '../../kit/people.ts'
import { storeDraft } from '../../kit/quotes.ts'
import { insertIn } from '../../kit/reading.ts'
import { writeSheet } from '../../kit/reports.ts'
import { discounted, draftForm, smallContent } from '../../quotes/draft-form.ts'
import { storeSheet } from '../../reports/installed.ts'
import type { Everyone } from '../everyone.ts'
import { fiscalReviews, invoiceForms } from './invoices.ts'
import { type Action, type Actions, type Fields, formAt, type Heards } from './shape.ts'
import { visitOfToday } from './visit-of-today.ts'

const doneVisit = (everyone: Everyone) => visitOfToday(everyone, 'done', { outcome: 'completed' })

/** For the others the visit does not exist; the agency's ally and its technician see it. */
const strangers = { technician2: 404, gester: 404, ally2: 404 }
const both = { analyst: 303, manager: 303 }
const version = '1'

/** A form by which the office looks over a report that was sent. */
const review = (intent: string, form: Fields, may: Heards, hears: Heards = {}): Action => ({
  name: intent,
  async attempt(everyone) {
    const visit = await doneVisit(everyone)
    if (intent !== 'ask-for-report') await storeSheet('visit', visit, everyone.technician)
    return { path: `/admin/appointments-done/${visit.id}`, form: { intent, ...form } }
  },
  hears: { ...strangers, ...hears },
  may,
})

/** The office looks at the permit after a visit; one that was returned has gone, one that is valid can be looked at again. */
const permit = (intent: string, may: Heards): Action => ({
  name: intent,
  async attempt(everyone) {
    const { customerId, id, projectId } = await doneVisit(everyone)
    await setRow(projects, projectId!, { permitNeeded: true, permitReceivedAt: new Date() })
    const about = { purpose: 'condominium_permit', customerId, projectId, uploadedBy: customerId } as const
    const file = { name: 'permiso.pdf', type: 'application/pdf', bytes: 8, sha256: 'a'.repeat(64) } as const
    const { id: seen } = await insertIn(fixture, documents, { ...about, ...file })
    return { path: `/admin/appointments-done/${id}`, form: { intent, seen, reason: 'Falta el sello.' } }
  },
  hears: { ...strangers, technician: 404, ally: 404 },
  may,
})

/** What the office does with a report; the second comes too late. */
export const reviews: readonly Action[] = [
  review('approve-sheet', { version }, { manager: 303, analyst: 409 }),
  review(
    'return-sheet',
    { version, reason: 'No se lee el medidor.', 'redo.meter': 'on' },
    { analyst: 303, manager: 409 },
  ),
  review(
    'correct-answer',
    { name: 'panelBrand', base: '1', panelBrand: 'Siemens' },
    both,
    // Its author writes in another form, and not while it waits; the ally may not read it.
    { technician: 409, ally: 404 },
  ),
  review('ask-for-report', {}, both),
  permit('validate-permit', both),
  permit('return-permit', { manager: 303, analyst: 409 }),
]

/** A visit whose report was approved. */
async function reported(everyone: Everyone) {
  const visit = await doneVisit(everyone)
  await writeSheet(fixture, { ...visit, state: 'approved' }, { feasibility: 'viable' })
  return visit
}

/** A form of the page where the visit's quote is built. */
const building = (
  intent: string,
  may: Heards,
  form: (visitId: string, everyone: Everyone) => Promise<Fields>,
): Action => ({
  name: intent,
  async attempt(everyone) {
    const { id } = await reported(everyone)
    return { path: `/admin/cotizations/add-quote/${id}`, form: { intent, ...(await form(id, everyone)) } }
  },
  hears: strangers,
  may,
})

/** `isKept`: its draft is there already. */
const draft = (intent: string, may: Heards, isKept = false) =>
  building(intent, may, async (visitId, { manager }) => {
    const now = new Date()
    if (isKept) await saveDraft(db, manager.actor, visitId, { version: 0, content: smallContent(now) }, now)
    return { ...draftForm(now), version: isKept ? '1' : '0' }
  })

/** A draft with a discount that only the manager may send; `isAsked`: its author asked for it. */
const approving = (intent: string, who: 'analyst' | 'manager', isAsked = true) =>
  building(intent, { [who]: 303 }, async (visitId, { analyst }) => {
    const now = new Date()
    const saved = { version: 0, content: discounted(smallContent(now), 30_00) }
    const { id: quoteId } = await saveDraft(db, analyst.actor, visitId, saved, now)
    const reason = 'Compra dos.'
    if (isAsked) await askApproval(db, analyst.actor, { quoteId, version: 1, reason })
    return { quoteId, version, discountShare: '3000', reason, words: 'Baja el descuento.' }
  })

/** A quote of the first agency's client, whose visit the technician made. */
export async function quoted(everyone: Everyone, state: 'sent' | 'accepted', daysAgo = 0) {
  const visit = await reported(everyone)
  if (state === 'accepted') return acceptedOf(visit, everyone.analyst)
  const sentAt = ago(daysAgo * 24 * hour)
  const validUntil = new Date(sentAt.getTime() + 240 * hour)
  const sent = { digest: 'a'.repeat(64), sentAt, sentBy: everyone.analyst.id, validUntil }
  return storeDraft(fixture, visit, everyone.analyst, { state, ...sent })
}

/** A form of the screen of a quote. */
const desk = (
  intent: string,
  state: 'sent' | 'accepted',
  may: Heards,
  form: Fields = {},
  hears: Heards = strangers,
): Action => ({
  name: intent,
  async attempt(everyone) {
    const quote = await quoted(everyone, state)
    const path = `/admin/cotizations/detail-quote/${quote.id}`
    return { path, form: { intent, version: String(quote.version), ...form } }
  },
  hears,
  may,
})

/** What is done with quotes. */
export const quotes: Actions = {
  'quotes/screens/build.tsx': [
    draft('preview-quote', { analyst: 200, manager: 200 }),
    draft('save-quote', both),
    // The second finds it sent, in these very words.
    draft('send-quote', both),
    draft('discard-quote', { manager: 303, analyst: 303 }, true),
    approving('ask-approval', 'analyst', false),
    approving('approve-quote', 'manager'),
    approving('return-quote', 'manager'),
  ],
  'quotes/screens/list.tsx': [
    formAt(
      'remind-quotes',
      '/admin/cotizations?view=esperan',
      async (everyone) => {
        const { id } = await quoted(everyone, 'sent', 2)
        return { intent: 'remind-quotes', [`row.${id}`]: '1' }
      },
      // Once a day by the clock of the database, which stays where it is.
      { may: both },
    ),
    formAt(
      'take-quote',
      '/admin/cotizations',
      async (everyone) => ({ intent: 'take-quote', appointmentId: (await reported(everyone)).id }),
      { may: { analyst: 303, manager: 409 } },
    ),
  ],
  'quotes/screens/detail.tsx': [
    // Who writes none is told so, whether it exists or not.
    desk('revise-quote', 'sent', both, {}, {}),
    desk('withdraw-quote', 'sent', both),
    desk('cancel-quote', 'accepted', { manager: 303 }, { reason: 'Se muda.' }),
    desk('approve-home', 'accepted', { manager: 303 }, { ...addressForm, stands: 'yes', reason: 'Se muda.' }),
    ...fiscalReviews,
    ...invoiceForms,
  ],
}
