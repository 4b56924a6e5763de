import { eq } from 'drizzle-orm'
import { hashOf } from '../../../src/server/accounts/limits.ts'
import {
  invitations,
  savedViews,
  timeOff,
  twoFactors,
  users,
} from '../../../src/server/platform/database/schema/accounts.ts'
import { storeBlocked } from '../../kit/accounts.ts'
import { storeCode, storeTie } from '../../kit/agencies.ts'
import type { World } from '../../kit/world.ts'
import { emailAtHome } from './accounts.ts'
import { type Action, type Actions, allStaff } from './shape.ts'
import { answeringTimeOff } from './time-off.ts'

let count = 0
const newEmail = () => `invitada-${++count}@prueba.mx`

/** An open invitation, and the code of its letter. */
async function invited(world: World, email = newEmail()) {
  const code = `codigo-${++count}`
  const [made] = await world.db
    .insert(invitations)
    .values({ email, kind: 'manager', codeHash: hashOf(code), expiresAt: new Date(Date.now() + 3_600_000) })
    .returning()
  return { id: made!.id, code }
}

/** Gives somebody a second factor that nobody has the code of. */
async function turnedOn(world: World, id: string) {
  await world.db.insert(twoFactors).values({ userId: id, secret: '', backupCodes: '', verified: true })
  await world.db.update(users).set({ twoFactorEnabled: true }).where(eq(users.id, id))
}

const withInvitation = (intent: string): Action => ({
  name: `${intent} an invitation`,
  async attempt(world) {
    return { path: '/admin/users', form: { intent, invitationId: (await invited(world)).id } }
  },
  may: { manager: 303 },
})

const accepting = (path: string): Action => ({
  name: 'accept an invitation that is somebody else’s',
  async attempt(world) {
    return { path, form: { intent: 'accept-invitation', invitacion: (await invited(world)).code } }
  },
})

/** About a view of the manager's; for every other person of staff there is none. */
const aboutView = (intent: string, fields: Record<string, string> = {}): Action => ({
  name: intent,
  async attempt(world, { manager }) {
    const view = { list: 'users', name: `Vista ${++count}`, query: 'active=no' } as const
    const [made] = await world.db
      .insert(savedViews)
      .values({ ...view, ownerId: manager.id })
      .returning()
    return { path: '/admin/vistas', form: { intent, viewId: made!.id, ...fields } }
  },
  may: { manager: 303 },
  hears: allStaff(404),
})

/** A card of somebody's working time. */
const scheduling = (intent: string, fields: Record<string, string>): Action => ({
  name: intent,
  async attempt(world) {
    const { id } = await world.person({ kind: 'tecnician' })
    return { path: `/admin/users/${id}`, form: { intent, version: '1', ...fields } }
  },
  may: { manager: 303 },
})

/** Shown an older version than the one in force: refused as late, whoever's home it is. */
const acceptingTerms: Action = {
  name: 'accept-terms',
  attempt: async () => ({ path: '/?index', form: { intent: 'accept-terms', terms: 'antiguos' } }),
  hears: { customer: 409, customer2: 409 },
}

