import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { focusOn } from './use-hearing.ts'

/** A section begins at its heading, or at the field that a link named; whoever writes already keeps the focus. */
export function useSectionFocus(section: string) {
  const { hash, key } = useLocation()
  const asked = useRef<string>(null)
  const place = `${section} ${hash} ${key}`
  useEffect(() => {
    if (asked.current === place) return
    const begins = asked.current === null
    asked.current = place
    if (hash) return focusOn(decodeURIComponent(hash.slice(1)))
    if (begins && document.activeElement?.closest('form')) return
    const heading = document.querySelector<HTMLElement>('h1')
    if (!heading) return
    heading.tabIndex = -1
    heading.classList.add('outline-none')
    heading.focus({ preventScroll: true })
  }, [place, hash])
}
