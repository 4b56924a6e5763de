import { openScreen, openScreenAs, reads } from '../../e2e/kit/parts.ts'
import { entersAs } from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'

const far = { timezoneId: 'Asia/Tokyo' }

const lastYear = new Date().getFullYear() - 1

// A page that the browser would write otherwise than the server complains on the console, and that fails the test.
for (const [email, paths] of [
  ['cliente2@demo.mx', ['/', '/technics-visit']],
  ['analista@demo.mx', [`/admin/appointments-done?year=${lastYear}`]],
] as const)
  test(`${email} reads the same times in Tokyo`, async ({ arrive }) => {
    const here = await arrive()
    const there = await arrive(far)
    for (const page of [here, there]) await entersAs(page, email)
    for (const path of paths) {
      for (const page of [here, there]) {
        await openScreen(page, path)
      }
      // Some buttons are there once scripts run, on one page sooner than on the other.
      await expect(async () => {
        const words = (await here.getByRole('main').textContent()) ?? ''
        expect(words).toMatch(/\d{4}/)
        expect(await there.getByRole('main').textContent()).toBe(words)
      }).toPass({ timeout: 10_000 })
    }
  })

for (const [timezoneId, own] of [
  ['America/Tijuana', / para ti$/],
  ['America/Cancun', / para ti$/],
  ['America/Mexico_City', null],
] as const)
  test(`a customer in ${timezoneId} reads whose hours the agenda of calls shows`, async ({ arrive }) => {
    const page = await arrive({ timezoneId })
    await openScreenAs(page, 'cliente@demo.mx', '/agenda-videocall')
    await reads(page, 'En hora del centro de México.')
    const slot = page.getByRole('group', { name: 'Horario', exact: true }).locator('label').first()
    await expect(slot).toHaveText(own ?? /^\d+:\d+$/)
  })
