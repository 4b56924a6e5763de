import type { TestInfo } from '@playwright/test'
import { addDays } from '../../src/domain/shared/calendar.ts'
import { findsNothing } from '../kit/axe.ts'
import type { Crew } from '../kit/crew.ts'
import { withDatabase } from '../kit/database.ts'
import { entersAs, toastOn } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

const kinds = ['phone', 'desk', 'phone without JavaScript', 'desk without JavaScript']

/** Both of a crew's visits on one day that no other story plans, not confirmed, with the same person. */
async function oneForTwo({ project, retry }: TestInfo, { days, folios }: Crew) {
  const later = 14 + 7 * (kinds.indexOf(project.name) + kinds.length * retry)
  await withDatabase((client) =>
    client.query(
      `update appointments set state = 'requested', confirmed_at = null,
         starts_at = starts_at + make_interval(days => $2 - (folio = $3)::int, hours => 3 * (folio = $3)::int)
       where folio = any($1)`,
      [folios, later, folios[1]],
    ),
  )
  return addDays(days[0], later)
}

test(
  'a day is worked out, shown and applied; the board has it',
  { tag: '@plain' },
  async ({ page, crew, javaScriptEnabled }, info) => {
    const { folios, name } = crew
    const date = await oneForTwo(info, crew)
    await entersAs(page, 'gerente@demo.mx')
    await page.goto(`/admin/assignations?dia=${date}&zona=milpa-alta`)
    await page.getByRole('link', { name: 'Optimizar el día' }).click()
    await expect(page.getByText('2 citas pueden cambiar de persona')).toBeVisible()
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Calcular' }).click()
    await expect(page.getByText('Óptimo')).toBeVisible({ timeout: 30_000 })
    if (javaScriptEnabled) await expect(page.locator('#contenido')).toBeFocused()
    await expect(page.getByRole('listitem').filter({ hasText: 'Pasa a' })).not.toHaveCount(0)
    await page.getByRole('link', { name: 'Antes', exact: true }).click()
    await expect(page.getByText(`Antes con ${name}`)).toHaveCount(0)
    await page.getByRole('link', { name: 'Después', exact: true }).click()
    await expect(page.getByText(`Antes con ${name}`).first()).toBeAttached()
    await page.getByText('1 cita cambia de persona').click()
    const moved = page.getByRole('table', { name: 'Citas que cambian de persona' }).getByRole('row').last()
    await expect(moved).toContainText(name)
    const changed = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
    await expect(changed).toContainText('2 → 1 cita')
    if (javaScriptEnabled) await findsNothing(page, 'a plan of a day')
    const folio = (await moved.textContent())?.includes(folios[0]) ? folios[0] : folios[1]
    await page.getByRole('button', { name: 'Aplicar y confirmar 2 citas' }).click()
    await expect(toastOn(page, '2 citas asignadas')).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`assignations\\?dia=${date}&zona=milpa-alta`))
    await expect(page.getByRole('region', { name: 'Por asignar' })).not.toContainText(folio)
    const board = page.locator('[data-board]')
    await expect(board.getByRole('link', { name: new RegExp(folio) })).toContainText('Asignada')
  },
)
