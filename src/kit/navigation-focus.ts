import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** The id of each layout's main area. */
export const mainId = 'contenido'

/** Marks the field of a screen that one comes to type in: the focus starts there. */
export const firstFocus = 'data-first-focus'

/**
 * After going to another screen the focus starts at its main area, as it would on a newly loaded page. A tab of the
 * same page keeps it on its link (ui/tab-links.tsx), and another query on what was used, unless that is gone.
 */
export function useNavigationFocus() {
  const { pathname, search, state } = useLocation()
  const isTab = Boolean((state as { keepsFocus?: boolean } | null)?.keepsFocus)
  const shown = useRef([pathname, search])
  useEffect(() => {
    const [path, query] = shown.current
    if (path === pathname && query === search) return
    shown.current = [pathname, search]
    if ((isTab || path === pathname) && document.activeElement !== document.body) return
    if (document.activeElement?.hasAttribute(firstFocus)) return
    document.getElementById(mainId)?.focus({ preventScroll: true })
  }, [isTab, pathname, search])
}

/** When a screen's next step removes the focused element, the focus starts again at the main area. */
export function useStepFocus(step: string | undefined) {
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    if (document.activeElement === document.body)
      document.getElementById(mainId)?.focus({ preventScroll: true })
  }, [step])
}
