/** A field as it was typed: its name, its value, and whether a box was ticked. */
export type KeptField = readonly [name: string, value: string, checked: boolean | null]

/**
 * The words of one form: which of its page it is, the version it was written over, and, where it was sent without an
 * answer, the keys it was sent with.
 */
export type KeptForm = {
  which: string
  nth: number
  version: string
  fields: readonly KeptField[]
  keys: readonly [name: string, value: string][] | null
}

/**
 * What was typed on one page and not accepted by the server. `owner` is a hash of the person; `stays`: it was left
 * without a network, or sent without an answer.
 */
export type KeptPage = { owner: string; path: string; at: number; stays: boolean; forms: readonly KeptForm[] }

const item = 'carga.drafts'
/** Milliseconds until words that nobody came back for are deleted. */
const longest = 14 * 24 * 60 * 60 * 1000

/** The words of a person are on the device; those of somebody without an account only in the tab. */
const storageOf = (owner: string) => (owner === '' ? sessionStorage : localStorage)

/** A page by its address: the day and hour looked at on it, and what frameworks add, are the same page. */
export function placeOfWords(path: string): string {
  const { pathname, searchParams } = new URL(path, location.href)
  for (const name of ['dia', 'hora', 'index', '_routes']) searchParams.delete(name)
  return searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname
}

type Pages = Readonly<Record<string, KeptPage>>

function read(owner: string): Pages {
  try {
    return JSON.parse(storageOf(owner).getItem(item) ?? '{}')
  } catch {
    return {}
  }
}

/** Whether there was room for it, and it is allowed. */
function write(owner: string, pages: Pages): boolean {
  try {
    if (Object.keys(pages).length > 0) storageOf(owner).setItem(item, JSON.stringify(pages))
    else storageOf(owner).removeItem(item)
    return true
  } catch {
    return false
  }
}

/** What is kept of a person's page. */
export function keptPage(owner: string, place: string): KeptPage | null {
  const page = read(owner)[place]
  return page && isTheirs(owner)(page) ? page : null
}

/** Keeps a page, or nothing of it; answers whether the device has it now. */
export function keepPageWords(owner: string, place: string, page: KeptPage | null): boolean {
  const { [place]: _, ...others } = read(owner)
  return write(owner, page ? { ...others, [place]: page } : others)
}

/** Deletes what is not this person's, or too old; all of it where they leave. */
export function forgetKeptWords(owner: string, isLeaving = false): void {
  const isKept = isTheirs(owner)
  const theirs = Object.entries(read(owner)).filter(([, page]) => !isLeaving && isKept(page))
  write(owner, Object.fromEntries(theirs))
  if (owner !== '') write('', {})
}

const isTheirs =
  (owner: string) =>
  ({ at, owner: whose }: KeptPage) =>
    whose === owner && Date.now() - at < longest

/** Whether this device has words of the page at an address that were not sent, whoever is signed in there. */
export const hasWordsOf = (path: string): boolean =>
  [localStorage, sessionStorage].some((storage) => {
    try {
      return placeOfWords(path) in JSON.parse(storage.getItem(item) ?? '{}')
    } catch {
      return false
    }
  })
