import { expect, type Page } from '@playwright/test'
import { keepsWords } from '../../../e2e/kit/steps.ts'

/** How nothing that is sent arrives. */
const hindrances = ['offline', 'stopped', '503'] as const
type Hindrance = (typeof hindrances)[number]

type Tally = { pages: number; forms: string[]; lost: string[] }

/** Addresses of one kind are one page. */
const kindOf = (path: string) =>
  path
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, ':id')
    .replace(
      /[?&](dia|hora|tablero|view|day|order|ver|page|mes|desde|hasta|estado|semana|vista|mapa)=[^&]*/g,
      '',
    )
    .replace(/=[^&]*/g, '=')
    .replace(/\?$/, '')

const isScreen = (path: string) =>
  path.startsWith('/') &&
  !/^\/(files|documents|live|legal|session|v1)\b|\.(csv|ics|xml|pdf)|formato=|exportar/.test(path)

/**
 * Goes through the screens that links lead to, and sends each of their forms, filled in, while nothing arrives: without a
 * network, with a server that refuses connections, with one that answers 503. Tells which were tried, and which words were
 * lost, on the screen or after a reload. `most`: so many screens.
 */
export async function triesForms(page: Page, starts: readonly string[], most: number): Promise<Tally> {
  let hindrance: Hindrance = 'stopped'
  // Never lifted: what is tried is not to be done.
  await page.context().route(/\.data(\?|$)/, (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    return hindrance === '503' ? route.fulfill({ status: 503 }) : route.abort('connectionrefused')
  })
  const become = async (next: Hindrance) => {
    hindrance = next
    await page.context().setOffline(next === 'offline')
  }
  const tally: Tally = { pages: 0, forms: [], lost: [] }
  const seen = new Set<string>()
  const tried = new Set<string>()
  const left = [...starts]
  for (let path = left.shift(); path !== undefined && tally.pages < most; path = left.shift()) {
    if (seen.has(kindOf(path))) continue
    seen.add(kindOf(path))
    // A pointer that stays over a link would fetch its screen.
    await page.mouse.move(0, 0)
    if (!(await page.goto(path))?.ok()) continue
    await keepsWords(page)
    tally.pages += 1
    left.push(...(await linksOn(page)).filter(isScreen))
    const triesAll = async () => {
      const forms = (await formsOn(page)).filter((name) => !tried.has(`${kindOf(path)} ${name}`))
      for (const name of forms) {
        tried.add(`${kindOf(path)} ${name}`)
        const told = await triesForm(page, name, become)
        if (!told) {
          // It may be one that replaces the document.
          await become('stopped')
          await page.goto(path)
          await keepsWords(page)
          continue
        }
        tally.forms.push(`${kindOf(path)} ${name}`)
        if (told !== 'kept') tally.lost.push(`${kindOf(path)} ${name}: ${told}`)
      }
      await become('stopped')
      return forms.length > 0
    }
    if (await triesAll()) tally.lost.push(...(await lostByReload(page, path)))
  }
  await page.context().unrouteAll({ behavior: 'ignoreErrors' })
  return tally
}

const linksOn = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLAnchorElement>('a[href]:not([download], [target])')].flatMap(
      ({ hash, origin, pathname, search }) =>
        origin === location.origin && hash === '' ? [pathname + search] : [],
    ),
  )

/** The forms of a screen in which something can be typed or chosen; of those alike, the first. */
const formsOn = (page: Page) =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true
    const typed = 'input:not([type=hidden], [type=file], [type=password], [type=submit]), textarea, select'
    const names = [
      ...document.querySelectorAll<HTMLFormElement>('main form[method=post]:not([data-kept-apart])'),
    ]
      .filter((form) => [...form.elements].some((one) => one.matches(typed) && one.checkVisibility()))
      .map((form) => JSON.parse(form.dataset.form ?? '[]')[0]?.toString() ?? form.getAttribute('action'))
    return [...new Set<string>(names)]
  })

