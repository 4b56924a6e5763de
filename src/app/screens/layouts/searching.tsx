import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useMatches } from 'react-router'
import { useEverTrue } from '../../../ui/hydrated.ts'
import { useSingleKeys } from '../../../ui/single-keys.ts'
import { searchPath } from '../search-path.ts'
import { forgetRecents, keepRecent, type VisitedScreen } from './recents.ts'

// Most pages are left without a search: its window comes with the first. Where it can't, the page does the same.
const SearchWindow = lazy(() =>
  import('./search-window.tsx').catch(() => {
    location.assign(searchPath)
    return { default: () => null }
  }),
)

/**
 * The search of the whole office in front of any page: by Ctrl K or Cmd K, by "/" where nothing is typed, and by a press
 * on what is marked with `data-search`. `owner` is a hash of the user.
 */
export default function Searching({ owner }: { owner: string }) {
  const { key } = useLocation()
  const [openAt, setOpenAt] = useState<string | null>(null)
  const open = openAt === key
  const left = openAt !== null && !open
  const before = useRef<Element | null>(null)
  const show = useCallback(() => {
    if (!open) before.current = document.activeElement
    setOpenAt(key)
  }, [key, open])
  const close = useCallback(() => setOpenAt(null), [])
  useOpeners(show)
  useVisited(owner)
  if (!useEverTrue(open)) return null
  return (
    <Suspense>
      <SearchWindow
        owner={owner}
        open={open}
        onClose={close}
        // The new screen has taken the focus already.
        focusAfter={() => (left ? null : before.current)}
      />
    </Suspense>
  )
}

/** Keeps the customer, appointment or quote of the current page among the recent ones. */
function useVisited(owner: string) {
  const matches = useMatches()
  const { handle, loaderData, pathname = '' } = matches.at(-1) ?? {}
  const { visited } = (handle as VisitedScreen | undefined) ?? {}
  const shown = loaderData === undefined ? undefined : visited?.(loaderData as never)
  const { kind, title } = shown ?? { kind: null, title: null }
  useEffect(() => {
    if (kind && title)
      keepRecent(owner, { id: pathname, kind, to: pathname, title, facts: [], badge: null, score: 0 })
  }, [owner, kind, title, pathname])
}

const isWithin = ({ target }: Event, selector: string) =>
  target instanceof Element && target.closest(selector) !== null

function useOpeners(show: () => void) {
  useSingleKeys({ '/': show })
  useEffect(() => {
    const open = (event: Event) => {
      event.preventDefault()
      show()
    }
    const pressed = (event: KeyboardEvent) => {
      const { altKey, ctrlKey, key, metaKey, shiftKey } = event
      const isCombined = ctrlKey || metaKey
      const isPalette = key.toLowerCase() === 'k' && isCombined && !altKey && !shiftKey
      // A call is alone.
      if (isPalette && !event.defaultPrevented && !document.querySelector('[data-call]')) open(event)
    }
    const clicked = (event: MouseEvent) => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey
      if (isPlain && isWithin(event, '[data-search]')) open(event)
    }
    const sent = (event: Event) => {
      if (isWithin(event, 'form[action="/signout"]')) forgetRecents()
    }
    document.addEventListener('keydown', pressed)
    document.addEventListener('click', clicked)
    document.addEventListener('submit', sent, true)
    return () => {
      document.removeEventListener('keydown', pressed)
      document.removeEventListener('click', clicked)
      document.removeEventListener('submit', sent, true)
    }
  }, [show])
}
