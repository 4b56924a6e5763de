import { expect, type Locator, type Page } from '@playwright/test'
import { shortFolio } from '../../src/shared/columns.ts'
import { entersAs, isTakenOver } from './steps.ts'

type Place = Page | Locator
type Name = string | RegExp

/** The whole name, and the case of its letters. */
export const exact = { exact: true }

export const buttonIn = (place: Place, name: Name, more = {}) => place.getByRole('button', { name, ...more })
export const linkIn = (place: Place, name: Name, more = {}) => place.getByRole('link', { name, ...more })
export const regionIn = (place: Place, name: Name, more = {}) => place.getByRole('region', { name, ...more })
export const headingIn = (place: Place, name: Name, more = {}) =>
  place.getByRole('heading', { name, ...more })
/** A folio as lists show it. */
export const inList = (folio: string) => shortFolio(folio, new Date())
export const rowWith = (place: Place, hasText: Name) => place.getByRole('row').filter({ hasText })
export const itemWith = (place: Place, hasText: Name) => place.getByRole('listitem').filter({ hasText })

/** Presses the button of that name. */
export const press = (place: Place, name: Name, more = {}) => buttonIn(place, name, more).click()

/** Follows the link of that name. */
export const follow = (place: Place, name: Name, more = {}) => linkIn(place, name, more).click()

/** Expects words to be in sight. */
export const reads = (place: Place, words: Name) => expect(place.getByText(words)).toBeVisible()

/** Expects words anywhere in what a page is about. */
export const mainSays = (page: Page, words: Name) => expect(page.getByRole('main')).toContainText(words)

/** Expects the field of that label to hold a value. */
export const showsValue = (place: Place, label: Name, value: Name) =>
  expect(place.getByLabel(label)).toHaveValue(value)

/** Expects the field of that label to say what is wrong with it. */
export const showsError = (place: Place, label: Name, words: Name) =>
  expect(place.getByLabel(label)).toHaveAccessibleDescription(words)

/** Expects a page to be led to an address. */
export const isAt = (page: Page, address: Name) => expect(page).toHaveURL(address)

/** Expects a page's main heading to be this. */
export const isTitled = (page: Page, title: string) =>
  expect(page.getByRole('heading', { level: 1 })).toHaveText(title)

/** Fills in fields by their labels, in this order; of a list the option of that name is chosen. */
export async function fillForm(place: Place, values: Readonly<Record<string, string>>) {
  for (const [label, value] of Object.entries(values)) {
    const field = place.getByLabel(label)
    if (await field.evaluate((element) => element instanceof HTMLSelectElement))
      await field.selectOption(value)
    else await field.fill(value)
  }
}

/** Signs a person in and opens a screen. */
export async function visitAs(page: Page, email: string, path: string) {
  await entersAs(page, email)
  await page.goto(path)
}

/** Opens a screen, and waits until its scripts have it. */
export async function openScreen(page: Page, path: string) {
  await page.goto(path)
  await isTakenOver(page)
}

/** The same for a person who signs in first. */
export async function openScreenAs(page: Page, email: string, path: string) {
  await entersAs(page, email)
  await openScreen(page, path)
}

/** Sends the events of one finger on a touch screen. */
export async function fingerOn(page: Page) {
  const screen = await page.context().newCDPSession(page)
  return (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
    screen.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] })
}
