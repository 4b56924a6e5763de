import type { Locator, Page } from '@playwright/test'
import { isTakenOver } from '../vitals.ts'

/** How a task is done: by mouse where one presses and keys where one writes; by keys only; by mouse without scripts. */
export const ways = ['mouse', 'keyboard', 'plain'] as const
export type Way = (typeof ways)[number]

/** What a task took: presses of the mouse, keys, and pages or screens that came. */
export type Effort = { clicks: number; keys: number; loads: number }

export type Hand = ReturnType<typeof handOn>

/** More steps of Tab than any way on these screens: the target can't be reached. */
const TOO_FAR = 400

/** Does on a page what a person would do, and counts it; looks at each screen it comes to. */
export function handOn(page: Page, way: Way, look: () => Promise<unknown>) {
  const effort: Effort = { clicks: 0, keys: 0, loads: 0 }
  let shown = ''
  // A page counts when it was asked for, a screen when its address changed; what scripts write into the address of the
  // same screen does not.
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame()) return
    const { pathname } = new URL(frame.url())
    if (way === 'plain' || pathname !== shown) effort.loads++
    shown = pathname
  })
  const isHeld = (what: Locator) => what.evaluate((element) => element === document.activeElement)
  const key = async (name: string) => {
    effort.keys++
    await page.keyboard.press(name)
  }
  let seen = ''
  const ready = async () => {
    await page.waitForLoadState('load')
    if (way !== 'plain') await page.waitForFunction(isTakenOver)
    const { pathname } = new URL(page.url())
    if (pathname === seen) return
    seen = pathname
    await look()
  }
  /** Tab until it has the focus; a radio of the same question is left by arrows. */
  const reach = async (what: Locator) => {
    await what.waitFor({ state: 'attached' })
    for (let steps = 0; !(await isHeld(what)); steps++) {
      if (steps > TOO_FAR) throw new Error(`no key comes to ${what}`)
      await key((await what.evaluate(isOfHeldQuestion)) ? 'ArrowDown' : 'Tab')
    }
  }
  const type = async (words: string) => {
    effort.keys += words.length
    await page.keyboard.type(words)
  }
  return {
    page,
    way,
    effort,
    ready,
    reach,
    key,
    /** Writes where the focus is. */
    type,
    /** Waits until a screen has put the focus into its first field. */
    async isGiven(field: Locator) {
      await field.waitFor()
      for (let tries = 0; tries < 50 && !(await isHeld(field)); tries++) await page.waitForTimeout(100)
      if (!(await isHeld(field))) throw new Error(`${field} has no focus`)
      await ready()
    },
    /** Presses a link, a button, a fold or a choice. */
    async press(what: Locator) {
      await ready()
      if (way !== 'keyboard') {
        effort.clicks++
        return what.click()
      }
      await reach(what)
      const isChoice = await what.evaluate((element) =>
        element.matches('input[type=radio], input[type=checkbox]'),
      )
      if (!isChoice) return key('Enter')
      if (!(await what.isChecked())) await key('Space')
    },
    /** Writes into a field, come to by Tab as whoever fills in a form does. */
    async write(field: Locator, words: string) {
      await reach(field)
      await type(words)
    },
    /** Chooses from a list, come to by Tab, by as many first letters as it takes. */
    async choose(list: Locator, label: string) {
      await reach(list)
      const chosen = () =>
        list.evaluate((element) => (element as HTMLSelectElement).selectedOptions[0]?.label)
      for (const letter of label) {
        if ((await chosen()) === label) return
        await type(letter)
      }
      if ((await chosen()) !== label) throw new Error(`no key chooses ${label}`)
    },
  }
}

/** Runs in the page: whether the focus is on another choice of the same question. */
function isOfHeldQuestion(wanted: Element): boolean {
  const held = document.activeElement
  return (
    wanted instanceof HTMLInputElement &&
    held instanceof HTMLInputElement &&
    wanted.type === 'radio' &&
    held.name === wanted.name &&
    held.form === wanted.form
  )
}
