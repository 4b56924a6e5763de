import { hour } from '../../kit/appointments.ts'
import { addressForm } from '../../kit/people.ts'
import { content, storeDraft } from '../../kit/quotes.ts'
import { writeSheet } from '../../kit/reports.ts'
import type { World } from '../../kit/world.ts'
import type { Cast } from '../cast.ts'
import { fiscalReviews } from './fiscal.ts'
import { invoiceForms } from './invoices.ts'
import type { Action, Actions, Fields, Heards } from './shape.ts'
import { visitOfToday } from './visit-of-today.ts'

const digest = 'a'.repeat(64)
const acceptance = {
  acceptedOption: 'essential',
  acceptedTotal: 1160_00,
  depositAmount: 580_00,
  acceptedName: 'Cliente',
  acceptedDigest: digest,
}

/** A quote of the first agency's client, whose visit the technician made. */
export async function quoted(world: World, cast: Cast, state: 'sent' | 'accepted', daysAgo = 0) {
  const visit = await visitOfToday(world, cast, 'done', { outcome: 'completed' })
  await writeSheet(world, { ...visit, state: 'approved' }, { feasibility: 'viable' })
  const sentAt = new Date(Date.now() - daysAgo * 24 * hour)
  return storeDraft(world, visit, cast.analyst, {
    state,
    content: content(),
    digest,
    sentAt,
    sentBy: cast.analyst.id,
    validUntil: new Date(sentAt.getTime() + 240 * hour),
    ...(state === 'accepted' && { ...acceptance, acceptedAt: sentAt }),
  })
}

/** A form of the screen of a quote. */
const desk = (
  intent: string,
  state: 'sent' | 'accepted',
  may: Heards,
  form: Fields = {},
  others = 404,
): Action => ({
  name: intent,
  async attempt(world, cast) {
    const { id, version } = await quoted(world, cast, state)
    const path = `/admin/cotizations/detail-quote/${id}`
    return { path, form: { intent, version: String(version), ...form } }
  },
  // For them it does not exist; the agency's ally and its technician read of it.
  hears: { technician2: others, gester: others, ally2: others },
  may,
})

/** What is done with quotes. */
export const quotes: Actions = {
  'quotes/list.tsx': [
    {
      name: 'remind-quotes',
      async attempt(world, cast) {
        const { id } = await quoted(world, cast, 'sent', 2)
        return { path: '/admin/cotizations', form: { intent: 'remind-quotes', [`row.${id}`]: '1' } }
      },
      // Once a day by the clock of the database, which stays where it is.
      may: { analyst: 303, manager: 303 },
    },
  ],
  'quotes/detail.tsx': [
    // Who writes none is told so, whether it exists or not.
    desk('revise-quote', 'sent', { analyst: 303, manager: 303 }, {}, 403),
    desk('withdraw-quote', 'sent', { analyst: 303, manager: 303 }),
    desk('cancel-quote', 'accepted', { manager: 303 }, { reason: 'Se muda.' }),
    desk('approve-home', 'accepted', { manager: 303 }, { ...addressForm, stands: 'yes', reason: 'Se muda.' }),
    ...fiscalReviews,
    ...invoiceForms,
  ],
}
