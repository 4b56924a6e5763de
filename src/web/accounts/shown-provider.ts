import type { RouterContextProvider } from 'react-router'
import { provider } from '../../server/app/context.ts'
import type { ShownProvider } from './popup.ts'

/** How the service is called by which people come in without a password. */
export const providerLabel = (context: Readonly<RouterContextProvider>): string =>
  context.get(provider)?.label ?? 'Otro servicio'

/** What the sign-in pages show of the provider; null where none is set. */
export function shownProvider(context: Readonly<RouterContextProvider>): ShownProvider | null {
  const chosen = context.get(provider)
  return chosen && { label: chosen.label, origins: chosen.origins }
}