/** People of the team and their invitations. */
export const people: Actions = {
  'users/users.tsx': [
    {
      name: 'invite',
      attempt: async () => ({
        path: '/admin/users',
        form: { intent: 'invite', email: newEmail(), kind: 'analyst', agencyId: '' },
      }),
      may: { manager: 303 },
    },
    withInvitation('resend'),
    withInvitation('withdraw'),
  ],
  'users/blocked.tsx': [
    {
      name: 'open-blocked',
      async attempt(world) {
        const customerId = await storeBlocked(world)
        const form = { intent: 'open-blocked', customerId, reason: 'Requerimiento de la autoridad' }
        return { path: '/admin/users/bloqueadas', form }
      },
      may: { manager: 200 },
    },
  ],
  'users/user.tsx': [
    {
      name: 'photo and vehicle of somebody else',
      async attempt(world) {
        const { id } = await world.person({ kind: 'tecnician' })
        return { path: `/admin/users/${id}`, form: { intent: 'visit-card', plates: 'ABC-12-34' } }
      },
      may: { manager: 303 },
    },
    {
      name: 'say where somebody else’s days begin',
      async attempt(world) {
        const { id } = await world.person({ kind: 'tecnician' })
        return { path: `/admin/users/${id}`, form: { intent: 'day-start', startsFrom: 'milpa-alta' } }
      },
      may: { manager: 303 },
    },
    {
      name: 'change the role',
      async attempt(world) {
        const { id } = await world.person({ kind: 'analyst' })
        return { path: `/admin/users/${id}`, form: { intent: 'role', version: '1', role: 'gester' } }
      },
      may: { manager: 303 },
    },
    {
      name: 'change a customer’s role, whom only the manager sees',
      async attempt(world) {
        const { id } = await world.person()
        return { path: `/admin/users/${id}`, form: { intent: 'role', version: '1', role: 'manager' } }
      },
      may: { manager: 303 },
    },
    {
      name: 'change one’s own role',
      attempt: async (_world, { technician }) => ({
        path: `/admin/users/${technician.id}`,
        form: { intent: 'role', version: '1', role: 'manager' },
      }),
      // The technician keeps the visits that wait, so the manager may not either.
      hears: { manager: 409 },
    },
    {
      name: 'change an ally’s agency',
      async attempt(world, { ally, ally2 }) {
        const { id } = await world.person({ kind: 'alliate', agencyId: ally.agencyId! })
        const form = { intent: 'role', version: '1', role: 'alliate', agencyId: ally2.agencyId! }
        return { path: `/admin/users/${id}`, form }
      },
      may: { manager: 303 },
    },
    {
      name: 'deactivate',
      async attempt(world) {
        const { id } = await world.person({ kind: 'gester' })
        return { path: `/admin/users/${id}`, form: { intent: 'active', version: '1', active: 'no' } }
      },
      may: { manager: 303 },
    },
    {
      name: 'take the second factor away',
      async attempt(world) {
        const { id } = await world.person({ kind: 'analyst' })
        await turnedOn(world, id)
        const form = { intent: 'remove-second-factor', version: '1', confirmed: 'yes' }
        return { path: `/admin/users/${id}`, form }
      },
      may: { manager: 303 },
    },
    {
      name: 'correct somebody’s name and phone',
      async attempt(world) {
        const { id } = await world.person()
        const words = { name: 'Otro', lastname: 'Nombre', phone: '5511112222' }
        return { path: `/admin/users/${id}`, form: { intent: 'correct-profile', version: '1', ...words } }
      },
      may: { manager: 303 },
    },
    {
      name: 'correct somebody’s e-mail',
      async attempt(world) {
        const { id } = await world.person()
        const form = { intent: 'correct-email', version: '1', email: newEmail() }
        return { path: `/admin/users/${id}`, form }
      },
      may: { manager: 303 },
    },
    {
      name: 'say who brought a customer',
      async attempt(world, { ally }) {
        const { id } = await world.person()
        const form = { intent: 'attribution.give', seen: '', allyId: ally.id, reason: 'Lo dijo por teléfono' }
        return { path: `/admin/users/${id}`, form }
      },
      may: { manager: 303 },
    },
    {
      name: 'take away who brought a customer',
      async attempt(world, { ally }) {
        const customer = await world.person()
        const { id } = await storeTie(world, customer, await storeCode(world, ally))
        const form = { intent: 'attribution.end', seen: id, reason: 'Se equivocó' }
        return { path: `/admin/users/${customer.id}`, form }
      },
      may: { manager: 303 },
    },
    scheduling('staffing.shifts', { 'shift.0.0.from': '09:00', 'shift.0.0.to': '12:00' }),
    scheduling('staffing.zones', { 'zone.coyoacan': 'yes' }),
    scheduling('staffing.timeOff', { from: '2027-03-01', to: '2027-03-02', reason: 'Vacaciones' }),
    ...answeringTimeOff,
    {
      name: 'take time off back',
      async attempt(world) {
        const { id } = await world.person({ kind: 'tecnician' })
        const during = '[2027-03-01T06:00:00Z,2027-03-02T06:00:00Z)'
        const [off] = await world.db
          .insert(timeOff)
          .values({ personId: id, during, approvedAt: new Date() })
          .returning()
        const form = { intent: 'staffing.removeTimeOff', version: '1', timeOffId: off!.id }
        return { path: `/admin/users/${id}`, form }
      },
      may: { manager: 303 },
    },
  ],
  'users/views.tsx': [
    {
      name: 'save-view',
      attempt: async () => ({
        path: '/admin/vistas',
        form: { intent: 'save-view', list: 'users', name: `Vista ${++count}`, query: 'active=no' },
      }),
      may: allStaff(303),
    },
    aboutView('rename-view', { name: 'Otro nombre' }),
    aboutView('remove-view'),
  ],
  'projects/customer.tsx': [accepting('/?index'), acceptingTerms, emailAtHome],
}

/** What a shared screen offers besides. */
export const acceptingAtHome = accepting('/admin')
