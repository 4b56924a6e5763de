import { sql } from 'drizzle-orm'
import { municipalities } from '../../../src/domain/shared/places.ts'
import { agencies, settings } from '../../../src/server/platform/database/schema/projects.ts'
import { itemPath, newItem, settingsPath } from '../../../src/web/settings/pages.ts'
import type { World } from '../../kit/world.ts'
import { keyActions } from './api-keys.ts'
import { handingOver } from './clients.ts'
import { agencyCodes } from './codes.ts'
import { commissionForms } from './commissions.ts'
import type { Action, Actions } from './shape.ts'
import { webhookActions } from './webhooks.ts'

let count = 0
const details = () => ({
  name: `Concesionaria ${++count}`,
  commissionKind: 'percent',
  commissionValue: '3',
  benefitKind: 'none',
  benefitValue: '',
})

async function agency(world: World) {
  const [made] = await world.db
    .insert(agencies)
    .values({ name: `Agencia ${++count}` })
    .returning()
  return `/admin/agency/${made!.id}/datos`
}

const changing = (name: string, form: () => Record<string, string>): Action => ({
  name,
  attempt: async (world) => ({ path: await agency(world), form: { version: '1', ...form() } }),
  // Of other agencies an ally knows nothing.
  hears: { ally: 404, ally2: 404 },
  may: { manager: 303 },
})

const minutes = Object.fromEntries(municipalities.map(({ slug }) => [slug, '33']))

const configuring = (path: string, intent: string, form: Record<string, string>): Action => ({
  name: intent,
  async attempt(world) {
    const [row] = await world.db.select({ version: settings.version }).from(settings)
    const version = String(row?.version ?? 1)
    return { path, form: { intent, version, ...form } }
  },
  may: { manager: 303 },
})

const item = {
  description: 'Poste de concreto',
  kind: 'material',
  unit: 'pieza',
  unitPrice: '1,250.50',
  iva: '16',
  satProduct: '30111500',
  satUnit: 'H87',
  active: 'on',
}

/** The service's configuration. */
const configuration: Actions = {
  'settings/section.tsx': [
    configuring(settingsPath('slots'), 'settings.slots', {
      stepMinutes: '30',
      bufferMinutes: '20',
      arrivalWindowMinutes: '30',
    }),
  ],
  'settings/holidays.tsx': [
    configuring(settingsPath('holidays'), 'settings.holidays.add', { date: '2027-03-01' }),
    configuring(settingsPath('holidays'), 'settings.holidays.remove', { date: '2027-03-01' }),
  ],
  'settings/travel.tsx': [
    configuring(settingsPath('travel'), 'settings.travel', { from: 'coyoacan', ...minutes }),
    configuring(settingsPath('travel'), 'settings.travel.reset', { from: 'coyoacan' }),
  ],
  'settings/settings.tsx': (
    ['settings.jobs.retry', 'settings.jobs.discard', 'settings.jobs.restore'] as const
  ).map(
    (intent): Action => ({
      name: intent,
      async attempt(world) {
        await world.db.execute(
          sql`insert into pgboss.job (name, data, source_name, state)
            values ('dead-letters', '{}', 'clean-up', ${intent === 'settings.jobs.restore' ? 'cancelled' : 'created'})`,
        )
        return { path: settingsPath(), form: { intent, queue: 'clean-up' } }
      },
      may: { manager: 303 },
    }),
  ),
  'settings/catalogue-item.tsx': [
    configuring(itemPath(newItem), 'settings.catalogue.add', { code: 'POS-2', ...item }),
    configuring(itemPath('MAN-1'), 'settings.catalogue.edit', { code: 'MAN-1', ...item, version: '1' }),
  ],
}

/** Agencies. */
export const house: Actions = {
  ...configuration,
  'agencies/add-agency.tsx': [
    {
      name: 'add',
      attempt: async () => ({ path: '/admin/agencies/add', form: details() }),
      may: { manager: 303 },
    },
  ],
  'agencies/agency-details.tsx': [
    changing('edit', () => ({ intent: 'edit', ...details() })),
    changing('switch off', () => ({ intent: 'switch', active: 'no' })),
    {
      name: 'edit one’s own agency',
      attempt: async (_world, { ally }) => ({
        path: `/admin/agency/${ally.agencyId}/datos`,
        form: { version: '1', intent: 'edit', ...details() },
      }),
      hears: { ally2: 404 },
      may: { manager: 303 },
    },
  ],
  'agencies/agency-codes.tsx': agencyCodes,
  'agencies/agency-clients.tsx': [handingOver],
  'agencies/agency-commissions.tsx': commissionForms,
  'agencies/agency-integration.tsx': [...keyActions, ...webhookActions],
}
