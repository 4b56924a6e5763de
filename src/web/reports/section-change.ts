import type { ShouldRevalidateFunction } from 'react-router'
import { revalidateOnConflict } from '../lib/revalidate-on-conflict.ts'
import { sectionParam } from './section-param.ts'

type Asked = Parameters<ShouldRevalidateFunction>[0]

const withoutSection = (url: URL) => {
  const params = new URLSearchParams(url.search)
  params.delete(sectionParam)
  return `${url.pathname}?${params}`
}

/** Whether somebody only goes to another section of a sheet: everything it shows is on the page, network or not. */
export const isSectionChange = ({ currentUrl, nextUrl, formMethod }: Asked): boolean =>
  formMethod === undefined &&
  currentUrl.search !== nextUrl.search &&
  withoutSection(currentUrl) === withoutSection(nextUrl)

/** For the layouts around such screens, which ask nothing then either. */
export const unlessSectionChange: ShouldRevalidateFunction = (asked) =>
  !isSectionChange(asked) && asked.defaultShouldRevalidate

/** For the screens that show sheets. */
export const afterSheet: ShouldRevalidateFunction = (asked) =>
  !isSectionChange(asked) && revalidateOnConflict(asked)
