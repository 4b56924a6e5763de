import { askApproval } from '../../../src/server/quotes/approvals.ts'
import { saveDraft } from '../../../src/server/quotes/drafts.ts'
import { writeSheet } from '../../kit/reports.ts'
import type { World } from '../../kit/world.ts'
import { discounted, draftForm, smallContent } from '../../quotes/draft-form.ts'
import type { Cast } from '../cast.ts'
import type { Action, Actions, Heards } from './shape.ts'
import { visitOfToday } from './visit-of-today.ts'

/** A visit whose report was approved, and the page where its quote is built. */
async function reported(world: World, cast: Cast) {
  const visit = await visitOfToday(world, cast, 'done', { outcome: 'completed' })
  await writeSheet(world, { ...visit, state: 'approved' })
  return { visit, path: `/admin/cotizations/add-quote/${visit.id}` }
}

const building = (name: string, may: Heards, attempt: Action['attempt']): Action => ({
  name,
  attempt,
  // For the others the visit does not exist; the agency's ally and its technician see it.
  hears: { technician2: 404, gester: 404, ally2: 404 },
  may,
})

/** A form of the builder; `isKept`: its draft is there already. */
const draft = (intent: string, may: Heards, isKept = false) =>
  building(intent, may, async (world, cast) => {
    const { path, visit } = await reported(world, cast)
    const now = new Date()
    const saved = { version: 0, content: smallContent(now) }
    if (isKept) await saveDraft(world.db, cast.manager.actor, visit.id, saved, now)
    return { path, form: { ...draftForm(now), version: isKept ? '1' : '0', intent } }
  })

/** A draft with a discount that only the manager may send; `isAsked`: its author asked for it. */
const approving = (intent: string, who: 'analyst' | 'manager', isAsked = true) =>
  building(intent, { [who]: 303 }, async (world, cast) => {
    const { path, visit } = await reported(world, cast)
    const { actor } = cast.analyst
    const now = new Date()
    const saved = { version: 0, content: discounted(smallContent(now), 30_00) }
    const { id: quoteId } = await saveDraft(world.db, actor, visit.id, saved, now)
    const reason = 'Compra dos.'
    if (isAsked) await askApproval(world.db, actor, { quoteId, version: 1, reason })
    const words = { reason, words: 'Baja el descuento.' }
    return { path, form: { intent, quoteId, version: '1', discountShare: '3000', ...words } }
  })

/** The builder of a quote. */
export const drafts: Actions = {
  'quotes/build.tsx': [
    draft('preview-quote', { analyst: 200, manager: 200 }),
    draft('save-quote', { analyst: 303, manager: 303 }),
    // The second finds it sent, in these very words.
    draft('send-quote', { analyst: 303, manager: 303 }),
    draft('discard-quote', { manager: 303, analyst: 303 }, true),
    approving('ask-approval', 'analyst', false),
    approving('approve-quote', 'manager'),
    approving('return-quote', 'manager'),
  ],
}
