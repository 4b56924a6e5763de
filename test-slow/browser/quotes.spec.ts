import { withDatabase } from '../../e2e/kit/database.ts'
import { entersAs } from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'

test('a manager sees no part of a quote longer than four screens of a desk', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const quote = await withDatabase(async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `select id from quotes where state = 'accepted' order by length(content::text) desc, id limit 1`,
    )
    return rows[0]!.id
  })
  await entersAs(page, 'gerente@demo.mx')
  for (const part of ['contenido', 'cuenta', 'fiscal', 'historial']) {
    await page.goto(`/admin/cotizations/detail-quote/${quote}?parte=${part}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollHeight), part).toBeLessThan(4_000)
  }
})
