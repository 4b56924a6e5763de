import { eq } from 'drizzle-orm'
import { projects } from '../../../src/server/platform/database/schema/projects.ts'
import type { Home, Person } from '../../kit/people.ts'
import { quoted } from './quotes.ts'
import type { Action, Actions } from './shape.ts'

/** A project is given up, on a page that shows it. */
export const giveUp = (name: string, at: (of: Home & { customer: Person }) => string): Action => ({
  name,
  async attempt(world) {
    const customer = await world.person()
    const home = await world.home(customer)
    const form = { intent: 'lose-project', projectId: home.projectId, reason: 'precio' }
    return { path: at({ ...home, customer }), form }
  },
  // Sent again with the same reason, it is the same ending.
  may: { analyst: 303, manager: 303 },
})

/** What the office does with the list of customers. */
export const pipeline: Actions = {
  'projects/project.tsx': [
    giveUp('give a project up', ({ projectId }) => `/admin/clients/${projectId}`),
    {
      name: 'take a project up again',
      async attempt(world) {
        const { projectId } = await world.home(await world.person())
        const closed = { closedAt: new Date(), lostReason: 'precio' as const }
        await world.db.update(projects).set(closed).where(eq(projects.id, projectId))
        return { path: `/admin/clients/${projectId}`, form: { intent: 'reopen-project', projectId } }
      },
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
