import { markerIn } from '../accounts/rules/sessions.ts'
import { keptCaches } from './worker-messages.ts'

const id = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const below = `account|appointments-pending(?:/${id})?|appointments-done/${id}`
const paths = new RegExp(`^/admin(?:/(?:${below}))?(?:\\.data)?$`)
const pictureAddress = new RegExp(`^/files/${id}/(?:full|list)$`)

/** Whether a page, or its data, is one that a technician needs on site, where there may be no network. */
export const isKeptPath = (pathname: string): boolean => paths.test(pathname)

/** Whether it is a picture of a visit, which the installer looks at. */
export const isPicture = (pathname: string): boolean => pictureAddress.test(pathname)

/** The address a page is kept under: whatever was searched for, or chosen, on it. */
export const pageKeyOf = (url: string): string => new URL(url).origin + new URL(url).pathname

/**
 * Whether an address shows the whole page: no part of its data, no filtered list. A form's section is the same page.
 */
export const isWholePage = (url: string): boolean =>
  [...new URL(url).searchParams.keys()].every((name) => name === 'seccion')

/** The address of the data of a page. */
export const dataOf = (path: string): string => `${path}.data`

/** The path of the page that an address shows, or is the data of. */
export const pagePathOf = (url: string): string => new URL(url).pathname.replace(/\.data$/, '')

/** Whether the data asked for is that of the page as it stands there already. */
export const isSameAddress = (page: string, data: string): boolean =>
  pagePathOf(page) === pagePathOf(data) && chosenIn(page) === chosenIn(data)

/** What was chosen on a page, in one order; which parts of its data are asked for is none of it. */
function chosenIn(url: string): string {
  const { searchParams } = new URL(url)
  searchParams.delete('_routes')
  searchParams.sort()
  return searchParams.toString()
}

/** Seconds that the network has to answer before the kept page is shown: while it is lost, as a rule, and where the newest matters. */
export const patience = { lost: 0.05, kept: 0.5, newest: 4 } as const
type Patience = keyof typeof patience

/** What decides how long a kept page waits for the network. */
type Asked = {
  /** The page as it was kept, not a part of it or what was searched for on it. */
  isWhole: boolean
  /** It stands there already and asks again: its person loses nothing by waiting. */
  isOpen: boolean
  /** A form was answered since it was kept: it may show what was before, and its answer may carry the toast. */
  isDoubted: boolean
  /** Requests found no server lately, and none has since. */
  isLost: boolean
}

/** How long the network has before the kept page is shown. */
export function patienceFor({ isDoubted, isLost, isOpen, isWhole }: Asked): Patience {
  if (isOpen || !isWhole) return 'newest'
  if (isDoubted) return isLost ? 'kept' : 'newest'
  return isLost ? 'lost' : 'kept'
}

/// <reference lib="webworker" />

declare const self: ServiceWorkerGlobalScope

export const [pages, pictures] = keptCaches

/** This header of every answer names the session it was made for; without a session it is `none`. */
const marker = (answer: Response) => answer.headers.get('x-session')

/** One change of the caches at a time, so that no late answer is kept beside those of another session. */
let turn: Promise<unknown> = Promise.resolve()
const inTurn = <Result>(change: () => Promise<Result>): Promise<Result> => {
  const done = turn.then(change)
  turn = done.catch(() => undefined)
  return done
}

/** Deletes everything kept when an answer is of another session, or of none. Without the header it is not ours. */
export const hear = (answer: Response): Promise<void> => inTurn(() => forgetOthers(answer))

export const forget = (): Promise<void> => inTurn(forgetAll)

/** The pages fetched since a form was answered; null while none was. */
let fetched: Set<string> | null = null

/** A form was answered: what is kept may be out of date until it is fetched again. */
export function doubt(): void {
  fetched = new Set()
}

/** Whether a form was answered since this page was kept. */
export const isDoubted = (url: string): boolean => fetched !== null && !fetched.has(pageKeyOf(url))

/** Keeps an answer under an address, when it is a page as its person sees it; deletes it when the page is gone. */
export const keepPage = (
  url: string,
  answer: Response,
  cache: (typeof keptCaches)[number] = pages,
): Promise<void> =>
  inTurn(async () => {
    await forgetOthers(answer)
    const kept = await caches.open(cache)
    if (isFit(answer)) {
      await kept.put(pageKeyOf(url), answer)
      fetched?.add(pageKeyOf(url))
    } else if (isGone(answer)) await kept.delete(pageKeyOf(url))
  })

/** Whether what the network answered to a request may be kept at all. */
export const isToBeKept = ({ method, url }: Request): boolean =>
  method === 'GET' && isKeptPath(new URL(url).pathname) && isWholePage(url)

/** Deletes one answer: something changed, and the kept one is out of date. */
export const drop = (url: string): Promise<boolean> =>
  inTurn(async () => (await caches.open(pages)).delete(pageKeyOf(url)))

/** Whether a kept answer may be shown: the browser's own marker names the session, where it still has one. */
export async function isOwn(answer: Response): Promise<boolean> {
  const cookies = (await self.cookieStore?.getAll()) ?? []
  const now = markerIn(cookies.map(({ name, value }) => `${name}=${value}`).join('; '))
  return now === '' || now === marker(answer)
}

/** Not an answer to a redirect, and not one with a toast in it, which would come back at every visit. */
const isFit = (answer: Response) =>
  answer.status === 200 &&
  !answer.redirected &&
  !answer.headers.has('x-once') &&
  ![null, 'none'].includes(marker(answer))

const isGone = ({ type, status, redirected }: Response) =>
  type === 'opaqueredirect' || redirected || [202, 403, 404].includes(status)

async function forgetOthers(answer: Response): Promise<void> {
  const said = marker(answer)
  if (said === null) return
  for (const name of keptCaches) {
    const cache = await caches.open(name)
    const [first] = await cache.keys()
    const kept = first && (await cache.match(first))
    if (kept && marker(kept) !== said) return forgetAll()
  }
}

async function forgetAll(): Promise<void> {
  await Promise.all(keptCaches.map((name) => caches.delete(name)))
}
