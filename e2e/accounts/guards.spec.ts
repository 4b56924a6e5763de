import { entersAs } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

/** Whoever opens an address that is not theirs, and where they end (specification §4 and §5). */
const ways: readonly [who: string, ways: readonly [from: string, to: string][]][] = [
  [
    '',
    [
      ['/', '/signin'],
      ['/completion', '/signin'],
      // With the way back.
      ['/admin/users', '/signin?next=%2Fadmin%2Fusers'],
    ],
  ],
  [
    'nuevo@demo.mx',
    [
      ['/', '/completion'],
      ['/admin', '/completion'],
      ['/signin', '/completion'],
    ],
  ],
  [
    'cliente@demo.mx',
    [
      ['/signin', '/'],
      ['/completion', '/'],
      ['/admin', '/'],
      ['/admin/assignations', '/'],
    ],
  ],
  [
    'tecnico@demo.mx',
    [
      ['/signup', '/admin'],
      ['/completion', '/admin'],
      ['/technics-visit', '/admin'],
      ['/admin/assignations', '/admin'],
    ],
  ],
  [
    'gestor@demo.mx',
    [
      ['/', '/admin'],
      ['/admin/appointments-pending', '/admin'],
      ['/admin/alliate/codes', '/admin'],
    ],
  ],
  [
    'aliado@demo.mx',
    [
      ['/', '/admin'],
      ['/admin/assignations', '/admin'],
      ['/quote', '/admin'],
    ],
  ],
]

for (const [email, sent] of ways)
  test(`${email || 'nobody'} is sent from what is not theirs`, async ({ page }) => {
    if (email) await entersAs(page, email)
    for (const [from, to] of sent) {
      await page.goto(from)
      await expect(page, from).toHaveURL(to)
    }
  })

test('any other address is the public not-found page', { tag: '@plain' }, async ({ page }) => {
  expect((await page.goto('/nada/de/nada'))?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('No encontramos esta página')
  await expect(page.getByRole('link', { name: 'Pedir ayuda' })).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await page.getByRole('link', { name: 'Ir al inicio' }).click()
  await expect(page).toHaveURL(/\/signin(\?|$)/)
})

test('a screen to come is not found, with the menu around it', { tag: '@plain' }, async ({
  page,
  onPhone,
}) => {
  await entersAs(page, 'gerente@demo.mx')
  expect((await page.goto('/admin/payments'))?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('No encontramos esta página')
  if (!onPhone) await expect(page.getByRole('navigation')).toBeVisible()
  await page.getByRole('link', { name: 'Ir al inicio' }).click()
  await expect(page).toHaveURL('/admin')
})

test("an appointment that isn't there is not found", async ({ page }) => {
  await entersAs(page, 'gerente@demo.mx')
  for (const id of ['nada', '01a1fc8a-0000-7000-8000-000000000000']) {
    expect((await page.goto(`/admin/appointments-pending/${id}`))?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('No encontramos esta página')
  }
})
