import type { Actor, Mover, staffKinds } from '../../../src/access/rules/actor.ts'
import {
  type Facts as AppointmentFacts,
  type AppointmentState,
  activeStates,
  appointmentStates,
  assignableStates,
  doneStates,
} from '../../../src/appointments/rules/appointment.ts'
import { changeUntilWords, confirmsAt } from '../../../src/appointments/rules/rules.ts'
import { assigningInput, bookingInput } from '../../../src/appointments/rules/schema.ts'
import {
  appointmentMachine,
  changeRights,
  type MoveName,
} from '../../../src/appointments/rules/transitions.ts'
import { defaultSettings } from '../../../src/settings/rules/settings-schema.ts'

type Facts = AppointmentFacts & { now: Date }
type Asked = [name: MoveName, actor: Mover, facts: Facts]
const can = (...[name, actor, facts]: Asked) => appointmentMachine.can(name, actor, facts, facts.now)
const blocked = (...[name, actor, facts]: Asked) =>
  appointmentMachine.blockedReason(name, actor, facts, facts.now)
const refused = (...[name, actor, facts]: Asked): { code: string; description: string } => {
  try {
    appointmentMachine.next(name, actor, facts, facts.now)
  } catch (error) {
    return error as never
  }
  throw new Error('It was allowed')
}

const named = { name: 'Ana', lastname: 'Ríos', email: 'ana@demo.mx', emailVerified: true, twoFactor: false }
const staff = (kind: (typeof staffKinds)[number], id: string = kind): Actor => ({
  ...named,
  id,
  role: 'staff',
  kind,
  agencyId: null,
})
const customer: Actor = { ...named, id: 'customer', role: 'customer', kind: null, agencyId: null }
const assignee = staff('tecnician', 'assignee')
const manager = staff('manager')

/** An hour of 24 November 2026, in UTC: the visit starts at 16:00, at ten in Mexico City. */
const at = (time: string, day = 24) => new Date(`2026-11-${day}T${time}Z`)
const facts = (state: AppointmentState, change: Partial<Facts> = {}): Facts => ({
  service: 'technical_visit',
  state,
  assigneeId: assignee.id,
  provisional: false,
  customerId: customer.id,
  startsAt: at('16:00'),
  setOutAt: at('15:40'),
  startedAt: at('15:40'),
  customerWaitingSince: null,
  customerCameAt: null,
  callBackAskedAt: null,
  takenOverAt: null,
  now: at('15:45'),
  ...change,
})

test('the assignee makes no move while provisional or once released', () => {
  for (const change of [{ provisional: true }, { assigneeId: null }])
    expect(refused('setOut', assignee, facts('assigned', change)).code).toBe('permission-denied')
})

test('the assignee sets out to a visit or an installation, never to a call', () => {
  for (const service of ['technical_visit', 'installation'] as const)
    expect(can('setOut', assignee, facts('assigned', { service }))).toBe(true)
  const call = facts('assigned', { service: 'videocall' })
  expect(refused('setOut', assignee, call).code).toBe('permission-denied')
  expect(can('start', assignee, call)).toBe(true)
})

test('the assignee is never a customer of the same id', () =>
  expect(can('finish', { ...customer, id: assignee.id }, facts('in_progress'))).toBe(false))

const tomorrow = 'La cita es el martes 24 de noviembre de 2026. Podrás hacerlo ese día.'
const gone = 'La cita era el martes 24 de noviembre de 2026. Pide a la gerencia que la cambie de día.'
test.each<[MoveName, Date, string | null]>([
  ['setOut', at('05:59:59'), tomorrow],
  ['start', at('05:59:59'), tomorrow],
  ['setOut', at('06:00'), null],
  ['setOut', at('05:59:59', 25), null],
  ['setOut', at('06:00', 25), gone],
  ['start', at('06:00', 25), gone],
  ['start', at('15:29:59'), 'Desde las 9:30 a.\u00a0m. podrás iniciar.'],
  ['start', at('15:30'), null],
  ['start', at('23:00'), null],
])('the assignee may %s at %o: %s', (name, now, words) => {
  const assigned = facts('assigned', { now })
  expect([can(name, assignee, assigned), blocked(name, assignee, assigned)]).toEqual([!words, words])
  if (words) expect(refused(name, assignee, assigned).description).toBe(words)
  expect(blocked(name, customer, assigned)).toBeNull()
})

const rightsOf = (createdAt: Date, startsAt: Date, movedByCustomer = 0) =>
  changeRights({ service: 'technical_visit', createdAt, startsAt, movedByCustomer }, defaultSettings)

