import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import routes from '../../../src/web/routes.ts'

const web = path.resolve(import.meta.dirname, '../../../src/web')

/** The screens inside the frame that keeps them true to what others do. */
const screens = routes
  .find(({ file }) => file === 'app/layouts/internal.tsx')!
  .children!.map(({ file }) => file)
  .filter((file) => file.endsWith('.tsx'))

/** What someone fills in: it is refreshed too, but says so only where something stands beside the form. */
const forms = new Set([
  'accounts/account.tsx',
  'projects/address.tsx',
  'projects/customer-address.tsx',
  'agencies/add-agency.tsx',
  'appointments/book.tsx',
  'scheduling/new-appointment.tsx',
  'quotes/build.tsx',
  'users/blocked.tsx',
  'settings/settings.tsx',
  'settings/holidays.tsx',
  'settings/travel.tsx',
  'settings/catalogue.tsx',
  'settings/catalogue-item.tsx',
  'settings/section.tsx',
  // Shows the same to everybody.
  'app/help-page.tsx',
  // Show nothing: they only lead on.
  'appointments/undo.tsx',
  'projects/project.tsx',
])

test('every screen that shows what others change tells screen readers that it changed', () => {
  const silent = screens.filter(
    (file) =>
      !forms.has(file) && !readFileSync(path.join(web, file), 'utf8').includes('announcesUpdates: true'),
  )
  expect(silent).toEqual([])
  for (const form of forms) expect(existsSync(path.join(web, form)), form).toBe(true)
})
