import { describe, expect, test } from 'vitest'
import type { Actor, Mover, staffKinds } from '../../../src/domain/access/actor.ts'
import {
  type Facts as AppointmentFacts,
  type AppointmentState,
  activeStates,
  appointmentStates,
  assignableStates,
  doneStates,
  stateFacts,
} from '../../../src/domain/appointments/appointment.ts'
import { changeUntilWords, confirmsAt } from '../../../src/domain/appointments/rules.ts'
import { assigningInput, bookingInput } from '../../../src/domain/appointments/schema.ts'
import {
  appointmentMachine,
  changeRights,
  type MoveName,
} from '../../../src/domain/appointments/transitions.ts'
import { defaultSettings } from '../../../src/domain/settings/settings-schema.ts'
import { Refusal } from '../../../src/domain/shared/refusal.ts'

type Facts = AppointmentFacts & { now: Date }
type Asked = [name: MoveName, actor: Mover, facts: Facts]
const can = (...[name, actor, facts]: Asked) => appointmentMachine.can(name, actor, facts, facts.now)
const notYet = (...[name, actor, facts]: Asked) =>
  appointmentMachine.blockedReason(name, actor, facts, facts.now)
const stateAfter = (...[name, actor, facts]: Asked) => appointmentMachine.next(name, actor, facts, facts.now)

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

const facts = (state: AppointmentState, change: Partial<Facts> = {}): Facts => ({
  service: 'technical_visit',
  state,
  assigneeId: assignee.id,
  provisional: false,
  customerId: customer.id,
  startsAt: new Date('2026-11-24T16:00:00Z'),
  setOutAt: new Date('2026-11-24T15:40:00Z'),
  startedAt: new Date('2026-11-24T15:40:00Z'),
  customerWaitingSince: null,
  customerCameAt: null,
  callBackAskedAt: null,
  takenOverAt: null,
  now: new Date('2026-11-24T15:45:00Z'),
  ...change,
})

const manager = staff('manager')