test('the customer changes it until a day before and twice, and cancels late afterwards', () => {
  const rights = rightsOf(at('16:00', 20), at('16:00'), 1)
  const until = at('16:00', 23)
  expect(rights).toEqual({ until, left: 1 })
  const inTime = facts('assigned', { now: until, rights })
  const late = facts('assigned', { now: at('16:00:01', 23), rights })
  const used = facts('assigned', { now: until, rights: { ...rights, left: 0 } })
  expect(can('reschedule', customer, inTime)).toBe(true)
  expect(blocked('reschedule', customer, late)).toContain('Ya pasó el plazo')
  expect(blocked('reschedule', customer, used)).toContain('Ya usaste tus cambios')
  expect(can('cancel', customer, used)).toBe(true)
  expect([can('cancelLate', customer, inTime), can('cancelLate', customer, late)]).toEqual([false, true])
})

test('the customer changes what was just booked, never after the start', () => {
  expect(rightsOf(at('10:00'), at('16:00')).until).toEqual(at('10:30'))
})

test('the customer reports that nobody came from half an hour after the start', () =>
  expect(blocked('nobodyCame', customer, facts('assigned', { now: at('16:29') }))).toBe(
    'A partir de las 10:30 a.\u00a0m. podrás decirnos que nadie llegó.',
  ))

describe('taking back', () => {
  test.each([
    ['undoSetOut', 'en_route', 'technical_visit'],
    ['undoStart', 'in_progress', 'technical_visit'],
    ['undoCallStart', 'in_progress', 'videocall'],
  ] as const)('%s: the assignee within ten minutes, the manager any time', (name, state, service) => {
    const late = facts(state, { service, now: at('15:50:01') })
    expect(can(name, assignee, { ...late, now: at('15:50') })).toBe(true)
    expect(blocked(name, assignee, late)).toContain('10 minutos')
    expect(can(name, manager, late)).toBe(true)
  })

  test('a call is never on the way again, a visit always', () => {
    for (const mover of [assignee, manager]) {
      expect(can('undoStart', mover, facts('in_progress', { service: 'videocall' }))).toBe(false)
      expect(can('undoCallStart', mover, facts('in_progress'))).toBe(false)
    }
  })
})

test('each state is active or done, and an assignment starts from the assignable ones', () => {
  expect([...activeStates, ...doneStates]).toEqual([...appointmentStates])
  expect(assignableStates).toEqual(appointmentMachine.from('assign', 'reassign'))
})

test.each([
  ['in the evening before', at('16:00', 20), at('00:00')],
  ['two hours after a later booking', at('00:00'), at('02:00')],
  ['an hour before the start at the latest', at('14:00'), at('15:00')],
  ['at once after that', at('15:30'), at('15:30')],
])('a visit without a confirmation is confirmed %s', (_, bookedAt, due) =>
  expect(confirmsAt(bookedAt, at('16:00'), defaultSettings)).toEqual(due),
)

const requestKey = '0190c3a2-7f6e-7d3a-9b1c-2f4e5d6c7b8a'
const read = (form: object) => bookingInput.safeParse({ startsAt: '29925600', requestKey, ...form })
const messages = ({ error }: { error?: { issues: { message: string }[] } | undefined }) =>
  error?.issues.map(({ message }) => message) ?? []

test.each(['2026-11-24T10:00:00-06:00', '2026-11-24T16:00:00.000Z', '29925600', 29925600])(
  'the booking form takes %j as a start',
  (startsAt) => expect(read({ startsAt }).data?.startsAt).toEqual(at('16:00')),
)

test.each([undefined, '', 'mañana', '2026-11-24T10:00', '2026-13-24T10:00:00Z', '1e9', 12.5, {}])(
  'the booking form refuses %j as a start',
  (startsAt) => expect(messages(read({ startsAt }))).toEqual(['Elige un horario.']),
)

test('the booking form refuses a malformed key, as the assignment refuses to be without a person', () => {
  expect(messages(read({ requestKey: 'x' }))[0]).toContain('Vuelve a abrir')
  expect(messages(assigningInput.safeParse({ assigneeId: '' }))).toEqual(['Elige a una persona.'])
  const assigning = { assigneeId: requestKey, overrideReason: null }
  expect(assigningInput.parse({ assigneeId: requestKey })).toEqual(assigning)
})

test.each([
  ['2026-11-24T12:00-06:00', 24, 30, 'gratis hasta el lun 23 nov 2026, 12:00 p. m.'],
  // Exactly a day ahead.
  ['2026-11-21T10:00-06:00', 24, 30, 'después de agendarla tienes 30 min para'],
  ['2026-11-21T10:00-06:00', 24, 0, 'tendrás que escribirnos'],
  ['2026-11-21T10:00-06:00', 0, 30, 'gratis hasta el sáb 21 nov 2026, 10:00 a. m.'],
] as const)(
  'before booking %s, changes are free %i hours before or %i minutes after: "%s"',
  (start, freeChangeHours, freeChangeAfterBookingMinutes, words) => {
    const settings = { freeChangeHours, freeChangeAfterBookingMinutes }
    expect(
      changeUntilWords(new Date(start), new Date('2026-11-20T10:00-06:00'), settings).replaceAll(
        '\u00a0',
        ' ',
      ),
    ).toContain(words)
  },
)
