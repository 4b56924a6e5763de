import { eq } from 'drizzle-orm'
import { customerMerges, users } from '../../../src/server/platform/database/schema/accounts.ts'
import { projects } from '../../../src/server/platform/database/schema/projects.ts'
import { addressForm, type Person } from '../../kit/people.ts'
import type { World } from '../../kit/world.ts'
import { quoted } from './quotes.ts'
import type { Action, Actions } from './shape.ts'
import { askedArea } from './visits.ts'

const pageOf = ({ id }: Person) => `/admin/users/${id}/cliente`

/** Two records of one customer. */
const pair = async (world: World) => [await world.person(), await world.person()] as const

/** A project is given up. */
const giveUp = (name: string): Action => ({
  name,
  async attempt(world) {
    const customer = await world.person()
    const home = await world.home(customer)
    const form = { intent: 'lose-project', projectId: home.projectId, reason: 'precio' }
    return { path: pageOf(customer), form }
  },
  // Sent again with the same reason, it is the same ending.
  may: { analyst: 303, manager: 303 },
})

/** What the office does with the list of customers. */
export const pipeline: Actions = {
  'projects/customer-file.tsx': [
    giveUp('give a project up'),
    {
      name: 'take a project up again',
      async attempt(world) {
        const customer = await world.person()
        const { projectId } = await world.home(customer)
        const closed = { closedAt: new Date(), lostReason: 'precio' as const }
        await world.db.update(projects).set(closed).where(eq(projects.id, projectId))
        return { path: pageOf(customer), form: { intent: 'reopen-project', projectId } }
      },
      may: { manager: 303 },
    },
    {
      name: 'ask the manager to close a project',
      async attempt(world) {
        const customer = await world.person()
        const { projectId } = await world.home(customer)
        return {
          path: pageOf(customer),
          form: { intent: 'ask-to-lose', projectId, reason: 'precio', note: '' },
        }
      },
      may: { analyst: 303, manager: 303 },
    },
    {
      name: 'note a call with a customer',
      async attempt(world) {
        const customer = await world.person()
        await world.home(customer)
        return { path: pageOf(customer), form: { intent: 'note-call', result: 'Quiere pensarlo.' } }
      },
      may: { analyst: 303, manager: 303 },
    },
    {
      name: 'say at a customer’s page whether we reach their home',
      async attempt(world) {
        const { customer, form } = await askedArea(world)
        return { path: pageOf(customer), form }
      },
      // The first answer stands.
      may: { analyst: 303, manager: 409 },
    },
    {
      name: 'correct a customer’s name and phone',
      async attempt(world) {
        const words = { name: 'Otro', lastname: 'Nombre', phone: '5511112222' }
        const form = { intent: 'correct-profile', version: '1', ...words }
        return { path: pageOf(await world.person()), form }
      },
      may: { manager: 303 },
    },
    {
      name: 'correct a customer’s e-mail',
      async attempt(world) {
        const form = { intent: 'correct-email', version: '1', email: `otro-${Date.now()}@prueba.mx` }
        return { path: pageOf(await world.person()), form }
      },
      may: { manager: 303 },
    },
    {
      name: 'resend-access',
      attempt: async (world) => ({ path: pageOf(await world.person()), form: { intent: 'resend-access' } }),
      may: { manager: 303 },
    },
    {
      name: 'access-link',
      attempt: async (world) => ({
        path: pageOf(await world.person({ emailVerified: false })),
        form: { intent: 'access-link' },
      }),
      may: { manager: 200 },
    },
    {
      name: 'undo-merge',
      async attempt(world, { manager }) {
        const [kept, ended] = await pair(world)
        const ids = { keptId: kept.id, endedId: ended.id, mergedBy: manager.id }
        await world.db
          .update(users)
          .set({ active: false, mergedIntoId: kept.id })
          .where(eq(users.id, ended.id))
        const [merge] = await world.db
          .insert(customerMerges)
          .values({ ...ids, moved: {}, profile: {} })
          .returning()
        return { path: pageOf(kept), form: { intent: 'undo-merge', mergeId: merge!.id } }
      },
      may: { manager: 303 },
    },
  ],
  'projects/customer-merge.tsx': [
    {
      name: 'merge',
      async attempt(world) {
        const [kept, ended] = await pair(world)
        const ids = { keptId: kept.id, endedId: ended.id }
        const form = { intent: 'merge', ...ids, nameOf: 'kept', phoneOf: 'ended', confirmed: 'on' }
        return { path: `${pageOf(kept)}/unir`, form }
      },
      may: { manager: 303 },
    },
  ],
  'projects/customer-address.tsx': [
    {
      name: 'correct-address',
      attempt: async (world) => ({
        path: `${pageOf(await world.person())}/domicilio`,
        form: { intent: 'correct-address', ...addressForm },
      }),
      may: { manager: 303 },
    },
  ],
  'projects/pipeline.tsx': [
    {
      name: 'note a call',
      attempt: async (world, cast) => ({
        path: '/admin/clients',
        form: {
          quoteId: (await quoted(world, cast, 'sent')).id,
          seen: '',
          result: 'Lo piensa el fin de semana.',
        },
      }),
      // Somebody else was faster, and their words were not shown.
      may: { analyst: 303, manager: 409 },
    },
  ],
}
