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
