import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** The id of each layout's main area. */
export const mainId = 'contenido'

/**
 * After going to another screen the focus starts at its main area, as it would on a newly loaded page. A tab of the
 * same page keeps it on its link (ui/tab-links.tsx).
 */
export function useNavigationFocus() {
  const { pathname, state } = useLocation()
  const isTab = Boolean((state as { keepsFocus?: boolean } | null)?.keepsFocus)
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    if (isTab && document.activeElement !== document.body) return
    document.getElementById(mainId)?.focus({ preventScroll: true })
  }, [isTab, pathname])
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
