import { askApproval } from '../../../src/server/quotes/approvals.ts'
import { saveDraft } from '../../../src/server/quotes/drafts.ts'
import { writeSheet } from '../../kit/reports.ts'
import { discounted, draftForm, smallContent } from '../../quotes/draft-form.ts'
import type { Action, Actions } from './shape.ts'
import { visitOfToday } from './visit-of-today.ts'

/** A form of the builder of a visit whose report was approved; `kept`: its draft is there already. */
const building = (intent: string, may: Action['may'], kept = false): Action => ({
  name: intent,
  async attempt(world, cast) {
    const visit = await visitOfToday(world, cast, 'done', { outcome: 'completed' })
    await writeSheet(world, { ...visit, state: 'approved' })
    const now = new Date()
    const content = smallContent(now)
    if (kept) await saveDraft(world.db, cast.manager.actor, visit.id, { version: 0, content }, now)
    const form = { ...draftForm(now), version: kept ? '1' : '0', intent }
    return { path: `/admin/cotizations/add-quote/${visit.id}`, form }
  },
  // For the others the visit does not exist; the agency's ally and its technician see it.
  hears: { technician2: 404, gester: 404, ally2: 404 },
  ...(may && { may }),
})

/** A draft with a discount that only the manager may send; `asked`: its author asked for it. */
const approving = (intent: string, who: 'analyst' | 'manager', asked = true): Action => ({
  name: intent,
  async attempt(world, cast) {
    const visit = await visitOfToday(world, cast, 'done', { outcome: 'completed' })
    await writeSheet(world, { ...visit, state: 'approved' })
    const now = new Date()
    const { analyst } = cast
    const wish = { version: 0, content: discounted(smallContent(now), 30_00) }
    const { id: quoteId } = await saveDraft(world.db, analyst.actor, visit.id, wish, now)
    const about = { quoteId, version: 1 }
    if (asked) await askApproval(world.db, analyst.actor, { ...about, reason: 'Compra dos.' })
    const words = { reason: 'Compra dos.', words: 'Baja el descuento.' }
    const form = { intent, quoteId, version: '1', discountShare: '3000', ...words }
    return { path: `/admin/cotizations/add-quote/${visit.id}`, form }
  },
  hears: { technician2: 404, gester: 404, ally2: 404 },
  may: { [who]: 303 },
})

/** The builder of a quote. */
export const drafts: Actions = {
  'quotes/build.tsx': [
    building('preview-quote', { analyst: 200, manager: 200 }),
    building('save-quote', { analyst: 303, manager: 303 }),
    // The second finds it sent, in these very words.
    building('send-quote', { analyst: 303, manager: 303 }),
    building('discard-quote', { manager: 303, analyst: 303 }, true),
    approving('ask-approval', 'analyst', false),
    approving('approve-quote', 'manager'),
    approving('return-quote', 'manager'),
  ],
}
