import type { AppointmentState } from '../../../src/appointments/rules/appointment.ts'
import {
  type MissedStep,
  mayReportAgain,
  missedLine,
  missedStepOf,
  type NobodyCameAnswer,
} from '../../../src/appointments/rules/nobody-came.ts'
import { fullProjectStatusOf, noProject } from '../../../src/projects/rules/project.ts'

/** Minutes after the report, which was made at noon in UTC. */
const after = (minutes: number) => new Date(Date.UTC(2026, 10, 24, 12, minutes))
const answers: Record<string, NobodyCameAnswer> = { calling: 'calling', coming: 'coming', was: 'was_there' }

type Case = [
  state: AppointmentState,
  answer: string,
  setOut: number | null,
  moved: number,
  step: MissedStep | null,
]

const told = ([state, answer, setOut, moved]: Case) => ({
  state,
  setOutAt: setOut === null ? null : after(setOut),
  timeSetAt: after(moved),
  nobodyCameAt: answer === 'none' ? null : after(0),
  nobodyCameAnswer: answers[answer] ?? null,
  nobodyCameAnsweredAt: answers[answer] ? after(5) : null,
})

test.each<Case>([
  ['assigned', 'none', null, -60, null],
  // They set out before the report.
  ['en_route', 'said', -50, -60, 'reported'],
  ['en_route', 'said', 3, -60, 'coming'],
  ['assigned', 'calling', null, -60, 'calling'],
  ['assigned', 'coming', null, -60, 'coming'],
  ['assigned', 'was', null, -60, 'was_there'],
  ['assigned', 'said', null, 10, 'moved'],
  ['paused', 'was', 3, -60, 'arrived'],
  ['in_progress', 'said', 1440, 10, null],
  ['done', 'said', 3, -60, null],
])('%s, answered %s, out at %s, moved at %s: shown as %s', (...one) =>
  expect(missedStepOf(told(one))).toBe(one[4]),
)

test.each<[step: string, at: number, may: boolean, ...Case]>([
  ['nothing said', 0, true, 'assigned', 'none', null, -60, null],
  ['reported', 500, false, 'assigned', 'said', null, -60, null],
  ['calling', 500, false, 'assigned', 'calling', null, -60, null],
  ['coming for 29 minutes', 34, false, 'assigned', 'coming', null, -60, null],
  ['coming for 30 minutes', 35, true, 'assigned', 'coming', null, -60, null],
  ['set out after it, 29 minutes ago', 39, false, 'en_route', 'said', 10, -60, null],
  ['set out after it, 30 minutes ago', 40, true, 'en_route', 'said', 10, -60, null],
  ['was there', 6, true, 'assigned', 'was', null, -60, null],
  ['moved', 1440, true, 'assigned', 'said', null, 10, null],
  ['somebody is there', 40, false, 'in_progress', 'said', null, -60, null],
])('%s, minute %s: may be reported again: %s', (_, at, may, ...one) =>
  expect(mayReportAgain(told(one), after(at))).toBe(may),
)

const line = (state: AppointmentState, missed: MissedStep | null) =>
  fullProjectStatusOf(
    {
      ...noProject,
      area: 'served',
      appointments: [{ service: 'technical_visit', state, outcome: null, since: after(0), missed }],
    },
    { askedSince: null, faultSince: null },
  )

test('the project shows one status, never that a technician is on the way and nobody came', () => {
  expect(line('en_route', null).line).toBe('Tu técnico va en camino.')
  expect(line('en_route', 'reported')).toMatchObject({
    line: 'Perdona: nadie llegó. Vemos qué pasó y te llamamos.',
    waitingOn: 'manager',
  })
  expect(line('en_route', 'calling').line).toBe('Te estamos llamando.')
  expect(line('assigned', 'coming')).toMatchObject({
    line: 'Tu técnico va en camino.',
    waitingOn: 'technician',
  })
  expect(line('assigned', 'moved').line).toBe(line('assigned', null).line)
  expect(line('in_progress', 'arrived').line).toBe('Tu técnico está haciendo la visita.')
  expect(missedLine('coming', { needsTravel: false })).toBe('Tu analista ya entra a tu llamada.')
})
