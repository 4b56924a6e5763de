import type { RouterContextProvider } from 'react-router'
import { provider } from '../../server/context.ts'
import type { ShownProvider } from './popup.ts'

/** What the sign-in pages show of the provider; null where none is set. */
export function shownProvider(context: Readonly<RouterContextProvider>): ShownProvider | null {
  const chosen = context.get(provider)
  return chosen && { label: chosen.label, origins: chosen.origins }
}
