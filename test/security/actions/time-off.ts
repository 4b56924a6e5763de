import { timeOff } from '../../../src/platform/database/schema/accounts.ts'
import { hour } from '../../kit/appointments.ts'
import { fixture, fromNow } from '../../kit/open.ts'
import { insertIn } from '../../kit/reading.ts'
import { type Action, byManager, type Fields, formAt } from './shape.ts'

const page = '/admin/account'
const later = (days: number) => fromNow(days * 24 * hour)

/** A request for time off that nobody answered. */
async function asked(personId: string) {
  const during = `[${later(100).toISOString()},${later(101).toISOString()})`
  return (await insertIn(fixture, timeOff, { personId, during })).id
}

/** What technicians and analysts ask for themselves. */
export const askingTimeOff: readonly Action[] = [
  formAt(
    'time-off-ask',
    page,
    async () => {
      const date = later(200).toISOString().slice(0, 10)
      return { intent: 'time-off-ask', from: date, to: date, reason: 'Vacaciones' }
    },
    { may: { technician: 303, technician2: 303, analyst: 303 } },
  ),
  formAt(
    'time-off-withdraw',
    page,
    async ({ technician }) => ({
      intent: 'time-off-withdraw',
      timeOffId: await asked(technician.id),
    }),
    { hears: { technician2: 404, analyst: 404 }, may: { technician: 303 } },
  ),
]

const answering = (intent: string, fields: Fields = {}) =>
  byManager(`${intent} of somebody else’s`, async () => {
    const { id } = await fixture.person({ kind: 'tecnician' })
    const form = { intent, version: '1', timeOffId: await asked(id), ...fields }
    return { path: `/admin/users/${id}`, form }
  })

/** What the manager says to that. */
export const answeringTimeOff: readonly Action[] = [
  answering('staffing.approveTimeOff'),
  answering('staffing.refuseTimeOff', { refusal: 'Ese día no se puede.' }),
]
