import { describe, expect, test } from 'vitest'
import { staffKinds } from '../../src/domain/access/actor.ts'
import { inviteInput } from '../../src/domain/users/schema.ts'
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
} from '../../src/domain/users/user.ts'

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

describe('the role choice (specification §4)', () => {
  test('customer is role customer without a kind', () => {
    expect(roleOf('customer')).toEqual({ role: 'customer', kind: null })
  })

  test.each(staffKinds)('%s is role staff and that kind', (kind) => {
    expect(roleOf(kind)).toEqual({ role: 'staff', kind })
    expect(choiceOf({ kind })).toBe(kind)
  })

  test('there is no other choice', () => {
    expect(Object.keys(roleChoices)).toEqual(['customer', ...staffKinds])
    expect(choiceOf({ kind: null })).toBe('customer')
  })
})

describe('who may become what', () => {
  test('a verified customer without a project becomes any kind, and a customer again', () => {
    for (const kind of staffKinds) {
      expect(refused(customer, staff(kind))).toBeNull()
      expect(refused(staff(kind), customer)).toBeNull()
      expect(refused(staff(kind), { ...staff(kind), active: false })).toBeNull()
    }
  })

  test('an ally has an active agency, and no other kind has one', () => {
    expect(refused(customer, { ...staff('alliate'), agencyId: null })).toMatch(/Elige su concesionaria/)
    expect(refused(customer, { ...staff('analyst'), agencyId })).toMatch(/Elige su concesionaria/)
    expect(refused(customer, staff('alliate'), { agencyActive: false })).toMatch(/inactiva/)
    expect(
      refused(staff('alliate'), { ...staff('alliate'), active: false }, { agencyActive: false }),
    ).toBeNull()
  })

  test('an unverified customer stays a customer', () => {
    for (const kind of staffKinds)
      expect(refused(customer, staff(kind), { emailVerified: false })).toMatch(/confirmado/)
    expect(refused(customer, { ...customer, active: false }, { emailVerified: false })).toBeNull()
  })

  test('a customer with an open project neither becomes staff nor inactive', () => {
    expect(refused(customer, staff('analyst'), { openProject: true })).toMatch(/proyecto abierto/)
    expect(refused(customer, { ...customer, active: false }, { openProject: true })).toMatch(
      /proyecto abierto/,
    )
    expect(refused({ ...customer, active: false }, customer, { openProject: true })).toBeNull()
  })

  test('the last active manager stays a manager', () => {
    const manager = staff('manager')
    for (const after of [customer, staff('analyst'), { ...manager, active: false }])
      expect(refused(manager, after, { otherManagers: 0 })).toMatch(/única persona/)
    expect(refused({ ...manager, active: false }, customer, { otherManagers: 0 })).toBeNull()
    expect(refused(manager, manager, { otherManagers: 0 })).toBeNull()
  })

  test('giving up the own rights needs a confirmation', () => {
    const manager = staff('manager')
    for (const after of [customer, { ...manager, active: false }]) {
      expect(refused(manager, after, { own: true })).toMatch(/Marca la casilla/)
      expect(refused(manager, after, { own: true, confirmed: true })).toBeNull()
    }
    const { details } = accessRefusal(facts(manager, customer, { own: true }))!
    expect(details).toMatchObject({ errors: { confirmed: expect.any(String) } })
  })
})

test('gives shifts to technicians and analysts, zones to technicians', () => {
  expect(staffKinds.filter(hasShifts)).toEqual(['analyst', 'tecnician'])
  expect(staffKinds.filter(hasZones)).toEqual(['tecnician'])
  expect([hasShifts(null), hasZones(null)]).toEqual([false, false])
})

describe('an invitation', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  const life = { acceptedAt: null, withdrawnAt: null, expiresAt: new Date('2026-11-22T12:00:00Z') }

  test('is open until it ends, is accepted, or is withdrawn', () => {
    expect(invitationState(life, now)).toBe('open')
    expect(invitationState({ ...life, expiresAt: now }, now)).toBe('expired')
    expect(invitationState({ ...life, acceptedAt: now }, now)).toBe('accepted')
    expect(invitationState({ ...life, withdrawnAt: now, expiresAt: now }, now)).toBe('withdrawn')
  })

  test('takes an e-mail, a kind, and for an ally an agency', () => {
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
})
