import { lazy, Suspense, useEffect } from 'react'
import { useHydrated } from '../../ui/hydrated.ts'

/** Without it the screen still stands: it may be asked for where there is no network yet to bring it. */
const OnsiteStrip = lazy(() =>
  import('../../offline/onsite-strip.tsx').catch(() => ({ default: () => null })),
)

/** What lets a technician work without a network, fetched after the screen. From everybody else's browser it is taken away. */
export function Onsite({ personId }: { personId: string | null }) {
  const isHydrated = useHydrated()
  useEffect(() => {
    if (personId === null && navigator.serviceWorker?.controller)
      void import('../../offline/remove-worker.ts').then(({ removeWorker }) => removeWorker())
  }, [personId])
  if (!personId || !isHydrated) return null
  return (
    <Suspense>
      <OnsiteStrip key={personId} personId={personId} />
    </Suspense>
  )
}
