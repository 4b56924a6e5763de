import { appointmentPath } from '../../../src/domain/appointments/appointment-path.ts'
import { minute, type Visit } from '../../kit/appointments.ts'
import type { Action, Actions } from './shape.ts'
import { visitOfToday } from './visit-of-today.ts'

type OfCall = {
  wish?: Partial<Visit>
  form?: Record<string, string>
  may?: Action['may']
  after?: number
}

/** A form of the screen of a call, for whose call it is unless said otherwise. */
const ofCall = (
  move: string,
  state: Visit['state'],
  { after, form, may = { analyst: 303 }, wish }: OfCall = {},
): Action => ({
  name: `move ${move}`,
  async attempt(world, cast) {
    const call = { service: 'videocall', assigneeId: cast.analyst.id, ...wish } as const
    const visit = await visitOfToday(world, cast, state, call, after)
    return { path: appointmentPath('pending', visit), form: { move, ...form } }
  },
  may,
})

const said = { summary: 'Vimos lo que hacía falta.', nextSteps: 'Agenda tu visita técnica.' }
/** What is over leads to its other screen. */
const managerLater = { analyst: 303, manager: 302 }

const takingOver: Action = {
  name: 'move takeOver',
  async attempt(world, cast) {
    const other = await world.person({ kind: 'analyst' })
    const call = { service: 'videocall', assigneeId: other.id, customerWaitingSince: new Date(0) } as const
    const visit = await visitOfToday(world, cast, 'assigned', call, 5 * minute)
    return {
      path: appointmentPath('pending', visit),
      form: { move: 'takeOver', version: String(visit.version) },
    }
  },
  may: { analyst: 303, manager: 409 },
}

/** The screens of calls, for those who work here. */
export const calls: Actions = {
  'calls/pending-call.tsx': [
    ofCall('start', 'assigned'),
    ofCall('undoCallStart', 'in_progress', { may: { analyst: 303, manager: 409 } }),
    ofCall('callOff', 'in_progress', { form: { reason: 'cliente_no_disponible' }, may: managerLater }),
    ofCall('noShow', 'assigned', {
      form: { called: 'yes', calledAt: '00:00' },
      may: managerLater,
      after: 20 * minute,
    }),
    ofCall('finish', 'in_progress', { form: said }),
    // Said again by a manager, they are the same notes.
    ofCall('notes', 'in_progress', {
      form: { notes: 'Lo que vimos', version: '0' },
      may: { analyst: 200, manager: 200 },
    }),
    takingOver,
  ],
}
