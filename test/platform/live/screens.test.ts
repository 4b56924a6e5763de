import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import routes from '../../../src/routes.ts'

const src = path.resolve(import.meta.dirname, '../../../src')

/** The screens inside the frame that keeps them true to what others do. */
const screens = routes
  .find(({ file }) => file === 'app/screens/layouts/internal.tsx')!
  .children!.map(({ file }) => file)
  .filter((file) => file.endsWith('.tsx'))

/** What someone fills in: it is refreshed too, but says so only where something stands beside the form. */
const forms = new Set([
  'accounts/screens/account.tsx',
  'customers/screens/address.tsx',
  'customers/screens/customer-address.tsx',
  'agencies/screens/add-agency.tsx',
  'appointments/screens/book.tsx',
  'dispatch/screens/new-appointment.tsx',
  'quotes/screens/build.tsx',
  'users/screens/blocked.tsx',
  'settings/screens/settings.tsx',
  'settings/screens/holidays.tsx',
  'settings/screens/travel.tsx',
  'settings/screens/catalogue.tsx',
  'settings/screens/catalogue-item.tsx',
  'settings/screens/section.tsx',
  // Shows the same to everybody.
  'app/screens/help-page.tsx',
  // Show nothing: they only lead on.
  'appointments/screens/undo.tsx',
  'customers/screens/project.tsx',
])

test('every screen that shows what others change tells screen readers that it changed', () => {
  const silent = screens.filter(
    (file) =>
      !forms.has(file) && !readFileSync(path.join(src, file), 'utf8').includes('announcesUpdates: true'),
  )
  expect(silent).toEqual([])
  for (const form of forms) expect(existsSync(path.join(src, form)), form).toBe(true)
})
