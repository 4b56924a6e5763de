import { useSite } from '../../lib/site.ts'
import { useHydrated } from '../../ui/hydrated.ts'

/** Whether this browser makes and uses our passkeys at this address; null until the page is hydrated. */
export function useCanUsePasskeys(): boolean | null {
  const host = useSite()?.host ?? ''
  if (!useHydrated()) return null
  // They belong to a host and those below it, never to an IP address.
  const isTheirs = `.${location.hostname}`.endsWith(`.${host}`) && /[a-z]$/i.test(host)
  const needed = ['parseCreationOptionsFromJSON', 'parseRequestOptionsFromJSON']
  return isTheirs && 'PublicKeyCredential' in window && needed.every((name) => name in PublicKeyCredential)
}

/** In the second step, where no button can be shown. */
export const NoPasskeyHere = () => (
  <p>
    Este navegador no puede usar tu llave. Entra con un código de recuperación, o desde un navegador actual
    con JavaScript.
  </p>
)
