import { staffKinds } from '../../src/access/rules/actor.ts'
import { inviteInput } from '../../src/users/rules/schema.ts'
import {
  type AccessFacts,
  type AccessProfile,
  accessRefusal,
  choiceOf,
  hasShifts,
  hasZones,
  invitationState,
  roleChoices,
  roleOf,
} from '../../src/users/rules/user.ts'

const agencyId = '0198c5a0-7c1e-7d7e-9c55-0a1b2c3d4e5f'
const customer: AccessProfile = { role: 'customer', kind: null, agencyId: null, active: true }
const staff = (kind: (typeof staffKinds)[number]): AccessProfile => ({
  role: 'staff',
  kind,
  active: true,
  agencyId: kind === 'alliate' ? agencyId : null,
})
const facts = (
  before: AccessProfile,
  after: AccessProfile,
  more: Partial<AccessFacts> = {},
): AccessFacts => ({
  before,
  after,
  emailVerified: true,
  openProject: false,
  otherManagers: 1,
  agencyActive: true,
  own: false,
  confirmed: false,
  ...more,
})
const refused = (...given: Parameters<typeof facts>) => accessRefusal(facts(...given))?.description ?? null

test('a customer has no kind, and each other choice is staff of that kind (specification §4)', () => {
  expect(Object.keys(roleChoices)).toEqual(['customer', ...staffKinds])
  expect([roleOf('customer'), choiceOf({ kind: null })]).toEqual([
    { role: 'customer', kind: null },
    'customer',
  ])
  for (const kind of staffKinds)
    expect([roleOf(kind), choiceOf({ kind })]).toEqual([{ role: 'staff', kind }, kind])
})

const manager = staff('manager')
const ally = staff('alliate')
const inactive = (profile: AccessProfile) => ({ ...profile, active: false })

test('who may become what a verified customer without a project becomes any kind, and a customer again', () => {
  for (const kind of staffKinds) {
    expect(refused(customer, staff(kind))).toBeNull()
    expect(refused(customer, staff(kind), { emailVerified: false })).toMatch(/confirmado/)
    expect(refused(staff(kind), customer)).toBeNull()
    expect(refused(staff(kind), inactive(staff(kind)))).toBeNull()
  }
})

test.each<[string, AccessProfile, AccessProfile, Partial<AccessFacts>, RegExp | null]>([
  ['an ally without an agency', customer, { ...ally, agencyId: null }, {}, /Elige su concesionaria/],
  ['another kind with one', customer, { ...staff('analyst'), agencyId }, {}, /Elige su concesionaria/],
  ['an ally of an inactive agency', customer, ally, { agencyActive: false }, /inactiva/],
  ['deactivating that ally', ally, inactive(ally), { agencyActive: false }, null],
  ['deactivating an unverified customer', customer, inactive(customer), { emailVerified: false }, null],
  ['staff with an open project', customer, staff('analyst'), { openProject: true }, /proyecto abierto/],
  ['deactivating with one', customer, inactive(customer), { openProject: true }, /proyecto abierto/],
  ['activating with one', inactive(customer), customer, { openProject: true }, null],
  ['the last manager to customer', manager, customer, { otherManagers: 0 }, /única persona/],
  ['the last manager to analyst', manager, staff('analyst'), { otherManagers: 0 }, /única persona/],
  ['the last manager to inactive', manager, inactive(manager), { otherManagers: 0 }, /única persona/],
  ['an inactive last manager to customer', inactive(manager), customer, { otherManagers: 0 }, null],
  ['the last manager unchanged', manager, manager, { otherManagers: 0 }, null],
  ['oneself to customer', manager, customer, { own: true }, /Marca la casilla/],
  ['oneself to inactive', manager, inactive(manager), { own: true }, /Marca la casilla/],
  ['oneself, confirmed', manager, customer, { own: true, confirmed: true }, null],
])('who may become what: %s', (_what, before, after, more, words) => {
  const refusal = refused(before, after, more)
  if (words) expect(refusal).toMatch(words)
  else expect(refusal).toBeNull()
})

test('who may become what a missing confirmation is refused under its field', () => {
  const { details } = accessRefusal(facts(manager, customer, { own: true }))!
  expect(details).toMatchObject({ errors: { confirmed: expect.any(String) } })
})

test('gives shifts to technicians and analysts, zones to technicians', () => {
  expect(staffKinds.filter(hasShifts)).toEqual(['analyst', 'tecnician'])
  expect(staffKinds.filter(hasZones)).toEqual(['tecnician'])
  expect([hasShifts(null), hasZones(null)]).toEqual([false, false])
})

const now = new Date('2026-11-21T12:00:00Z')
const life = { acceptedAt: null, withdrawnAt: null, expiresAt: new Date('2026-11-22T12:00:00Z') }

test('an invitation is open until it ends, is accepted, or is withdrawn', () => {
  expect(invitationState(life, now)).toBe('open')
  expect(invitationState({ ...life, expiresAt: now }, now)).toBe('expired')
  expect(invitationState({ ...life, acceptedAt: now }, now)).toBe('accepted')
  expect(invitationState({ ...life, withdrawnAt: now, expiresAt: now }, now)).toBe('withdrawn')
})

test('an invitation takes an e-mail, a kind, and for an ally an agency', () => {
  const form = { email: ' Ana@Prueba.MX ', kind: 'analyst', agencyId: '' }
  expect(inviteInput.parse(form)).toEqual({ email: 'ana@prueba.mx', kind: 'analyst', agencyId: null })
  const wrong = [
    { ...form, kind: 'alliate' },
    { ...form, kind: 'customer' },
    { ...form, kind: 'jefe' },
    { ...form, email: 'ana' },
    { ...form, kind: 'alliate', agencyId: 'nada' },
  ]
  for (const input of wrong) expect(inviteInput.safeParse(input).success).toBe(false)
  expect(inviteInput.safeParse({ ...form, kind: 'alliate', agencyId }).success).toBe(true)
})
