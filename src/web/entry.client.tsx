import { setNonce } from 'get-nonce'
import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { watchDirtyForms } from './lib/dirty-forms.ts'
import { retryWhenOverloaded } from './lib/retry-overloaded.ts'
import { deliverForms } from './offline/unsent.ts'

trustOnlyOurs()
standInForStorage()
watchDirtyForms()
retryWhenOverloaded()
deliverForms()
// Whoever is here has seen that there is news (web/notifications/push-worker.ts).
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

/**
 * Of the texts that a script gives to a browser to run or to draw (require-trusted-types-for): workers of our own, and
 * no markup but the empty script that React begins each with.
 */
function trustOnlyOurs(): void {
  const { trustedTypes } = window as {
    trustedTypes?: { createPolicy: (name: string, rules: object) => void }
  }
  trustedTypes?.createPolicy('default', {
    createScriptURL: (url: string) => (new URL(url, location.href).origin === location.origin ? url : null),
    createHTML: (html: string) => (html.includes('<') && html !== '<script></script>' ? null : html),
  })
}

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
