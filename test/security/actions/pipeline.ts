import { quoted } from './quotes.ts'
import type { Actions } from './shape.ts'

/** What the office does with the list of customers. */
export const pipeline: Actions = {
  'pipeline/pipeline.tsx': [
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
