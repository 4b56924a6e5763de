import { setNonce } from 'get-nonce'
import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { watchDirtyForms } from './kit/form/dirty-forms.ts'
import { deliverForms } from './kit/form/unsent.ts'
import { retryWhenOverloaded } from './kit/retry-overloaded.ts'

standInForStorage()
watchDirtyForms()
retryWhenOverloaded()
deliverForms()
// Whoever is here has seen that there is news (notifications/screens/push-worker.ts).
void navigator.clearAppBadge?.().catch(() => {})

// Dialogs add a style that stops the page behind them from scrolling; the policy asks it for the page's nonce.
setNonce(document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '')

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  )
})

/** Replaces, for one page, storages that a browser forbids: there even reading them throws and stops the router. */
function standInForStorage(): void {
  for (const name of ['sessionStorage', 'localStorage'] as const)
    try {
      void window[name]
    } catch {
      Object.defineProperty(window, name, { value: forOnePage() })
    }
}

function forOnePage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const kept = new Map<string, string>()
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }
}
