import type { Page } from '@playwright/test'
import type { RunOptions } from 'axe-core'
import { barriersOn } from '../../e2e/kit/barriers.ts'
import { everybody, type Role } from '../../e2e/kit/screens.ts'
import { entersAs } from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'

test.describe.configure({ timeout: 480_000 })

/** 320 px are 1280 at 400 %. */
const windows = { 'at 400 % zoom': { width: 320, height: 640 }, 'at a desk': { width: 1280, height: 900 } }
const names: RunOptions = {
  runOnly: {
    type: 'rule',
    values: [
      'aria-command-name',
      'aria-input-field-name',
      'button-name',
      'label',
      'link-name',
      'select-name',
    ],
  },
}
for (const [who, { people }] of Object.entries<Role>(everybody))
  for (const [where, viewport] of Object.entries(windows))
    test(`${who} reaches every control of every screen by keyboard ${where}`, async ({ arrive }) => {
      const found: string[] = []
      for (const [email, rows] of people) {
        const page = await arrive({ viewport, reducedMotion: 'reduce' })
        if (email) await entersAs(page, email)
        found.push(
          ...(await barriersOn(
            page,
            rows.map(({ at }) => ({ at })),
            names,
            findingsOn,
          )),
        )
      }
      expect(found).toEqual([])
    })

async function findingsOn(page: Page): Promise<string[]> {
  return [...(await page.evaluate(sideways)), ...(await page.evaluate(moving)), ...(await walk(page))]
}

/** Runs in the page: no page may have to be moved sideways. */
function sideways(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth <= clientWidth) return []
  const wide = [...document.querySelectorAll('main *')].find(
    (element) => element.getBoundingClientRect().right > clientWidth + 1,
  )
  return [`${scrollWidth} px wide: ${wide?.outerHTML.slice(0, 160)}`]
}

/** Runs in the page: where less motion is wished for, nothing moves for longer than a blink. */
function moving(): string[] {
  return document
    .getAnimations()
    .filter(({ effect }) => Number(effect?.getComputedTiming().activeDuration) > 20)
    .map((animation) => `${(animation as CSSAnimation).animationName ?? 'a transition'} goes on`)
}

/** Tab through the whole page: what it never came to, and where it stood unseen. Once more where a control was replaced. */
async function walk(page: Page): Promise<string[]> {
  const wanted = await page.evaluate(markControls)
  const found: string[] = []
  const reached = new Set<string>()
  let last = ''
  // Radios share one stop, and some things take two; a page that holds the focus would go on for ever.
  for (let step = 0; step < wanted.length * 3 + 10; step++) {
    await page.keyboard.press('Tab')
    const here = await page.evaluate(whereItIs)
    // A box for a date has several stops of its own.
    if (here === null || here.id === last) continue
    // A new screen may take the focus while it is walked: only the first stop ends the round.
    if (reached.has(here.id) && here.id === reached.values().next().value) break
    reached.add(here.id)
    last = here.id
    if (!here.isSeen) found.push(`the focus is not seen: ${here.what}`)
  }
  if ((await page.locator('[data-walked]').count()) < wanted.length) return walk(page)
  const missed = wanted.filter(({ id }) => !reached.has(id))
  return [...found, ...missed.map(({ what }) => `no key comes to ${what}`)]
}

/** Runs in the page: numbers what the keyboard has to come to; of the radios of a question only where Tab stops. */
function markControls(): { id: string; what: string }[] {
  ;(document.activeElement as HTMLElement | null)?.blur()
  getSelection()?.removeAllRanges()
  // What stands around all screens was numbered on the screen before.
  for (const walked of document.querySelectorAll('[data-walked]')) walked.removeAttribute('data-walked')
  const all = 'a[href], button, input, select, textarea, summary, [tabindex="0"]'
  const groups = new Set<string>()
  return [...document.querySelectorAll<HTMLElement>(all)]
    .filter((element) => {
      if (!element.checkVisibility({ visibilityProperty: true }) || element.tabIndex < 0) return false
      if (element.matches(':disabled, [type=hidden], [inert] *')) return false
      if (!(element instanceof HTMLInputElement) || element.type !== 'radio') return true
      const group = [...document.querySelectorAll<HTMLInputElement>('input[type=radio]')].filter(
        ({ name, form }) => name === element.name && form === element.form,
      )
      const chosen = group.find(({ checked }) => checked)
      if (chosen) return chosen === element
      if (groups.has(element.name)) return false
      groups.add(element.name)
      return true
    })
    .map((element, at) => {
      element.dataset.walked = String(at)
      return { id: String(at), what: element.outerHTML.slice(0, 160) }
    })
}

/** Runs in the page: what has the focus, and whether one sees it by an outline or a shadow at it or around it. */
function whereItIs(): { id: string; what: string; isSeen: boolean } | null {
  const element = document.activeElement as HTMLElement | null
  if (!element || element === document.body) return null
  const isMarked = (one: Element, part?: string) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one, part)
    return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1) || boxShadow !== 'none'
  }
  const around = [element, element.parentElement, element.nextElementSibling, element.closest('label')]
  const { width, height } = element.getBoundingClientRect()
  // The link of a row spans the row by what stands after it.
  const isSeen =
    (isMarked(element, '::after') || around.some((one) => one !== null && isMarked(one))) &&
    width + height > 0
  return { id: element.dataset.walked ?? element.outerHTML, what: element.outerHTML.slice(0, 160), isSeen }
}
