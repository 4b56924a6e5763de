import { activeStates } from '../../../src/appointments/rules/appointment.ts'
import { stateAfter, stepsAfter } from '../../../src/appointments/rules/field-steps.ts'
import {
  appointmentMachine,
  type FormEnd,
  type Step,
  stepSpans,
  stepsAt,
} from '../../../src/appointments/rules/transitions.ts'

const startsAt = new Date('2026-11-23T16:00:00Z')

test.each(Object.keys(stepsAfter) as Step[])('after %s offers what the machine allows', (step) => {
  const { to } = appointmentMachine.transitions[step]
  const allowed = ([...(Object.keys(stepsAfter) as Step[]), 'finish', 'callOff', 'release'] as const).filter(
    (name) => appointmentMachine.transitions[name].from.some((from) => from === to),
  )
  // What is paused is resumed before it is finished.
  expect(stepsAfter[step]).toEqual(to === 'paused' ? ['resume', 'callOff'] : allowed)
})

test('leads to the states of the machine', () => {
  const { submit, ...moves } = stateAfter
  expect(submit).toBe(appointmentMachine.transitions.finish.to)
  for (const [move, state] of Object.entries(moves))
    expect(appointmentMachine.transitions[move as Step | FormEnd].to).toBe(state)
})

test('the spans of a page offer at every quarter of an hour what the machine allows', () => {
  for (const service of ['technical_visit', 'videocall'] as const)
    for (const state of activeStates) {
      const facts = { service, state, startsAt }
      const spans = stepSpans(facts)
      for (let quarter = -4 * 30; quarter <= 4 * 30; quarter++) {
        const now = new Date(startsAt.getTime() + quarter * 15 * 60_000)
        const minute = now.getTime() / 60_000
        expect(
          spans.filter(({ from, until }) => from <= minute && minute < until).map(({ move }) => move),
        ).toEqual(stepsAt(facts, now))
      }
    }
})
