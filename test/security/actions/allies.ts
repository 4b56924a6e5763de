import { randomUUID } from 'node:crypto'
import { clientPath, registerPath } from '../../../src/agencies/screens/agency-paths.ts'
import { clients, type codes, commissions } from '../../../src/platform/database/schema/agencies.ts'
import { agree, earn, storeCode } from '../../kit/agencies.ts'
import { fixture, fromNow, setRow } from '../../kit/open.ts'
import { insertIn } from '../../kit/reading.ts'
import type { Everyone } from '../everyone.ts'
import { type Action, type Actions, byManager, formAt } from './shape.ts'

/** What allies and the house do about codes, clients and commissions. */

type State = (typeof codes.$inferSelect)['state']
/** Nothing of it may be given without asking: the tests' agencies have no limit. */
const generous = { benefitKind: 'percent', benefitValue: 5_00, askedAt: new Date() } as const
const path = '/admin/alliate/codes'
/** Of another agency's an ally knows nothing. */
const hears = { ally2: 404 }

const newCode = (intent: string, codeText: string) => {
  const startsOn = fromNow(24 * 3_600_000)
    .toISOString()
    .slice(0, 10)
  const form = { intent, codeText, benefitKind: 'none', benefitValue: '', maxUses: '5', label: '', startsOn }
  // What the first made, the second may not make again.
  return formAt(intent, path, form, { may: { ally: 303, ally2: 409 } })
}

const moving = (intent: string, state: State, input = {}): Action => ({
  name: intent,
  async attempt({ ally }) {
    const { id } = await storeCode(ally, { state, ...input })
    return { path, form: { intent, codeId: id, version: '1' } }
  },
  may: { ally: 303 },
  hears,
})

/** Managers answer on the page of an agency, or at home. */
const answering = (intent: string, state: State, form = {}, home?: string): Action =>
  byManager(intent, async ({ ally }) => {
    const { id } = await storeCode(ally, { state, ...(state === 'draft' && generous) })
    const path = home ?? `/admin/agency/${ally.agencyId}/codigos`
    return { path, form: { intent, codeId: id, version: '1', ...form } }
  })

/** A manager approves a code where it waits on their home; the others see none there. */
export const approvingAtHome = answering('codes.approve', 'draft', {}, '/admin')

/** What is done about codes on the page of their agency. */
export const agencyCodes: readonly Action[] = [
  answering('codes.approve', 'draft'),
  answering('codes.refuse', 'draft', { reason: 'Es demasiado.' }),
  answering('codes.pause', 'active'),
  answering('codes.revoke', 'paused'),
].map((action) => ({ ...action, hears }))

let count = 0
const newPhone = () => `55770${String(++count).padStart(5, '0')}`

/** Someone whom `ally` registered at the counter. */
const invited = async ({ ally }: Everyone) =>
  insertIn(fixture, clients, {
    agencyId: ally.agencyId!,
    allyId: ally.id,
    source: 'counter',
    name: 'Ana',
    phone: newPhone(),
    registeredBy: ally.id,
    waitingOn: 'customer',
    inviteExpiresAt: fromNow(1e9),
  })

const aboutInvitation = (intent: string, heard: number): Action => ({
  name: `clients.${intent}`,
  attempt: async (everyone) => ({ path: clientPath((await invited(everyone)).id), form: { intent } }),
  hears,
  may: { ally: heard },
})

const left = { email: '', code: '', vehicleBrand: '', vehicleModel: '', vehicleYear: '' }

/** An ally's own codes and clients. */
export const ofAllies: Actions = {
  'agencies/screens/codes.tsx': [
    newCode('codes.create', 'PRUEBAUNA'),
    newCode('codes.draft', 'PRUEBADES'),
    moving('codes.activate', 'draft'),
    moving('codes.ask', 'draft', { ...generous, askedAt: null }),
    moving('codes.pause', 'active'),
    moving('codes.resume', 'paused'),
    moving('codes.revoke', 'active'),
  ],
  'agencies/screens/register-client.tsx': [
    {
      name: 'clients.register',
      async attempt() {
        const typed = { ...left, name: 'Ana', phone: newPhone(), consent: 'yes' }
        return { path: registerPath, form: { intent: 'register', ...typed, requestKey: randomUUID() } }
      },
      // The key of the form is used up by then.
      may: { ally: 200, ally2: 409 },
    },
  ],
  'agencies/screens/client.tsx': [aboutInvitation('invite', 200), aboutInvitation('withdraw', 303)],
}

/** An agency's clients and codes given by the manager from one ally to another. */
export const handingOver: Action = {
  ...byManager('clients.hand_over', async (everyone) => {
    const agencyId = everyone.ally.agencyId!
    await invited(everyone)
    const taker = await fixture.person({ kind: 'alliate', agencyId })
    const form = { intent: 'clients.hand_over', from: everyone.ally.id, to: taker.id }
    return { path: `/admin/agency/${agencyId}/clientes`, form }
  }),
  hears,
}

/** A commission of the ally's agency, whose terms are an amount whatever else asked before. */
async function earned({ ally }: Everyone, isPayable = false) {
  const agencyId = ally.agencyId!
  await agree(agencyId, { commissionKind: 'amount', commissionValue: 500_00 })
  const { row } = await earn({ agencyId, isPaid: false })
  if (isPayable) await setRow(commissions, row, { state: 'approved', approvedAt: new Date() })
  return { id: row.id, path: `/admin/agency/${agencyId}/comisiones`, requestKey: randomUUID() }
}

/** What the manager does about commissions. */
export const commissionForms: readonly Action[] = [
  {
    name: 'commissions.adjust',
    async attempt(everyone) {
      const { id, path, requestKey } = await earned(everyone)
      const shown = { commissionId: id, standing: '50000', month: '2026-11', requestKey }
      return { path, form: { intent: 'commissions.adjust', amount: '10', reason: 'Sobra.', ...shown } }
    },
    hears,
    may: { manager: 303 },
  },
  {
    name: 'commissions.pay',
    // Nothing is sent but words: its file is missing.
    async attempt(everyone) {
      const { id, path, requestKey } = await earned(everyone, true)
      const transfer = { amount: '500', paidOn: '2026-11-20', reference: 'SPEI 1', requestKey }
      return { path, form: { intent: 'commissions.pay', [`line.${id}`]: '50000', ...transfer } }
    },
    hears: { ...hears, manager: 400 },
  },
]
