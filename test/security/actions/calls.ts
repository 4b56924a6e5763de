import { appointmentPath } from '../../../src/domain/appointments/appointment-path.ts'
import { minute, type Visit } from '../../kit/appointments.ts'
import type { Action, Actions, Fields, Heards } from './shape.ts'
import { visitOfToday } from './visit-of-today.ts'

/** A form of the screen of the analyst's call, `after` its start. */
const ofCall = (
  move: string,
  state: Visit['state'],
  form: Fields = {},
  may: Heards = { analyst: 303 },
  after?: number,
): Action => ({
  name: `move ${move}`,
  async attempt(world, cast) {
    const call = { service: 'videocall', assigneeId: cast.analyst.id } as const
    const visit = await visitOfToday(world, cast, state, call, after)
    return { path: appointmentPath('pending', visit), form: { move, ...form } }
  },
  may,
})

/** What is over leads to its other screen. */
const managerLater = { analyst: 303, manager: 302 }

/** The screens of calls, for those who work here. */
export const calls: Actions = {
  'calls/pending-call.tsx': [
    ofCall('start', 'assigned'),
    ofCall('undoCallStart', 'in_progress', {}, { analyst: 303, manager: 409 }),
    ofCall('callOff', 'in_progress', { reason: 'cliente_no_disponible' }, managerLater),
    ofCall('noShow', 'assigned', { called: 'yes', calledAt: '00:00' }, managerLater, 20 * minute),
    ofCall('finish', 'in_progress', {
      summary: 'Vimos lo que hacía falta.',
      nextSteps: 'Agenda tu visita técnica.',
    }),
    // Said again by a manager, they are the same notes.
    ofCall('notes', 'in_progress', { notes: 'Lo que vimos', version: '0' }, { analyst: 200, manager: 200 }),
    {
      name: 'move takeOver',
      async attempt(world, cast) {
        const other = await world.person({ kind: 'analyst' })
        const call = {
          service: 'videocall',
          assigneeId: other.id,
          customerWaitingSince: new Date(0),
        } as const
        const visit = await visitOfToday(world, cast, 'assigned', call, 5 * minute)
        const form = { move: 'takeOver', version: String(visit.version) }
        return { path: appointmentPath('pending', visit), form }
      },
      may: { analyst: 303, manager: 409 },
    },
  ],
}
