import { lazy, type ReactNode, Suspense, useRef } from 'react'
import { useHydrated } from '../ui/hydrated.ts'

/** Only where a browser can turn speech into text. */
const Dictate = lazy(() => import('./dictate.tsx').catch(() => ({ default: () => null })))

/** A text box, and where the browser can hear, a button that writes into it what is said. */
export function Dictated({ label, children }: { label: string; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const canHear = useHydrated() && 'webkitSpeechRecognition' in window
  return (
    <div ref={place} className="grid gap-1.5">
      {children}
      {canHear && (
        <Suspense>
          <Dictate box={() => place.current?.querySelector('textarea') ?? null} label={label} />
        </Suspense>
      )}
    </div>
  )
}
