import { setNonce } from 'get-nonce'
import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { askAgainWhenTurnedAway } from './ask-again.ts'
import { standInForStorage } from './session/storage.ts'
import { watchForms } from './touched.ts'

standInForStorage()
watchForms()
askAgainWhenTurnedAway()

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
