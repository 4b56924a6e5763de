import { setNonce } from 'get-nonce'
import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { standInForStorage } from './accounts/operations.ts'
import { watchDirtyForms } from './lib/dirty-forms.ts'
import { retryWhenOverloaded } from './lib/retry-overloaded.ts'
import { deliverForms } from './offline/unsent.ts'

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
