import { randomUUID } from 'node:crypto'
import { tasks } from '../../src/server/database/schema.ts'
import { hour, minute, slots, storeVisit, type Visit } from '../appointments/story.ts'
import { addressForm } from '../people.ts'
import type { Form } from '../visitor.ts'
import type { World } from '../world.ts'
import type { Cast, Who } from './cast.ts'

export type Attempt = { path: string; form: Form }
/** What somebody hears: a status, or where they are led. */
export type Heard = number | string
/** One thing a screen's form can ask for. */
export type Action = {
  name: string
  /** Makes what there has to be, and answers the request of somebody who may make it. */
  attempt: (world: World, cast: Cast) => Promise<Attempt>
  /** Who may, in the order they try, and what they hear: the first does it, a later one may come too late. */
  may?: Partial<Record<Who, Heard>>
  /** Who is refused in another way than by 403 or by being led to their door. */
  hears?: Partial<Record<Who, Heard>>
}

const everybodyNamed = (heard: Heard): Partial<Record<Who, Heard>> => ({
  ...{ customer: heard, customer2: heard, manager: heard, analyst: heard, technician: heard },
  ...{ technician2: heard, gester: heard, ally: heard, ally2: heard },
})
/** At the public screens everybody who is signed in is led on. */
const signedIn = { ...everybodyNamed('/admin'), customer: '/', customer2: '/' }
/** Whose cookie serves no more is a stranger there. */
const strangers = (heard: Heard): Partial<Record<Who, Heard>> => ({
  ...{ anonymous: heard, inactive: heard, ended: heard, expired: heard, forged: heard, closedAgency: heard },
})

let days = 0

/** A visit of the first agency's client with the technician, on a day of its own; the clock stands just before it. */
async function visitOfToday(world: World, { technician, ally }: Cast, state: Visit['state']) {
  days++
  const start = new Date(Date.now() + days * 24 * hour)
  const client = await world.person()
  const home = await world.home(client, {}, ally.agencyId!)
  const visit = await storeVisit(world, client, home, start, { assigneeId: technician.id, state })
  world.at(new Date(start.getTime() - 10 * minute))
  return visit
}

const moving = (move: string, state: Visit['state'], more: Record<string, string> = {}): Action => ({
  name: `move ${move}`,
  async attempt(world, cast) {
    const { id } = await visitOfToday(world, cast, state)
    return { path: `/admin/appointments-pending/${id}`, form: { move, ...more } }
  },
  // The manager and the analyst see every visit, and the agency's ally this one; the others' does not exist.
  hears: { technician2: 404, ally2: 404 },
  may: { technician: 303 },
})

/** Every action of every route module, by its file. A module with an action that is not here fails the matrix. */
export const actions: Record<string, readonly Action[]> = {
  'accounts/signin.tsx': [
    {
      name: 'sign in',
      attempt: async () => ({
        path: '/signin',
        // Without a password: a wrong one would count against the account.
        form: { email: 'nadie@prueba.mx', password: '' },
      }),
      hears: { ...signedIn, ...strangers(400) },
    },
  ],
  'accounts/signup.tsx': [
    {
      name: 'sign up',
      attempt: async () => ({ path: '/signup', form: { email: 'nadie@prueba.mx', password: 'corta' } }),
      hears: { ...signedIn, ...strangers(400) },
    },
  ],
  'accounts/signout.ts': [],
  'addresses/address.tsx': [
    {
      name: 'save',
      async attempt(world, { customer }) {
        await world.home(customer)
        return { path: '/address', form: { ...addressForm, street: 'Calle Nueva', version: '1' } }
      },
      // The other customer has no address of that version.
      hears: { customer2: 409 },
      may: { customer: 303 },
    },
    {
      name: 'ask for notice',
      attempt: async () => ({ path: '/address', form: { intent: 'notice' } }),
      hears: { customer2: 409, customer: 409 },
    },
    {
      name: 'archive',
      attempt: async () => ({ path: '/address', form: { intent: 'archive', version: '2' } }),
      hears: { customer2: 409 },
      may: { customer: 303 },
    },
  ],
  'appointments/book.tsx': [
    {
      name: 'book',
      async attempt(world, { customer2 }) {
        await world.home(customer2)
        const [startsAt = ''] = await slots(world, customer2)
        return { path: '/agenda-technics-visit', form: { startsAt, requestKey: randomUUID() } }
      },
      // The first has taken the address away again.
      hears: { customer: 409 },
      may: { customer2: 303 },
    },
  ],
  'appointments/assign.tsx': [
    {
      name: 'assign',
      async attempt(world, cast) {
        const { id, version } = await visitOfToday(world, cast, 'requested')
        const form = { version: String(version), assigneeId: cast.technician.id, overrideReason: 'Lo pidió' }
        return { path: `/admin/assignations/${id}`, form }
      },
      may: { manager: 303 },
    },
  ],
  'appointments/pending-detail.tsx': [
    moving('setOut', 'assigned'),
    moving('start', 'en_route'),
    moving('finish', 'in_progress', { closingNote: 'Quedó todo bien.' }),
  ],
  'home/staff.tsx': [
    {
      name: 'close a task',
      async attempt(world) {
        const [task] = await world.db
          .insert(tasks)
          .values({ subject: 'Llamar', reason: 'coverage' })
          .returning()
        return { path: '/admin', form: { taskId: task!.id, result: 'Ya se llamó' } }
      },
      may: { analyst: 303, manager: 409 },
    },
  ],
  'not-found.tsx': [],
  // The last: afterwards nobody is without a name any more.
  'accounts/completion.tsx': [
    {
      name: 'complete the profile',
      attempt: async () => ({
        path: '/completion',
        form: { name: 'Nueva', lastname: 'Persona', phone: '5511112222' },
      }),
      hears: everybodyNamed('/'),
      may: { unnamed: 303, unnamedStaff: 303 },
    },
  ],
}
