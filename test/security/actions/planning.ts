import { randomUUID } from 'node:crypto'
import { addDays, localDate, toMinutes } from '../../../src/domain/shared/calendar.ts'
import { dayPlans } from '../../../src/server/platform/database/schema/accounts.ts'
import { calls } from '../../appointments/booking/services.ts'
import { hour, slots, storeVisit } from '../../kit/appointments.ts'
import { addressForm } from '../../kit/people.ts'
import type { World } from '../../kit/world.ts'
import type { Cast } from '../cast.ts'
import type { Actions } from './shape.ts'
import { askedArea } from './visits.ts'

const newAppointment = '/admin/assignations/nueva'

const nothing = {
  visits: [],
  people: [],
  travel: { before: 0, after: 0 },
  left: { before: 0, after: 0 },
  cost: 0,
  bound: 0,
  versions: {},
  stuck: [],
}

let days = 0

/** A plan that changes nothing, for a day of its own: one runs for each. */
async function planIn(world: World, { manager }: Cast, state: 'running' | 'ready') {
  const date = addDays('2090-01-01', days++)
  const [row] = await world.db
    .insert(dayPlans)
    .values({ date, state, madeBy: manager.id, plan: nothing })
    .returning()
  return { path: '/admin/assignations/plan', planId: row!.id }
}

/** The plan of a day. */
export const planning: Actions = {
  'scheduling/new-appointment.tsx': [
    {
      name: 'register somebody who calls',
      attempt: async () => ({
        path: newAppointment,
        form: {
          intent: 'create-customer',
          ...addressForm,
          name: 'Rita',
          lastname: 'Llamas',
          phone: '5581234567',
          email: `rita-${randomUUID()}@prueba.mx`,
        },
      }),
      may: { manager: 303 },
    },
    {
      name: 'give a caller’s address',
      async attempt(world) {
        const { id } = await world.person()
        const form = { intent: 'give-address', customerId: id, service: 'technical_visit', ...addressForm }
        return { path: newAppointment, form }
      },
      may: { manager: 303 },
    },
    {
      name: 'say whether we reach a caller’s home',
      attempt: async (world) => ({ path: newAppointment, form: (await askedArea(world)).form }),
      may: { manager: 303 },
    },
    {
      name: 'begin-other',
      async attempt(world) {
        const caller = await world.person()
        await world.home(caller)
        const { id } = caller
        const form = { intent: 'begin-other', customerId: id, service: 'technical_visit' }
        return { path: newAppointment, form }
      },
      may: { manager: 303 },
    },
    {
      name: 'book for a caller',
      async attempt(world) {
        const caller = await world.person()
        const [startsAt = ''] = await slots(world, caller, 2, calls)
        const form = { customerId: caller.id, service: 'videocall', interest: '01', startsAt }
        return {
          path: newAppointment,
          form: { intent: 'book-for-caller', requestKey: randomUUID(), ...form },
        }
      },
      may: { manager: 303 },
    },
  ],
  'scheduling/plan.tsx': [
    {
      name: 'calculate-plan',
      async attempt(world, { manager }) {
        const start = new Date(Date.now() + (900 + Math.floor(Math.random() * 1000)) * 24 * hour)
        const customer = await world.person({ name: `Cliente ${randomUUID().slice(0, 4)}` })
        await storeVisit(world, customer, await world.home(customer), start, {
          state: 'requested',
          confirmedAt: null,
        })
        const date = localDate(toMinutes(start))
        // It runs already: a thread of its own would write on while the next attack looks for changes.
        await world.db.insert(dayPlans).values({ date, madeBy: manager.id })
        const path = `/admin/assignations/plan?dia=${date}`
        return { path, form: { intent: 'calculate-plan' } }
      },
      may: { manager: 303 },
    },
    {
      name: 'stop-plan',
      async attempt(world, cast) {
        const { path, planId } = await planIn(world, cast, 'running')
        return { path, form: { intent: 'stop-plan', planId } }
      },
      may: { manager: 303 },
    },
    {
      name: 'apply-plan',
      async attempt(world, cast) {
        const { path, planId } = await planIn(world, cast, 'ready')
        return { path, form: { intent: 'apply-plan', planId } }
      },
      may: { manager: 303 },
    },
    {
      name: 'confirm-plan',
      async attempt(world, cast) {
        const { path, planId } = await planIn(world, cast, 'ready')
        return { path, form: { intent: 'confirm-plan', planId } }
      },
      may: { manager: 303 },
    },
  ],
}
