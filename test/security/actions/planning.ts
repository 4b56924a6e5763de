import { randomUUID } from 'node:crypto'
import { dayPlans } from '../../../src/platform/database/schema/accounts.ts'
import { addDays, localDate, toMinutes } from '../../../src/shared/calendar.ts'
import { calls } from '../../appointments/booking/services.ts'
import { hour, slots, visitAtHome } from '../../kit/appointments.ts'
import { fixture, fromNow, newPerson, storeRows } from '../../kit/open.ts'
import { addressForm } from '../../kit/people.ts'
import { insertIn } from '../../kit/reading.ts'
import { type Actions, byManager, type Fields, formAt, managerOnly } from './shape.ts'
import { askedArea } from './visits.ts'

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

/** About a plan that changes nothing, for a day of its own: one runs for each. */
const aboutPlan = (intent: string, state: 'running' | 'ready') =>
  formAt(
    intent,
    '/admin/assignations/plan',
    async ({ manager }) => {
      const date = addDays('2090-01-01', days++)
      const row = await insertIn(fixture, dayPlans, { date, state, madeBy: manager.id, plan: nothing })
      return { intent, planId: row.id }
    },
    managerOnly,
  )

/** A form of the page where an appointment is made for somebody who calls. */
const forCaller = (name: string, form: Fields | (() => Promise<Fields>)) =>
  formAt(name, '/admin/assignations/nueva', form, managerOnly)

/** The plan of a day. */
export const planning: Actions = {
  'dispatch/screens/new-appointment.tsx': [
    forCaller('register somebody who calls', {
      intent: 'create-customer',
      ...addressForm,
      name: 'Rita',
      lastname: 'Llamas',
      phone: '5581234567',
      email: `rita-${randomUUID()}@prueba.mx`,
    }),
    forCaller('give a caller’s address', async () => {
      const { id } = await newPerson()
      return { intent: 'give-address', customerId: id, service: 'technical_visit', ...addressForm }
    }),
    forCaller('say whether we reach a caller’s home', async () => (await askedArea()).form),
    forCaller('book for a caller', async () => {
      const caller = await newPerson()
      const [startsAt = ''] = await slots(caller, 2, calls)
      const form = { customerId: caller.id, service: 'videocall', interest: '01', startsAt }
      return { intent: 'book-for-caller', requestKey: randomUUID(), ...form }
    }),
  ],
  'dispatch/screens/plan.tsx': [
    byManager('calculate-plan', async ({ manager }) => {
      const start = fromNow((900 + Math.floor(Math.random() * 1000)) * 24 * hour)
      const customer = await newPerson({ name: `Cliente ${randomUUID().slice(0, 4)}` })
      await visitAtHome(customer, start, { state: 'requested', confirmedAt: null } as const)
      const date = localDate(toMinutes(start))
      // It runs already: a thread of its own would write on while the next attack looks for changes.
      await storeRows(dayPlans, { date, madeBy: manager.id })
      return { path: `/admin/assignations/plan?dia=${date}`, form: { intent: 'calculate-plan' } }
    }),
    aboutPlan('stop-plan', 'running'),
    aboutPlan('apply-plan', 'ready'),
    aboutPlan('confirm-plan', 'ready'),
  ],
}
