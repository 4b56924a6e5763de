import type { Actor, Mover } from '../../src/access/rules/actor.ts'
import type { Facts as AppointmentFacts } from '../../src/appointments/rules/appointment.ts'
import { appointmentMachine, type MoveName } from '../../src/appointments/rules/transitions.ts'

type Facts = AppointmentFacts & { now: Date }
const can = (name: MoveName, actor: Mover, facts: Facts) =>
  appointmentMachine.can(name, actor, facts, facts.now)
const notYet = (name: MoveName, actor: Mover, facts: Facts) =>
  appointmentMachine.blockedReason(name, actor, facts, facts.now)

const staff = (kind: Actor['kind'], id: string) => ({ id, role: 'staff', kind, agencyId: null }) as Actor
const customer = { id: 'customer', role: 'customer', kind: null, agencyId: null } as Actor
const analyst = staff('analyst', 'assignee')
const analyst2 = staff('analyst', 'analyst2')
const manager = staff('manager', 'manager')
const technician = staff('tecnician', 'technician')
const waysOut = ['keepWaiting', 'reschedule', 'rescheduleTo', 'cancel'] as const

const start = Date.UTC(2026, 10, 24, 16)
/** So many minutes after the start. */
const at = (minutes: number) => new Date(start + minutes * 60_000)
const call = (change: Partial<Facts> = {}): Facts => ({
  service: 'videocall',
  state: 'assigned',
  assigneeId: analyst.id,
  provisional: false,
  customerId: customer.id,
  startsAt: at(0),
  setOutAt: null,
  startedAt: null,
  customerWaitingSince: null,
  customerCameAt: null,
  callBackAskedAt: null,
  takenOverAt: null,
  rights: { until: at(-60), left: 0 },
  now: at(0),
  ...change,
})
/** A customer in the room since then, alone. */
const waiting = (since: number, now: number, change: Partial<Facts> = {}) =>
  call({ customerWaitingSince: at(since), customerCameAt: at(since), now: at(now), ...change })
/** One who came then and is no longer there. */
const gone = (came: number, now: number) => call({ customerCameAt: at(came), now: at(now) })

test.each([
  [
    'three minutes after the start, when the customer waits since before it',
    waiting(-10, 2.99),
    waiting(-10, 3),
  ],
  ['three minutes after the customer came late', waiting(5, 7.99), waiting(5, 8)],
  [
    'three minutes after another analyst took it',
    waiting(-10, 6.99, { takenOverAt: at(4) }),
    waiting(-10, 7, { takenOverAt: at(4) }),
  ],
])('a call is taken over %s', (_when, early, due) => {
  expect(notYet('takeOver', analyst2, early)).toMatch(/^Desde las .* podrás tomar la llamada\.$/)
  for (const mover of [analyst2, manager]) expect(can('takeOver', mover, due)).toBe(true)
  for (const mover of [analyst, technician, customer, 'system'] as const)
    expect(can('takeOver', mover, due)).toBe(false)
})

test('a call is not taken over while no customer waits', () => {
  for (const facts of [gone(-5, 20), call({ now: at(20) })])
    expect(notYet('takeOver', analyst2, facts)).toBe('Nadie espera en esta llamada.')
})

test.each([
  ['since before the start', (now: number) => waiting(-10, now), 10],
  ['since they came late', (now: number) => waiting(5, now), 15],
  [
    'also when another analyst just took the call',
    (now: number) => waiting(-10, now, { takenOverAt: at(9) }),
    10,
  ],
  ['also when they gave up', (now: number) => gone(2, now), 12],
] as const)('a customer who is left waiting has ways out after ten minutes, %s', (_since, facts, due) => {
  for (const name of waysOut) {
    expect(can(name, customer, facts(due - 0.01))).toBe(false)
    expect(can(name, customer, facts(due))).toBe(true)
  }
  // What we caused is no late cancellation of theirs.
  expect(can('cancelLate', customer, facts(due - 0.01))).toBe(true)
  expect(can('cancelLate', customer, facts(due))).toBe(false)
})

test('a customer has no ways out of a call that has begun, nor of the call of another', () => {
  for (const name of waysOut) {
    expect(can(name, customer, waiting(-10, 20, { state: 'in_progress' }))).toBe(false)
    expect(can(name, { ...customer, id: 'customer2' }, waiting(-10, 20))).toBe(false)
  }
})

test('a customer who is left waiting may ask to be phoned while the room is open, also during the call', () => {
  expect(notYet('askCallBack', customer, call({ now: at(-15.01) }))).toBe(
    'Desde las 9:45 a. m. podrás pedir que te llamemos.',
  )
  for (const state of ['requested', 'assigned', 'in_progress', 'paused'] as const)
    expect(can('askCallBack', customer, call({ state, now: at(-15) }))).toBe(true)
  expect(notYet('askCallBack', customer, call({ now: at(24 * 60) }))).toBe('La llamada ya terminó.')
})

test.each([
  ['who waits half an hour', (now: number) => waiting(-10, now), 30],
  ['who came late and waits half an hour', (now: number) => waiting(20, now), 50],
  ['who gave up', (now: number) => gone(-5, now), 30],
] as const)('a missed call is cancelled by the system for a customer %s', (_who, facts, due) => {
  expect(can('missCall', 'system', facts(due - 0.01))).toBe(false)
  expect(can('missCall', 'system', facts(due))).toBe(true)
  for (const mover of [customer, analyst, manager]) expect(can('missCall', mover, facts(due))).toBe(false)
})

test('a missed call is not for a customer who never came, asked to be phoned or was met', () => {
  expect(can('missCall', 'system', call({ now: at(60) }))).toBe(false)
  expect(can('missCall', 'system', waiting(-10, 60, { callBackAskedAt: at(12) }))).toBe(false)
  expect(can('missCall', 'system', waiting(-10, 60, { state: 'in_progress' }))).toBe(false)
})

test('a customer who was ever in the room is no no-show', () => {
  for (const mover of [analyst, manager]) {
    expect(can('noShow', mover, call({ now: at(20) }))).toBe(true)
    for (const facts of [gone(-5, 20), waiting(5, 20)]) expect(can('noShow', mover, facts)).toBe(false)
  }
})
