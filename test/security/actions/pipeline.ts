import { customerMerges, users } from '../../../src/platform/database/schema/accounts.ts'
import { projects } from '../../../src/platform/database/schema/projects.ts'
import type { Fixture } from '../../kit/fixture.ts'
import { fixture, newPerson, setRow } from '../../kit/open.ts'
import { addressForm, type Person, type PersonInput } from '../../kit/people.ts'
import { insertIn } from '../../kit/reading.ts'
import { quoted } from './quotes.ts'
import {
  type Action,
  type Actions,
  analystFirst,
  byManager,
  type Fields,
  formAt,
  type Heards,
} from './shape.ts'
import { askedArea } from './visits.ts'

const pageOf = ({ id }: Person) => `/admin/users/${id}/cliente`

/** A form of a customer's page, about their project. */
const aboutProject = (
  name: string,
  may: Heards,
  form: (projectId: string, fixture: Fixture) => Fields | Promise<Fields>,
): Action => ({
  name,
  async attempt() {
    const customer = await newPerson()
    const { projectId } = await fixture.home(customer)
    return { path: pageOf(customer), form: await form(projectId, fixture) }
  },
  may,
})

/** A form of the page of a customer without a project. */
const aboutCustomer = (name: string, form: Fields, path = '', input: PersonInput = {}, heard = 303) =>
  byManager(name, async () => ({ path: `${pageOf(await newPerson(input))}${path}`, form }), heard)

/** The second says the same once more. */
const both = { analyst: 303, manager: 303 }

/** What the office does with the list of customers. */
export const pipeline: Actions = {
  'customers/screens/customer-file.tsx': [
    aboutProject('give a project up', both, (projectId) => ({
      intent: 'lose-project',
      projectId,
      reason: 'precio',
    })),
    aboutProject('take a project up again', { manager: 303 }, async (projectId, _world) => {
      await setRow(projects, projectId, { closedAt: new Date(), lostReason: 'precio' as const })
      return { intent: 'reopen-project', projectId }
    }),
    aboutProject('ask the manager to close a project', both, (projectId) => ({
      intent: 'ask-to-lose',
      projectId,
      reason: 'precio',
      note: '',
    })),
    aboutProject('note a call with a customer', both, () => ({
      intent: 'note-call',
      result: 'Quiere pensarlo.',
    })),
    {
      name: 'say at a customer’s page whether we reach their home',
      async attempt() {
        const { customer, form } = await askedArea()
        return { path: pageOf(customer), form }
      },
      ...analystFirst,
    },
    aboutCustomer('correct a customer’s name and phone', {
      intent: 'correct-profile',
      version: '1',
      name: 'Otro',
      lastname: 'Nombre',
      phone: '5511112222',
    }),
    aboutCustomer('correct a customer’s e-mail', {
      intent: 'correct-email',
      version: '1',
      email: `otro-${Date.now()}@prueba.mx`,
    }),
    aboutCustomer('resend-access', { intent: 'resend-access' }),
    aboutCustomer('access-link', { intent: 'access-link' }, '', { emailVerified: false }, 200),
    byManager('undo-merge', async ({ manager }) => {
      const kept = await newPerson()
      const ended = await newPerson()
      await setRow(users, ended, { active: false, mergedIntoId: kept.id })
      const merge = await insertIn(fixture, customerMerges, {
        keptId: kept.id,
        endedId: ended.id,
        mergedBy: manager.id,
        moved: {},
        profile: {},
      })
      return { path: pageOf(kept), form: { intent: 'undo-merge', mergeId: merge.id } }
    }),
  ],
  'customers/screens/customer-merge.tsx': [
    byManager('merge', async () => {
      const kept = await newPerson()
      const ids = { keptId: kept.id, endedId: (await newPerson()).id }
      const form = { intent: 'merge', ...ids, nameOf: 'kept', phoneOf: 'ended', confirmed: 'on' }
      return { path: `${pageOf(kept)}/unir`, form }
    }),
  ],
  'customers/screens/customer-address.tsx': [
    aboutCustomer('correct-address', { intent: 'correct-address', ...addressForm }, '/domicilio'),
  ],
  'customers/screens/pipeline.tsx': [
    formAt(
      'note a call',
      '/admin/clients',
      async (everyone) => ({
        quoteId: (await quoted(everyone, 'sent')).id,
        seen: '',
        result: 'Lo piensa el fin de semana.',
      }),
      // Somebody else was faster, and their words were not shown.
      analystFirst,
    ),
  ],
}