/** Fills a form in and sends it; null where it sends nothing by itself, else whether its words were all there each time. */
async function triesForm(page: Page, name: string, become: (next: Hindrance) => Promise<void>) {
  await become(hindrances[0])
  await page.evaluate(fillsIn, name)
  const typed = await page.evaluate(wordsIn, 'form[data-tried]')
  await page.evaluate(sends)
  const bar = page.locator('form[data-tried]').locator('[data-unsent]')
  const isHeld = await bar.waitFor({ timeout: 2_000 }).then(
    () => true,
    () => false,
  )
  if (!isHeld) return null
  for (const next of hindrances) {
    await become(next)
    if (next !== 'offline') await bar.getByRole('button').click()
    await expect(bar).toHaveAttribute('data-unsent', next === 'offline' ? 'offline' : 'unreachable')
    await expect(bar.getByRole('button')).not.toHaveAttribute('aria-disabled')
    await expect(bar).toContainText('Guardamos lo que escribiste')
    const now = await page.evaluate(wordsIn, 'form[data-tried]')
    if (now.join() !== typed.join()) return `${next}: ${now} instead of ${typed}`
  }
  return 'kept'
}

/** Runs in the page: sends the form that is tried. */
function sends(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-tried]')
  form?.requestSubmit(form.querySelector<HTMLButtonElement>('button[type=submit]'))
}

/** Runs in the page: writes in every field of a form. */
function fillsIn(name: string): void {
  document.querySelector('form[data-tried]')?.removeAttribute('data-tried')
  const form = [
    ...document.querySelectorAll<HTMLFormElement>('main form[method=post]:not([data-kept-apart])'),
  ].find(
    (one) =>
      (JSON.parse(one.dataset.form ?? '[]')[0]?.toString() ?? one.getAttribute('action')) === name &&
      // A button alone may bear the same name.
      [...one.elements].some((control) => control.matches('textarea, select, input:not([type=hidden])')),
  )
  if (!form) throw new Error(`no form ${name}`)
  form.dataset.tried = ''
  const write = (control: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement, value: string) => {
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, value)
    for (const type of ['input', 'change']) control.dispatchEvent(new Event(type, { bubbles: true }))
  }
  const words: Record<string, string> = { date: '2031-05-14', time: '10:30', month: '2031-05', number: '7' }
  for (const control of form.elements) {
    if (control.matches(':disabled, [readonly]')) continue
    if (control instanceof HTMLTextAreaElement) write(control, 'Palabras que\nno se pierden')
    if (control instanceof HTMLSelectElement)
      write(control, [...control.options].findLast(({ disabled }) => !disabled)!.value)
    if (
      !(control instanceof HTMLInputElement) ||
      ['hidden', 'file', 'password', 'submit'].includes(control.type)
    )
      continue
    if (['checkbox', 'radio'].includes(control.type)) control.checked || control.click()
    else write(control, words[control.type] ?? 'Palabras')
  }
}

/** Runs in the page: what stands in its forms, or in the one that is tried; passwords and files excepted. */
function wordsIn(selector: string): string[] {
  return [...document.querySelectorAll<HTMLFormElement>(selector)].flatMap((form) =>
    [...form.elements].flatMap((one, at, all) => {
      const isField = one.matches('input:not([type=hidden], [type=password], [type=file]), textarea, select')
      if (!isField || !(one as HTMLInputElement).name) return []
      const { checked, name, type, value } = one as HTMLInputElement
      // Rows come and go with what others do: those that are ticked count, wherever they stand.
      if (name.startsWith('row.')) return checked ? [name] : []
      // Parts whose code comes later add to the others, and none of these changes its place among its own name.
      const nth = all.slice(0, at).filter((other) => (other as HTMLInputElement).name === name).length
      return [`${form.dataset.form ?? ''} ${nth} ${name} ${/checkbox|radio/.test(type) ? checked : value}`]
    }),
  )
}

/** The fields of a screen that a reload emptied. */
async function lostByReload(page: Page, path: string): Promise<string[]> {
  const all = () => page.evaluate(wordsIn, 'main form[method=post]:not([data-kept-apart])')
  // What was left empty can't be lost.
  const before = (await all()).filter((field) => !/ (false)?$/.test(field))
  await page.reload()
  await keepsWords(page)
  let lost: string[] = []
  // A long quote comes back field by field, and a slow machine takes its time for it.
  await expect
    .poll(
      async () => {
        const after = new Set(await all())
        lost = before.filter((field) => !after.has(field))
        return lost.length
      },
      { timeout: 30_000 },
    )
    .toBe(0)
    .catch(() => undefined)
  return lost.map((field) => `${kindOf(path)}, after a reload: ${field}`)
}
