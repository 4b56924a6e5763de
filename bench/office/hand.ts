import type { Locator, Page } from '@playwright/test'

/** How a task is done: by mouse where one presses and keys where one writes; by keys only; by mouse without scripts. */
export const ways = ['mouse', 'keyboard', 'plain'] as const
export type Way = (typeof ways)[number]

/**
 * What a task took: presses of the mouse (where only keys are pressed: whatever a page heard of a pointer), keys, the most
 * keys that one target took to be reached, loads, and screens. A load is a document, or another address that data was asked
 * for: a path or only a query. What scripts write into the address without asking the server is none. A screen is a load
 * of another path.
 */
export type Effort = { clicks: number; keys: number; farthest: number; loads: number; screens: number }

const nothing: Effort = { clicks: 0, keys: 0, farthest: 0, loads: 0, screens: 0 }

export type Hand = Awaited<ReturnType<typeof handOn>>

/** More steps of Tab than any way on these screens: the target can't be reached. */
const TOO_FAR = 400

/** Does on a page what a person would do, and counts it; looks at each screen, panel and fold it comes to. */
export async function handOn(page: Page, way: Way, look: () => Promise<unknown>) {
  const effort = { ...nothing }
  if (way === 'keyboard') await countPointer(page, effort)
  countLoads(page, effort)
  const isHeld = (what: Locator) => what.evaluate((element) => element === document.activeElement)
  const key = async (name: string) => {
    effort.keys++
    await page.keyboard.press(name)
  }
  let seen = ''
  const ready = async () => {
    await page.waitForLoadState('load')
    if (way !== 'plain') await page.waitForFunction(isTakenOver)
    const here = way === 'plain' ? page.url() : await page.evaluate(whatStandsOpen)
    if (here === seen) return
    seen = here
    await look()
  }
  /** Tab, or back from the end where that is nearer, until it has the focus; a radio of the same question, and a link among others that are one stop together, are come to by arrows. */
  const reach = async (what: Locator) => {
    await what.waitFor({ state: 'attached' })
    const before = effort.keys
    const tab = (await what.evaluate(isNearerFromBehind)) ? 'Shift+Tab' : 'Tab'
    while (!(await isHeld(what))) {
      if (effort.keys - before > TOO_FAR) throw new Error(`no key comes to ${what}`)
      const arrow = (await what.evaluate(isOfHeldQuestion)) ? 'ArrowDown' : await what.evaluate(arrowTo)
      await key(arrow ?? tab)
    }
    effort.farthest = Math.max(effort.farthest, effort.keys - before)
  }
  const type = async (words: string) => {
    effort.keys += words.length
    await page.keyboard.type(words)
  }
  return {
    page,
    way,
    effort,
    isHeld,
    ready,
    key,
    /** Where one stands when the task comes up: what it takes is counted from there. */
    async stand(path: string) {
      await page.goto(path)
      await ready()
      Object.assign(effort, nothing)
    },
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

/** Pages tell of each press of a mouse or finger: who uses keys alone must not need one. */
async function countPointer(page: Page, effort: Effort) {
  await page.exposeFunction('pointerCame', () => {
    effort.clicks++
  })
  await page.addInitScript(() => {
    const { pointerCame } = window as unknown as { pointerCame: () => unknown }
    addEventListener('pointerdown', () => pointerCame(), true)
  })
}

/** The address of a screen, also where its data was asked for. */
function addressOf(url: string): string {
  const { pathname, searchParams } = new URL(url)
  for (const name of ['_routes', 'index']) searchParams.delete(name)
  return `${pathname.replace(/(\/_)?\.data$/, '') || '/'}?${searchParams}`
}

const pathOf = (address: string) => address.split('?')[0]

function countLoads(page: Page, effort: Effort) {
  let shown = ''
  let isDocument = false
  const asked = new Set<string>()
  page.on('request', (request) => {
    if (request.isNavigationRequest()) isDocument ||= request.frame() === page.mainFrame()
    else if (request.method() === 'GET') asked.add(addressOf(request.url()))
  })
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame()) return
    const address = addressOf(frame.url())
    if (isDocument || (address !== shown && asked.has(address))) {
      effort.loads++
      if (pathOf(address) !== pathOf(shown)) effort.screens++
    }
    shown = address
    isDocument = false
    asked.clear()
  })
}

/** Runs in the page: whether its scripts have all of it, and not only begun. */
function isTakenOver(): boolean {
  const container = Object.keys(document).find((key) => key.startsWith('__reactContainer'))
  if (!container) return false
  type Root = { stateNode: { current: { memoizedState: { isDehydrated: boolean } } } }
  const root = (document as unknown as Record<string, Root>)[container]
  return root?.stateNode.current.memoizedState.isDehydrated === false
}

/** Runs in the page: its address, and how many panels, windows and folds stand open. */
function whatStandsOpen(): string {
  const open = document.querySelectorAll('details[open], dialog[open], [role=dialog], [aria-expanded=true]')
  return `${location.href} ${open.length}`
}

/** Runs in the page: whether fewer stops lie between the focus and this backwards, round the page's end, than forwards. */
function isNearerFromBehind(wanted: Element): boolean {
  const all = 'a[href], button, input, select, textarea, summary, [tabindex="0"]'
  const stops = [...document.querySelectorAll<HTMLElement>(all)].filter(
    (one) =>
      one.tabIndex >= 0 &&
      !one.matches(':disabled, [inert] *') &&
      one.checkVisibility({ visibilityProperty: true }),
  )
  // Of links that are one stop together, the one that Tab comes to.
  const stop = wanted.closest('[data-roving]')?.querySelector('[tabindex="0"]') ?? wanted
  // A panel that has the focus is no stop itself: the next one is the first in it.
  const held = document.activeElement as HTMLElement
  const from = stops.includes(held)
    ? stops.indexOf(held)
    : stops.findIndex((one) => held.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) - 1
  const away = stops.indexOf(stop as HTMLElement) - from
  const forwards = away < 0 ? away + stops.length : away
  return stops.length - forwards < forwards
}

/** Runs in the page: the arrow that leads on to this where it and the focus are links of one stop; null elsewhere. */
function arrowTo(wanted: Element): string | null {
  const held = document.activeElement
  const group = wanted.closest('[data-roving]')
  if (!held || !group?.contains(held)) return null
  const rows = [...group.children]
  const rowOf = (link: Element) => rows.findIndex((row) => row.contains(link))
  const from = rowOf(held)
  const to = rowOf(wanted)
  if (from !== to) return from < to ? 'ArrowDown' : 'ArrowUp'
  return held.getBoundingClientRect().left < wanted.getBoundingClientRect().left ? 'ArrowRight' : 'ArrowLeft'
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
