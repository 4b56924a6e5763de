import type { codes } from '../../../src/server/platform/database/schema/agencies.ts'
import { storeCode } from '../../kit/agencies.ts'
import { type Action, type Actions, byManager } from './shape.ts'

type State = (typeof codes.$inferSelect)['state']
/** Nothing of it may be given without asking: the tests' agencies have no limit. */
const generous = { benefitKind: 'percent', benefitValue: 5_00, askedAt: new Date() } as const
const path = '/admin/alliate/codes'

const newCode = (intent: string, codeText: string): Action => ({
  name: intent,
  attempt: async () => ({
    path,
    form: {
      intent,
      codeText,
      benefitKind: 'none',
      benefitValue: '',
      maxUses: '5',
      label: '',
      startsOn: new Date(Date.now() + 24 * 3_600_000).toISOString().slice(0, 10),
    },
  }),
  // What the first made, the second may not make again.
  may: { ally: 303, ally2: 409 },
})

const moving = (intent: string, state: State, wish = {}): Action => ({
  name: intent,
  async attempt(world, { ally }) {
    const { id } = await storeCode(world, ally, { state, ...wish })
    return { path, form: { intent, codeId: id, version: '1' } }
  },
  may: { ally: 303 },
  hears: { ally2: 404 },
})

/** Managers answer on the page of an agency, or at home. */
const answering = (intent: string, state: State, form = {}, home?: string): Action =>
  byManager(intent, async (world, { ally }) => {
    const { id } = await storeCode(world, ally, { state, ...(state === 'draft' && generous) })
    return {
      path: home ?? `/admin/agency/${ally.agencyId}/codigos`,
      form: { intent, codeId: id, version: '1', ...form },
    }
  })

/** A manager approves a code where it waits on their home; the others see none there. */
export const approvingAtHome = answering('codes.approve', 'draft', {}, '/admin')

/** What is done about codes on the page of their agency. */
export const agencyCodes: readonly Action[] = [
  answering('codes.approve', 'draft'),
  answering('codes.refuse', 'draft', { reason: 'Es demasiado.' }),
  answering('codes.pause', 'active'),
  answering('codes.revoke', 'paused'),
].map((action) => ({ ...action, hears: { ally2: 404 } }))

/** An ally's own codes. */
export const ownCodes: Actions = {
  'agencies/codes.tsx': [
    newCode('codes.create', 'PRUEBAUNA'),
    newCode('codes.draft', 'PRUEBADES'),
    moving('codes.activate', 'draft'),
    moving('codes.ask', 'draft', { ...generous, askedAt: null }),
    moving('codes.pause', 'active'),
    moving('codes.resume', 'paused'),
    moving('codes.revoke', 'active'),
  ],
}
