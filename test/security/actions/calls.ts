import { appointmentPath } from '../../../src/appointments/rules/appointment-path.ts'
import { minute, type Visit } from '../../kit/appointments.ts'
import { fixture } from '../../kit/open.ts'
import { type Action, type Actions, analystFirst, type Fields, type Heards } from './shape.ts'
import { visitOfToday } from './visit-of-today.ts'

type Moving = {
  form?: Fields
  may?: Heards
  /** How long after its start. */
  after?: number
  input?: () => Promise<Partial<Visit>>
}

/** A form of the screen of the analyst's call. */
const ofCall = (
  move: string,
  state: Visit['state'],
  { form, may = { analyst: 303 }, after, input }: Moving = {},
): Action => ({
  name: `move ${move}`,
  async attempt(everyone) {
    const call = { service: 'videocall', assigneeId: everyone.analyst.id, ...(await input?.()) } as const
    const visit = await visitOfToday(everyone, state, call, after)
    return { path: appointmentPath('pending', visit), form: { move, ...form } }
  },
  may,
})

/** What is over leads to its other screen. */
const managerLater = { analyst: 303, manager: 302 }

/** The screens of calls, for those who work here. */
export const calls: Actions = {
  'calls/screens/pending-call.tsx': [
    ofCall('start', 'assigned'),
    ofCall('undoCallStart', 'in_progress', analystFirst),
    ofCall('callOff', 'in_progress', { form: { reason: 'cliente_no_disponible' }, may: managerLater }),
    ofCall('noShow', 'assigned', {
      form: { called: 'yes', calledAt: '00:00' },
      may: managerLater,
      after: 20 * minute,
    }),
    ofCall('finish', 'in_progress', {
      form: { summary: 'Vimos lo que hacía falta.', nextSteps: 'Agenda tu visita técnica.' },
    }),
    // Said again by a manager, they are the same notes.
    ofCall('notes', 'in_progress', {
      form: { notes: 'Lo que vimos', version: '0' },
      may: { analyst: 200, manager: 200 },
    }),
    ofCall('takeOver', 'assigned', {
      form: { version: '1' },
      ...analystFirst,
      after: 5 * minute,
      input: async () => ({
        assigneeId: (await fixture.person({ kind: 'analyst' })).id,
        customerWaitingSince: new Date(0),
      }),
    }),
  ],
}
