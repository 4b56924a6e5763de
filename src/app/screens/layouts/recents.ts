import type { Hit } from '../search-line.tsx'

/** What a person opened, from the search or by any other way, on this device. `owner` is a hash of the person. */
type Recents = { owner: string; hits: Hit[] }

const key = 'carga.recents'
const most = 6

/** What the handle of a screen says of the one thing that it shows: it is kept among the recent ones. */
export type VisitedScreen = { visited?: (shown: never) => Pick<Hit, 'kind' | 'title'> }

/** What this person opened last, the newest first; what another person left here is forgotten. */
export function recentsOf(owner: string): Hit[] {
  try {
    const kept: Recents | null = JSON.parse(localStorage.getItem(key) ?? 'null')
    if (kept?.owner === owner) return kept.hits
  } catch {
    // Not readable: then there are none.
  }
  forgetRecents()
  return []
}

/** Keeps what this person opened: its name and address, no more. */
export function keepRecent(owner: string, hit: Hit): void {
  const before = recentsOf(owner)
  const others = before.filter(({ to }) => to !== hit.to)
  // A visit does not know where to book for a customer; the search that found them did.
  const known = before.find(({ to }) => to === hit.to)
  const kept: Recents = {
    owner,
    hits: [{ ...known, ...hit, facts: [], badge: null }, ...others].slice(0, most),
  }
  try {
    localStorage.setItem(key, JSON.stringify(kept))
  } catch {
    // Full, or not allowed: then nothing is kept.
  }
}

/** At a sign-out. */
export function forgetRecents(): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Not allowed: then nothing was kept.
  }
}
