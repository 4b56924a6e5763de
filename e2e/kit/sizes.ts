import type { Page } from '@playwright/test'

/** What a customer and a technician have in their hand. */
export const phone = { viewport: { width: 360, height: 740 }, hasTouch: true }

/** What an on-site screen breaks: no text under 16 px, nothing to touch under 48 by 48 px. */
export const tooSmall = async (page: Page) => [
  ...(await page.evaluate(smallTexts)),
  ...(await page.evaluate(smallTargets)),
]

/** Runs in the page: the texts in sight under 16 px, those that its style sheet writes too. */
function smallTexts(): string[] {
  const shown = [...document.body.querySelectorAll<HTMLElement>('*')].filter(
    (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('.sr-only, script, style'),
  )
  const isSmall = (one: Element, part?: string) => parseFloat(getComputedStyle(one, part).fontSize) < 16
  return shown.flatMap((one) => {
    const own = [...one.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
    const words = one.matches('input, select, textarea')
      ? '(a box)'
      : own
          .map((node) => node.nodeValue)
          .join('')
          .trim()
    const written = ['::before', '::after'].filter((part) =>
      /\w/.test(getComputedStyle(one, part).content.replace('none', '')),
    )
    return [
      ...(words && isSmall(one) ? [words] : []),
      ...written
        .filter((part) => isSmall(one, part))
        .map((part) => `${part} ${getComputedStyle(one, part).content}`),
    ]
  })
}

/** Runs in the page: what can be touched and is smaller than 48 by 48 px; a link within a sentence has the sentence's height. */
function smallTargets(): string[] {
  const targets = document.querySelectorAll<HTMLElement>(
    'a[href], button, summary, select, textarea, label:has(input), input:not([type=hidden], label input)',
  )
  return [...targets].flatMap((one) => {
    const isInSentence = getComputedStyle(one).display === 'inline' && one.closest('p') !== null
    if (isInSentence || !one.checkVisibility({ visibilityProperty: true })) return []
    // The link that names a row is as large as its row.
    const place = one.matches('.row-link') ? one.closest('tr')! : one
    const { bottom, height, width } = place.getBoundingClientRect()
    const isOutOfSight = bottom <= 0 || Math.min(height, width) <= 1
    const words = one.textContent || one.ariaLabel || one.getAttribute('name')
    return isOutOfSight || Math.min(height, width) >= 48 ? [] : [`${words}: ${width} × ${height}`]
  })
}
