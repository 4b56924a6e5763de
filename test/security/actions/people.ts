import {
  invitations,
  savedViews,
  timeOff,
  twoFactors,
  users,
} from '../../../src/platform/database/schema/accounts.ts'
import { hashOf } from '../../../src/platform/http/sealing.ts'
import { securityPath } from '../../../src/users/screens/security-parts.tsx'
import { storeBlocked } from '../../kit/accounts.ts'
import { storeCode, storeTie } from '../../kit/agencies.ts'
import { fixture, fromNow, newPerson, runSql, setRow, storeRows } from '../../kit/open.ts'
import type { PersonInput } from '../../kit/people.ts'
import { insertIn } from '../../kit/reading.ts'
import { storePaper } from '../../kit/users.ts'
import type { Everyone } from '../everyone.ts'
import { emailAtHome } from './accounts.ts'
import { type Actions, allStaff, byManager, customers, type Fields, formAt, managerOnly } from './shape.ts'
import { answeringTimeOff } from './time-off.ts'

let count = 0
const newEmail = () => `invitada-${++count}@prueba.mx`

/** An open invitation, and the code of its e-mail. */
async function invited() {
  const code = `codigo-${++count}`
  const made = await insertIn(fixture, invitations, {
    email: newEmail(),
    kind: 'manager',
    codeHash: hashOf(code),
    expiresAt: fromNow(3_600_000),
  })
  return { id: made.id, code }
}

/** Gives somebody a second factor that nobody has the code of. */
async function turnedOn(id: string) {
  await storeRows(twoFactors, { userId: id, secret: '', backupCodes: '', verified: true })
  await setRow(users, id, { twoFactorEnabled: true })
}

const withInvitation = (intent: string) =>
  formAt(
    `${intent} an invitation`,
    '/admin/users',
    async () => ({ intent, invitationId: (await invited()).id }),
    managerOnly,
  )

const accepting = (path: string) =>
  formAt(
    'accept an invitation that is somebody else’s',
    path,
    async () => ({ intent: 'accept-invitation', invitacion: (await invited()).code }),
    {},
  )

/** About a view of the manager's; for every other person of staff there is none. */
const aboutView = (intent: string, fields: Fields = {}) =>
  formAt(
    intent,
    '/admin/vistas',
    async ({ manager }) => {
      const view = { list: 'users', name: `Vista ${++count}`, query: 'active=no' } as const
      const made = await insertIn(fixture, savedViews, { ...view, ownerId: manager.id })
      return { intent, viewId: made.id, ...fields }
    },
    { ...managerOnly, hears: allStaff(404) },
  )

type Form = Fields | ((everyone: Everyone, id: string) => Fields | Promise<Fields>)
/** A form of the page of somebody new. */
const about = (name: string, input: PersonInput, form: Form, status = 303) =>
  byManager(
    name,
    async (everyone) => {
      const { id } = await newPerson(input)
      return {
        path: `/admin/users/${id}`,
        form: typeof form === 'function' ? await form(everyone, id) : form,
      }
    },
    status,
  )
const aPaper = (intent: string) => async (_everyone: Everyone, personId: string) => ({
  intent,
  paperId: (await storePaper({ id: personId })).id,
})
const technician = { kind: 'tecnician' } as const
const version = '1'

/** What the desk shows of a person or a network, so that it has the form of an act. */
const onDesk = {
  brake: (id: string) => runSql`insert into outward values (${id}, '', ${id}, ${id}, '', 1)`,
  release_brake: (id: string) =>
    runSql`update users set braked_until = now() + interval '1 day' where id = ${id}`,
  end_sessions: (id: string) =>
    runSql`insert into sessions (token, user_id, expires_at) select gen_random_uuid(), ${id}, now() + interval '1 day' from generate_series(1, 9)`,
  restore_sessions: (id: string) =>
    runSql`update sessions set former_expires_at = expires_at, expires_at = now() where user_id = ${id}`,
  close_network: () =>
    runSql`insert into network_counts values (date_trunc('hour', now()), 'signIns', ${network}, 9) on conflict do nothing`,
  open_network: (id: string) =>
    runSql`insert into closed_networks values (${network}, now() + interval '1 day', ${id}) on conflict do nothing`,
}
const network = '203.0.113.7'

const deskForm = async (intent: keyof typeof onDesk) => {
  const { id } = await newPerson()
  await onDesk[intent](id)
  return { intent, about: intent.endsWith('network') ? network : id }
}
const deskIntents = Object.keys(onDesk) as (keyof typeof onDesk)[]

/** Shown an older version than the one in force: refused as late, whoever's home it is. */
const acceptingTerms = formAt(
  'accept-terms',
  '/?index',
  { intent: 'accept-terms', terms: 'antiguos' },
  { hears: customers(409) },
)

