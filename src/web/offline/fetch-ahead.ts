import { hear, keep, pages, pictures } from './kept-pages.ts'
import { dataOf, keyOf } from './kept-paths.ts'

/** What a technician needs of today and tomorrow, as `/onsite/day` answers it. */
export type Day = { pages: string[]; pictures: string[] }

/** A page that is on no list any more is thrown away after so many milliseconds: what was written on it may wait to be sent. */
const longest = 3 * 24 * 60 * 60 * 1000

/** Asks for the day and the next, one answer after the other: whoever is looking at a screen comes first. */
export async function fetchAhead(personId: string): Promise<void> {
  const answer = await ask('/onsite/day', { 'x-person': personId })
  await hear(answer)
  if (!answer.ok) return
  const day = (await answer.json()) as Day
  for (const path of day.pages) await fetchPage(path)
  const known = await caches.open(pictures)
  for (const path of day.pictures)
    if (!(await known.match(path))) await keep(absolute(path), await ask(path), pictures)
  await throwAway(day)
}

/** Asks for one page, as a document and as the data of a navigation to it. */
export async function fetchPage(path: string): Promise<void> {
  await keep(absolute(path), await ask(path))
  await keep(absolute(dataOf(path)), await ask(dataOf(path)))
}

/** Asks again for those of these pages that are kept, so that they say what was sent since. */
export async function fetchAgain(paths: readonly string[]): Promise<void> {
  const kept = await caches.open(pages)
  for (const path of paths)
    if ((await kept.match(absolute(path))) || (await kept.match(absolute(dataOf(path)))))
      await fetchPage(path)
}

/** `x-ahead`: nobody looks at the answer, so no toast that waits is for it. */
const ask = (path: string, more: Record<string, string> = {}) =>
  fetch(path, {
    headers: { accept: 'text/html,*/*', 'x-ahead': '1', ...more },
    redirect: 'manual',
    cache: 'no-store',
  })

const absolute = (path: string) => new URL(path, location.origin).href

async function throwAway(day: Day): Promise<void> {
  const shown = await caches.open(pictures)
  const wanted = new Set(day.pictures.map(absolute))
  for (const { url } of await shown.keys()) if (!wanted.has(keyOf(url))) await shown.delete(url)
  const kept = await caches.open(pages)
  for (const request of await kept.keys()) {
    const since = Date.parse((await kept.match(request))?.headers.get('date') ?? '')
    if (Date.now() - since > longest) await kept.delete(request)
  }
}
