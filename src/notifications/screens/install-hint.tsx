import { useState, useSyncExternalStore } from 'react'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { useHydrated } from '../../ui/hydrated.ts'

/** Says once, on a phone, that the product can be on its first screen; whoever dismisses it never sees it again. */
export function InstallHint() {
  const offer = useSyncExternalStore(watch, offerNow, () => null)
  const isHydrated = useHydrated()
  const [isOver, setIsOver] = useState(false)
  if (!isHydrated || isOver || !mayShow() || !(offer || isIphone())) return null
  const dismiss = () => {
    localStorage.setItem(key, 'no')
    setIsOver(true)
  }
  const install = async () => {
    await offer?.prompt()
    dismiss()
  }
  return (
    <Alert
      tone="info"
      title="Ten tu instalación a la mano"
      actions={
        <>
          {offer && <Button onClick={() => void install()}>Agregar</Button>}
          <Button variant="ghost" onClick={dismiss}>
            {offer ? 'Ahora no' : 'Entendido'}
          </Button>
        </>
      }
    >
      {offer
        ? 'Agrega Carga en Casa a tu pantalla de inicio y ábrela con un toque.'
        : 'Toca Compartir y luego «Agregar a inicio»: abres Carga en Casa con un toque y podemos avisarte de tu cita.'}
    </Alert>
  )
}

const key = 'carga.install'

const isIphone = () => /iPhone|iPad/.test(navigator.userAgent)
const mayShow = () =>
  localStorage.getItem(key) === null &&
  matchMedia('(pointer: coarse) and (width < 64rem)').matches &&
  !matchMedia('(display-mode: standalone)').matches

/** What Chromium gives a page that could be installed; it comes once, after the page has loaded. */
type InstallOffer = Event & { prompt: () => Promise<unknown> }

let kept: InstallOffer | null = null
const changes = new EventTarget()
const offerNow = () => kept
function watch(changed: () => void) {
  changes.addEventListener('change', changed)
  return () => changes.removeEventListener('change', changed)
}

if (typeof window !== 'undefined')
  addEventListener('beforeinstallprompt', (event) => {
    // Elsewhere the browser offers it in its own way.
    if (!mayShow()) return
    event.preventDefault()
    kept = event as InstallOffer
    changes.dispatchEvent(new Event('change'))
  })
