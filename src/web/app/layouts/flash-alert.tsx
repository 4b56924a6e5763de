import { useFlash } from '../../lib/site.ts'
import { Alert } from '../../ui/alert.tsx'
import { useHydrated } from '../../ui/hydrated.ts'

const tones = { default: 'info', success: 'ok', destructive: 'bad' } as const

/** The toast that a redirect left, where no JavaScript can show it. Elsewhere it takes no room, so nothing moves. */
export function FlashAlert() {
  const flash = useFlash()
  if (useHydrated() || !flash) return null
  return (
    <div role={flash.variant === 'destructive' ? 'alert' : 'status'} className="hidden noscript:block">
      <Alert tone={tones[flash.variant]} title={flash.title}>
        {flash.description}
      </Alert>
    </div>
  )
}
