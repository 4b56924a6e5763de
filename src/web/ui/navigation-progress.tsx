import { useNavigation } from 'react-router'

/** A thin bar at the top while the next screen is on its way. It waits a moment: most screens are faster than that. */
export function NavigationProgress() {
  const { state } = useNavigation()
  if (state === 'idle') return null
  return (
    <div
      role="progressbar"
      aria-label="Cargando"
      className="fixed inset-x-0 top-0 z-50 h-0.5 animate-[fade_200ms_150ms_backwards] overflow-hidden bg-brand-soft"
    >
      <div className="h-full w-1/3 animate-travel bg-brand motion-reduce:w-full" />
    </div>
  )
}
