import { type BrowserContext, expect, type Page } from '@playwright/test'
import { toastOn } from './steps.ts'

const shown = new WeakMap<Page, string[]>()

/** Remembers the words of each toast of a browser's pages: one is gone after five seconds, which a busy machine may sleep through. */
export async function recordToasts(context: BrowserContext) {
  await context.exposeBinding('toastShown', ({ page }, words: string[]) => {
    shown.set(page, [...(shown.get(page) ?? []), ...words])
  })
  await context.addInitScript(observeToasts)
}

/** Runs in the page. */
function observeToasts() {
  const { toastShown } = window as unknown as { toastShown: (words: string[]) => void }
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) {
        if (!(node instanceof Element) || !node.closest('ol[tabindex="-1"], [role=status], [role=alert]'))
          continue
        const leaves = [node, ...node.querySelectorAll('*')].filter((one) => one.childElementCount === 0)
        toastShown(leaves.map((one) => one.textContent?.trim() ?? '').filter(Boolean))
      }
  }).observe(document, { childList: true, subtree: true })
}

/** Expects a toast to have come since the last one that was expected, or to stand on the page. */
export const expectToast = (page: Page, words: string) =>
  expect
    .poll(
      () => {
        const came = shown.get(page) ?? []
        const at = came.indexOf(words)
        if (at >= 0) came.splice(0, at + 1)
        return at >= 0 || toastOn(page, words).first().isVisible()
      },
      { message: `the toast "${words}"` },
    )
    .toBe(true)
