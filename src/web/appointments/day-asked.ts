import { useLocation, useNavigation } from 'react-router'

/** The day that was pressed and is still being fetched; null when what is shown is what was asked for. */
export function useDayAsked(): string | null {
  const { location } = useNavigation()
  const here = useLocation()
  if (location?.pathname !== here.pathname) return null
  const asked = new URLSearchParams(location.search).get('dia')
  return asked === new URLSearchParams(here.search).get('dia') ? null : asked
}