const refusedWith = (attempt: () => unknown) => {
  try {
    attempt()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('It was allowed')
}

describe('the assignee', () => {
  test('makes no move while provisional, nor once released', () => {
    for (const change of [{ provisional: true }, { assigneeId: null }])
      expect(refusedWith(() => stateAfter('setOut', assignee, facts('assigned', change))).code).toBe(
        'permission-denied',
      )
  })

  test('sets out for what is at a place, never for a call', () => {
    for (const service of ['technical_visit', 'installation'] as const)
      expect(can('setOut', assignee, facts('assigned', { service }))).toBe(true)
    const call = facts('assigned', { service: 'videocall' })
    expect(refusedWith(() => stateAfter('setOut', assignee, call)).code).toBe('permission-denied')
    expect(can('start', assignee, call)).toBe(true)
  })

  test('a customer who has the id of the assignee is still a customer', () =>
    expect(can('finish', { ...customer, id: assignee.id }, facts('in_progress'))).toBe(false))
})

describe('its customer', () => {
  const settings = defaultSettings
  const booked = (created: string, starts: string, movedByCustomer = 0) =>
    changeRights(
      {
        service: 'technical_visit',
        createdAt: new Date(created),
        startsAt: new Date(starts),
        movedByCustomer,
      },
      settings,
    )

  test('changes it until a day before, and twice', () => {
    const rights = booked('2026-11-20T16:00:00Z', '2026-11-24T16:00:00Z', 1)
    expect(rights).toEqual({ until: new Date('2026-11-23T16:00:00Z'), left: 1 })
    const at = (now: string, left = 1) =>
      facts('assigned', { now: new Date(now), rights: { ...rights, left } })
    expect(can('reschedule', customer, at('2026-11-23T16:00:00Z'))).toBe(true)
    expect(notYet('reschedule', customer, at('2026-11-23T16:00:01Z'))).toContain('Ya pasó el plazo')
    expect(notYet('reschedule', customer, at('2026-11-23T16:00:00Z', 0))).toContain('Ya usaste tus cambios')
    expect(can('cancel', customer, at('2026-11-23T16:00:00Z', 0))).toBe(true)
    expect(can('cancelLate', customer, at('2026-11-23T16:00:00Z'))).toBe(false)
    expect(can('cancelLate', customer, at('2026-11-23T16:00:01Z'))).toBe(true)
  })

  test('changes what was just booked, and nothing whose time has come', () => {
    expect(booked('2026-11-24T10:00:00Z', '2026-11-24T16:00:00Z').until).toEqual(
      new Date('2026-11-24T10:30:00Z'),
    )
    expect(booked('2026-11-24T15:50:00Z', '2026-11-24T16:00:00Z').until).toEqual(
      new Date('2026-11-24T16:00:00Z'),
    )
  })

  test('says that nobody came from half an hour after the start', () =>
    expect(notYet('nobodyCame', customer, facts('assigned', { now: new Date('2026-11-24T16:29:00Z') }))).toBe(
      'A partir de las 10:30 a. m. podrás decirnos que nadie llegó.',
    ))
})

describe('what is taken back', () => {
  const late = { now: new Date('2026-11-24T15:50:01Z') }
  const undone = ['undoSetOut', 'undoStart', 'undoCallStart'] as const
  test.each(undone)('%s: ten minutes, the manager any time', (name) => {
    const state = name === 'undoSetOut' ? 'en_route' : 'in_progress'
    const service = name === 'undoCallStart' ? 'videocall' : 'technical_visit'
    const at = (when: Partial<Facts>) => facts(state, { service, ...when })
    expect(can(name, assignee, at({ now: new Date('2026-11-24T15:50:00Z') }))).toBe(true)
    expect(notYet(name, assignee, at(late))).toContain('10 minutos')
    expect(can(name, manager, at(late))).toBe(true)
  })

  test('a call never goes back to being on the way, a visit never past it', () => {
    const called = facts('in_progress', { service: 'videocall' })
    for (const mover of [assignee, manager]) {
      expect(can('undoStart', mover, called)).toBe(false)
      expect(can('undoCallStart', mover, facts('in_progress'))).toBe(false)
    }
  })
})

describe('the right moment', () => {
  const at = (now: string) => facts('assigned', { now: new Date(now) })
  const why = (name: MoveName, now: string) => {
    const { description } = refusedWith(() => stateAfter(name, assignee, at(now)))
    expect(notYet(name, assignee, at(now))).toBe(description)
    expect(can(name, assignee, at(now))).toBe(false)
    return description
  }

  test('nobody sets out or starts on another day', () => {
    const tomorrow = 'La cita es el martes 24 de noviembre de 2026. Podrás hacerlo ese día.'
    const gone = 'La cita era el martes 24 de noviembre de 2026. Pide a la gerencia que la cambie de día.'
    for (const name of ['setOut', 'start'] as const) {
      expect(why(name, '2026-11-24T05:59:59Z')).toBe(tomorrow)
      expect(why(name, '2026-11-25T06:00:00Z')).toBe(gone)
    }
    expect(can('setOut', assignee, at('2026-11-24T06:00:00Z'))).toBe(true)
    expect(can('setOut', assignee, at('2026-11-25T05:59:59Z'))).toBe(true)
  })

  test('nobody starts earlier than half an hour before', () => {
    expect(why('start', '2026-11-24T15:29:59Z')).toBe('Desde las 9:30 a. m. podrás iniciar.')
    expect(can('start', assignee, at('2026-11-24T15:30:00Z'))).toBe(true)
    expect(can('start', assignee, at('2026-11-24T23:00:00Z'))).toBe(true)
  })

  test('others are not told when', () =>
    expect(notYet('start', customer, at('2026-11-01T12:00:00Z'))).toBeNull())
})

test('a move that came too late says where the appointment stands', () =>
  expect(refusedWith(() => stateAfter('assign', manager, facts('cancelled'))).description).toContain(
    '«Cancelada»',
  ))

test('each state is pending or done, and has its words', () => {
  expect([...activeStates, ...doneStates]).toEqual([...appointmentStates])
  expect(Object.values(stateFacts).map(({ label }) => label)).toEqual([
    'Por asignar',
    'Asignada',
    'En camino',
    'En curso',
    'En pausa',
    'Realizada',
    'Cancelada',
    'No se presentó',
  ])
})

describe('what nobody confirmed is confirmed', () => {
  const due = (booked: string, start: string) =>
    confirmsAt(new Date(booked), new Date(start), defaultSettings).toISOString()
  test('at 18:00 of the evening before', () =>
    expect(due('2026-11-20T16:00:00Z', '2026-11-24T16:00:00Z')).toBe('2026-11-24T00:00:00.000Z'))
  test('two hours after a booking that came later', () =>
    expect(due('2026-11-24T00:00:00Z', '2026-11-24T16:00:00Z')).toBe('2026-11-24T02:00:00.000Z'))
  test('an hour before the start at the latest, and at once when even that has passed', () => {
    expect(due('2026-11-24T14:00:00Z', '2026-11-24T16:00:00Z')).toBe('2026-11-24T15:00:00.000Z')
    expect(due('2026-11-24T15:30:00Z', '2026-11-24T16:00:00Z')).toBe('2026-11-24T15:30:00.000Z')
  })
})

describe('forms', () => {
  const requestKey = '0190c3a2-7f6e-7d3a-9b1c-2f4e5d6c7b8a'
  const messages = (result: { success: boolean; error?: { issues: { message: string }[] } | undefined }) =>
    result.error?.issues.map(({ message }) => message) ?? []

  test('a booking takes an instant with its offset, or epoch minutes', () => {
    const at = (startsAt: unknown) => bookingInput.parse({ startsAt, requestKey }).startsAt.toISOString()
    expect(at('2026-11-24T10:00:00-06:00')).toBe('2026-11-24T16:00:00.000Z')
    expect(at('2026-11-24T16:00:00.000Z')).toBe('2026-11-24T16:00:00.000Z')
    expect(at('29925600')).toBe('2026-11-24T16:00:00.000Z')
    expect(at(29925600)).toBe('2026-11-24T16:00:00.000Z')
  })

  test.each([undefined, '', 'mañana', '2026-11-24T10:00', '2026-13-24T10:00:00Z', '1e9', 12.5, {}])(
    '%j is no start',
    (startsAt) =>
      expect(messages(bookingInput.safeParse({ startsAt, requestKey }))).toEqual(['Elige un horario.']),
  )

  test('notes may be left out, up to 500 characters', () => {
    const notes = (text?: string) => bookingInput.safeParse({ startsAt: '29925600', requestKey, notes: text })
    expect(notes().data?.notes).toBeNull()
    expect(notes('  Timbre azul ').data?.notes).toBe('Timbre azul')
    expect(notes('x'.repeat(500)).success).toBe(true)
    expect(messages(notes('x'.repeat(501)))).toEqual(['Usa como máximo 500 caracteres.'])
  })

  test('a forged key or person is refused in words', () => {
    expect(messages(bookingInput.safeParse({ startsAt: '29925600', requestKey: 'x' }))[0]).toContain(
      'Vuelve a abrir',
    )
    expect(messages(assigningInput.safeParse({ assigneeId: '' }))).toEqual(['Elige a una persona.'])
    expect(assigningInput.parse({ assigneeId: requestKey })).toEqual({
      assigneeId: requestKey,
      overrideReason: null,
    })
  })
})

test('what may be assigned is what the moves of an assignment leave', () =>
  expect(assignableStates).toEqual(appointmentMachine.from('assign', 'reassign')))

test.each([
  ['2026-11-24T12:00-06:00', 24, 30, 'gratis hasta el lun 23 nov 2026, 12:00 p. m.'],
  // Booked a day ahead, to the minute.
  ['2026-11-21T10:00-06:00', 24, 30, 'después de agendarla tienes 30 min para'],
  ['2026-11-21T10:00-06:00', 24, 0, 'tendrás que escribirnos'],
  ['2026-11-21T10:00-06:00', 0, 30, 'gratis hasta el sáb 21 nov 2026, 10:00 a. m.'],
] as const)(
  'said before a booking for %s, with %i hours and %i minutes',
  (start, freeChangeHours, freeChangeAfterBookingMinutes, words) => {
    const settings = { freeChangeHours, freeChangeAfterBookingMinutes }
    const said = changeUntilWords(new Date(start), new Date('2026-11-20T10:00-06:00'), settings)
    expect(said.replaceAll('\u00a0', ' ')).toContain(words)
  },
)
