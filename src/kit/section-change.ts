import type { ShouldRevalidateFunction } from 'react-router'
import { revalidateOnConflict } from './revalidate-on-conflict.ts'

// Apart from what a report asks for: the frame around every screen reads it.
/** The search parameter that names the section shown. */
export const sectionParam = 'seccion'

/** The search parameter that names the answer being corrected: the form opens in its place without JavaScript too. */
export const correctParam = 'corregir'

type Asked = Parameters<ShouldRevalidateFunction>[0]

const withoutSection = (url: URL) => {
  const params = new URLSearchParams(url.search)
  params.delete(sectionParam)
  return `${url.pathname}?${params}`
}

/** Whether the user only goes to another section of a report: everything it shows is on the page, network or not. */
export const isSectionChange = ({ currentUrl, nextUrl, formMethod }: Asked): boolean =>
  formMethod === undefined &&
  currentUrl.search !== nextUrl.search &&
  withoutSection(currentUrl) === withoutSection(nextUrl)

/** For the layouts around such screens, which then don't revalidate either. */
export const unlessSectionChange: ShouldRevalidateFunction = (asked) =>
  !isSectionChange(asked) && asked.defaultShouldRevalidate

/** For the screens that show reports. */
export const afterSheet: ShouldRevalidateFunction = (asked) =>
  !isSectionChange(asked) && revalidateOnConflict(asked)
