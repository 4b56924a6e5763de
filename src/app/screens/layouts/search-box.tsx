import { Search } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useHydrated } from '../../../ui/hydrated.ts'
import { searchPath } from '../search-path.ts'

// After the screen: until then, and without it, the fields lead to the page of results.
const Later = lazy(() => import('./searching.tsx').catch(() => ({ default: () => null })))

/** The search in front of any page; `owner` is a hash of the user. */
export const SearchLater = ({ owner }: { owner: string }) =>
  useHydrated() && (
    <Suspense>
      <Later owner={owner} />
    </Suspense>
  )

const label = 'Busca en todo'

/** The field of the sidebar. */
export const SearchField = () => (
  <form action={searchPath} className="relative pb-3">
    <Search aria-hidden className="pointer-events-none absolute top-3 left-3 size-5 text-mute" />
    <input
      data-search
      type="search"
      name="q"
      aria-label={label}
      placeholder={label}
      className="min-h-11 w-full rounded-control border border-line bg-canvas px-11 text-base placeholder:text-mute hover:bg-hover"
    />
    <kbd
      aria-hidden
      className="unfolded pointer-events-none absolute top-3 right-3 font-sans text-sm text-mute"
    >
      Ctrl K
    </kbd>
  </form>
)

/** The same in the top bar of a phone. */
export const SearchLink = () => (
  <a
    data-search
    href={searchPath}
    aria-label={label}
    className="grid size-11 place-items-center rounded-full"
  >
    <Search aria-hidden className="size-5" />
  </a>
)
