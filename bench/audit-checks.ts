import type { CDPSession, Page } from '@playwright/test'
import { type AxeRules, rules, violations } from '../e2e/kit/axe.ts'

/** One thing that is wrong with a page: which check found it, and where. */
export type Finding = { check: Check; what: string }
/** What is looked at on each page. */
export const checks = ['axe', 'names', 'keyboard', 'focus', 'zoom', 'motion'] as const
export type Check = (typeof checks)[number]

/** Everything the checks find on a page as it stands. */
export async function findingsOn(page: Page, cdp: CDPSession): Promise<Finding[]> {
  const found: Finding[] = []
  const add = (check: Check, list: readonly string[]) =>
    found.push(...list.map((what) => ({ check, what: what.slice(0, 300) })))
  add('zoom', await page.evaluate(sideways))
  add('motion', await page.evaluate(moving))
  add('names', await namelessIn(cdp))
  const walked = await walk(page)
  add('keyboard', walked.unreached)
  add('focus', walked.unseen)
  for (const colorScheme of ['light', 'dark'] as const) add('axe', await inColours(page, colorScheme))
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  return found
}

/** What axe finds on a page in the colours of light or of dark. */
export async function inColours(page: Page, colorScheme: keyof AxeRules): Promise<string[]> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  let broken = await violations(page, rules[colorScheme])
  // On a busy machine colours may still be those of the other preference: what is wrong stays wrong.
  for (let again = 0; broken.length > 0 && again < 3; again++)
    broken = await violations(page, rules[colorScheme])
  return broken.map((rule) => `${colorScheme}: ${rule}`)
}

/** 320 px are 1280 at 400 %: nothing may need the page to be moved sideways. */
function sideways(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth <= clientWidth) return []
  const wide = [...document.querySelectorAll('main *')].filter(
    (element) => element.getBoundingClientRect().right > clientWidth + 1,
  )
  return [`${scrollWidth} px wide: ${wide[0]?.outerHTML.slice(0, 160) ?? ''}`]
}

/** Where less motion is wished for, nothing moves for longer than a blink. */
function moving(): string[] {
  return document
    .getAnimations()
    .filter(({ effect }) => Number(effect?.getComputedTiming().activeDuration) > 20)
    .map((animation) => `${(animation as CSSAnimation).animationName ?? 'a transition'} goes on`)
}

const named = new Set(
  'button link textbox searchbox combobox listbox checkbox radio switch slider spinbutton tab menuitem'.split(
    ' ',
  ),
)

/** Controls that a screen reader would only call by what they are. */
async function namelessIn(cdp: CDPSession): Promise<string[]> {
  const { nodes } = await cdp.send('Accessibility.getFullAXTree')
  return nodes
    .filter(({ ignored, role, name }) => !ignored && named.has(role?.value) && !name?.value?.trim())
    .map(({ role, backendDOMNodeId }) => `${role?.value} without a name (node ${backendDOMNodeId})`)
}

/** Tab through the whole page: what it never came to, and where it stood unseen. */
async function walk(page: Page): Promise<{ unreached: string[]; unseen: string[] }> {
  const wanted = await page.evaluate(markControls)
  const unseen: string[] = []
  const reached = new Set<string>()
  let last = ''
  // Radios share one stop, and some things take two; a page that holds the focus would go on for ever.
  for (let step = 0; step < wanted.length * 3 + 10; step++) {
    await page.keyboard.press('Tab')
    const here = await page.evaluate(whereItIs)
    if (here === null) continue
    // A box for a date has several stops of its own.
    if (here.id === last) continue
    if (reached.has(here.id)) break
    reached.add(here.id)
    last = here.id
    if (!here.seen) unseen.push(here.what)
  }
  return { unreached: wanted.filter(({ id }) => !reached.has(id)).map(({ what }) => what), unseen }
}

/** Numbers what the keyboard has to come to. Of the radios of one question only the one that Tab stops at. */
function markControls(): { id: string; what: string }[] {
  ;(document.activeElement as HTMLElement | null)?.blur()
  getSelection()?.removeAllRanges()
  const all = [
    ...document.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, summary, [tabindex="0"]',
    ),
  ]
  const groups = new Set<string>()
  return all
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
      element.dataset.audit = String(at)
      return { id: String(at), what: element.outerHTML.slice(0, 160) }
    })
}

/** What has the focus, and whether one sees it: by an outline or a shadow of its own, or of what stands around it. */
function whereItIs(): { id: string; what: string; seen: boolean } | null {
  const element = document.activeElement as HTMLElement | null
  if (!element || element === document.body) return null
  const marks = (one: Element) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
    return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1) || boxShadow !== 'none'
  }
  const around = [element, element.parentElement, element.nextElementSibling, element.closest('label')]
  const { width, height } = element.getBoundingClientRect()
  const seen = around.some((one) => one !== null && marks(one)) && width + height > 0
  return { id: element.dataset.audit ?? element.outerHTML, what: element.outerHTML.slice(0, 160), seen }
}
