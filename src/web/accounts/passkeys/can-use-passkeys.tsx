import { useSite } from '../../lib/site.ts'
import { useHydrated } from '../../ui/hydrated.ts'

/** Whether this browser makes and uses our passkeys at this address; null until the page is hydrated. */
export function useCanUsePasskeys(): boolean | null {
  const host = useSite()?.host ?? ''
  return useHydrated() ? canUsePasskeys(host) : null
}

/** They belong to a host and those below it, never to an IP address. */
function canUsePasskeys(host: string): boolean {
  const isHere = `.${location.hostname}`.endsWith(`.${host}`) && /[a-z]$/i.test(host)
  return (
    isHere &&
    'PublicKeyCredential' in window &&
    'parseCreationOptionsFromJSON' in PublicKeyCredential &&
    'parseRequestOptionsFromJSON' in PublicKeyCredential
  )
}

/** In the second step, where no button can be shown. */
export const NoPasskeyHere = () => (
  <p>
    Este navegador no puede usar tu llave. Entra con un código de recuperación, o desde un navegador actual
    con JavaScript.
  </p>
)
