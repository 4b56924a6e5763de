import { expect, type Page } from '@playwright/test'
import { headingIn, linkIn, openScreenAs, regionIn } from './parts.ts'
import type { Team } from './team.ts'

/** The board of the day on which the test's technician has a visit. */
export async function openBoard(page: Page, { days }: Team) {
  await openScreenAs(page, 'gerente@demo.mx', `/admin/assignations?dia=${days[0]}`)
}

export const rowOf = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: headingIn(page, name) })

export const blockOf = (page: Page, folio: string) => linkIn(page, new RegExp(folio)).first()

export const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)

export const trayOf = (page: Page) => regionIn(page, 'Por asignar')

export async function openDay(page: Page, date: string) {
  await openScreenAs(page, 'gerente@demo.mx', `/admin/assignations?dia=${date}&zona=milpa-alta`)
}

export async function expectAllInSight(page: Page, people: readonly { name: string }[]) {
  const heads = page.locator('[data-board]').getByRole('heading', { level: 3 }).filter({ visible: true })
  for (const { name } of people) {
    const box = (await heads.filter({ hasText: name }).boundingBox())!
    expect(box.y + box.height).toBeLessThanOrEqual(900)
  }
}
