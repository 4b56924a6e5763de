import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** The id of each layout's main area. */
export const mainId = 'contenido'

/** After going to another screen the focus starts at its main area, as it would on a newly loaded page. */
export function useNavigationFocus() {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    document.getElementById(mainId)?.focus({ preventScroll: true })
  }, [pathname])
}

/** When a screen's next step takes away what had the focus, the focus starts anew at the main area. */
export function useStepFocus(step: string | undefined) {
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    if (document.activeElement === document.body)
      document.getElementById(mainId)?.focus({ preventScroll: true })
  }, [step])
}
