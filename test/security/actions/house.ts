import { settings } from '../../../src/platform/database/schema/projects.ts'
import { itemPath, newItem, settingsPath } from '../../../src/settings/rules/pages.ts'
import { municipalities } from '../../../src/shared/places.ts'
import { fixture, rowsWhere, runSql } from '../../kit/open.ts'
import { agencyCodes, commissionForms, handingOver } from './allies.ts'
import { type Action, type Actions, byManager, type Fields, formAt, managerOnly } from './shape.ts'
import { keyActions, webhookActions } from './webhooks.ts'

let count = 0
const details = () => ({
  name: `Concesionaria ${++count}`,
  commissionKind: 'percent',
  commissionValue: '3',
  benefitKind: 'none',
  benefitValue: '',
})

const changing = (name: string, form: () => Fields): Action => ({
  ...byManager(name, async () => {
    const { id } = await fixture.agency()
    return { path: `/admin/agency/${id}/datos`, form: { version: '1', ...form() } }
  }),
  // Of other agencies an ally knows nothing.
  hears: { ally: 404, ally2: 404 },
})

const minutes = Object.fromEntries(municipalities.map(({ slug }) => [slug, '33']))

const configuring = (path: string, intent: string, form: Fields) =>
  formAt(
    intent,
    path,
    async () => {
      const [row] = await rowsWhere(settings)
      return { intent, version: String(row?.version ?? 1), ...form }
    },
    managerOnly,
  )

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
const slots = { stepMinutes: '30', bufferMinutes: '20', arrivalWindowMinutes: '30' }
const holiday = { date: '2027-03-01' }

/** The service's configuration. */
const configuration: Actions = {
  'settings/screens/section.tsx': [configuring(settingsPath('slots'), 'settings.slots', slots)],
  'settings/screens/holidays.tsx': [
    configuring(settingsPath('holidays'), 'settings.holidays.add', holiday),
    configuring(settingsPath('holidays'), 'settings.holidays.remove', holiday),
  ],
  'settings/screens/travel.tsx': [
    configuring(settingsPath('travel'), 'settings.travel', { from: 'coyoacan', ...minutes }),
    configuring(settingsPath('travel'), 'settings.travel.reset', { from: 'coyoacan' }),
  ],
  'settings/screens/settings.tsx': [
    'settings.jobs.retry',
    'settings.jobs.discard',
    'settings.jobs.restore',
  ].map((intent) =>
    formAt(
      intent,
      settingsPath(),
      async () => {
        const state = intent === 'settings.jobs.restore' ? 'cancelled' : 'created'
        await runSql`insert into pgboss.job (name, data, source_name, state)
            values ('dead-letters', '{}', 'clean-up', ${state})`
        return { intent, queue: 'clean-up' }
      },
      managerOnly,
    ),
  ),
  'settings/screens/catalogue-item.tsx': [
    configuring(itemPath(newItem), 'settings.catalogue.add', { code: 'POS-2', ...item }),
    configuring(itemPath('MAN-1'), 'settings.catalogue.edit', { code: 'MAN-1', ...item, version: '1' }),
  ],
}

/** Agencies. */
export const house: Actions = {
  ...configuration,
  'agencies/screens/add-agency.tsx': [formAt('add', '/admin/agencies/add', details(), managerOnly)],
  'agencies/screens/agency-details.tsx': [
    changing('edit', () => ({ intent: 'edit', ...details() })),
    changing('switch off', () => ({ intent: 'switch', active: 'no' })),
    {
      ...byManager('edit one’s own agency', async ({ ally }) => ({
        path: `/admin/agency/${ally.agencyId}/datos`,
        form: { version: '1', intent: 'edit', ...details() },
      })),
      hears: { ally2: 404 },
    },
  ],
  'agencies/screens/agency-codes.tsx': agencyCodes,
  'agencies/screens/agency-clients.tsx': [handingOver],
  'agencies/screens/agency-commissions.tsx': commissionForms,
  'agencies/screens/agency-integration.tsx': [...keyActions, ...webhookActions],
}