/** People of the team and their invitations. */
export const people: Actions = {
  'users/screens/users.tsx': [
    formAt(
      'invite',
      '/admin/users',
      async () => ({ intent: 'invite', email: newEmail(), kind: 'analyst', agencyId: '' }),
      managerOnly,
    ),
    withInvitation('resend'),
    withInvitation('withdraw'),
  ],
  'users/screens/blocked.tsx': [
    formAt(
      'open-blocked',
      '/admin/users/bloqueadas',
      async () => ({
        intent: 'open-blocked',
        customerId: await storeBlocked(),
        reason: 'Requerimiento de la autoridad',
      }),
      { may: { manager: 200 } },
    ),
  ],
  'users/screens/security.tsx': [
    ...deskIntents.map((intent) => formAt(intent, securityPath, () => deskForm(intent), managerOnly)),
  ],
  'users/screens/user.tsx': [
    about('end sessions', technician, (_cast, about) => ({ intent: 'end_sessions', about })),
    about('photo and vehicle of somebody else', technician, { intent: 'visit-card', plates: 'ABC-12-34' }),
    about('say where somebody else’s days begin', technician, {
      intent: 'day-start',
      startsFrom: 'milpa-alta',
    }),
    about('hand in another person’s paper, without its file', technician, { intent: 'paper-add' }, 400),
    about('check a paper', technician, aPaper('paper-check')),
    about('remove a paper', technician, aPaper('paper-remove')),
    about('change the role', { kind: 'analyst' }, { intent: 'role', version, role: 'gester' }),
    about(
      'change a customer’s role, whom only the manager sees',
      {},
      {
        intent: 'role',
        version,
        role: 'manager',
      },
    ),
    {
      name: 'change one’s own role',
      attempt: async ({ technician }) => ({
        path: `/admin/users/${technician.id}`,
        form: { intent: 'role', version, role: 'manager' },
      }),
      // The technician keeps the visits that wait, so the manager may not either.
      hears: { manager: 409 },
    },
    byManager('change an ally’s agency', async ({ ally, ally2 }) => {
      const { id } = await newPerson({ kind: 'alliate', agencyId: ally.agencyId! })
      const form = { intent: 'role', version, role: 'alliate', agencyId: ally2.agencyId! }
      return { path: `/admin/users/${id}`, form }
    }),
    about('deactivate', { kind: 'gester' }, { intent: 'active', version, active: 'no' }),
    about('take the second factor away', { kind: 'analyst' }, async (_, id) => {
      await turnedOn(id)
      return { intent: 'remove-second-factor', version, confirmed: 'yes' }
    }),
    about(
      'correct somebody’s name and phone',
      {},
      {
        intent: 'correct-profile',
        version,
        name: 'Otro',
        lastname: 'Nombre',
        phone: '5511112222',
      },
    ),
    about('correct somebody’s e-mail', {}, () => ({ intent: 'correct-email', version, email: newEmail() })),
    about('say who brought a customer', {}, ({ ally }) => ({
      intent: 'attribution.give',
      seen: '',
      allyId: ally.id,
      reason: 'Lo dijo por teléfono',
    })),
    about('take away who brought a customer', {}, async ({ ally }, id) => {
      const tie = await storeTie({ id }, await storeCode(ally))
      return { intent: 'attribution.end', seen: tie.id, reason: 'Se equivocó' }
    }),
    about('staffing.shifts', technician, {
      intent: 'staffing.shifts',
      version,
      'shift.0.0.from': '09:00',
      'shift.0.0.to': '12:00',
    }),
    about('staffing.zones', technician, { intent: 'staffing.zones', version, 'zone.coyoacan': 'yes' }),
    about('staffing.timeOff', technician, {
      intent: 'staffing.timeOff',
      version,
      from: '2027-03-01',
      to: '2027-03-02',
      reason: 'Vacaciones',
    }),
    ...answeringTimeOff,
    about('take time off back', technician, async (_, personId) => {
      const during = '[2027-03-01T06:00:00Z,2027-03-02T06:00:00Z)'
      const off = await insertIn(fixture, timeOff, { personId, during, approvedAt: new Date() })
      return { intent: 'staffing.removeTimeOff', version, timeOffId: off.id }
    }),
  ],
  'users/screens/views.tsx': [
    formAt(
      'save-view',
      '/admin/vistas',
      { intent: 'save-view', list: 'users', name: 'Vista nueva', query: 'active=no' },
      { may: allStaff(303) },
    ),
    aboutView('rename-view', { name: 'Otro nombre' }),
    aboutView('remove-view'),
  ],
  'customers/screens/customer.tsx': [accepting('/?index'), acceptingTerms, emailAtHome],
}

/** What a shared screen offers besides. */
export const acceptingAtHome = accepting('/admin')
