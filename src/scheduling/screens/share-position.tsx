import { MapPin } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { useHydrated } from '../../ui/hydrated.ts'

/** A phone tells where it is at most so often. */
const everyMs = 30_000

type Place = { latitude: number; longitude: number }

/** Answers whether it may go on: not once the technician is no longer on the way. */
async function tell(appointmentId: string, personId: string, place: Place | null): Promise<boolean> {
  try {
    const { status } = await fetch(`/onsite/${appointmentId}/position`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-person': personId },
      body: JSON.stringify({ place }),
      keepalive: true,
    })
    return status < 400 || status >= 500
  } catch {
    // Without a network the next one is told.
    return true
  }
}

type SharePositionProps = { appointmentId: string; personId: string }

/** The technician on the way shares where they are, if they want, so that the customer reads when they arrive. */
export function SharePosition({ appointmentId, personId }: SharePositionProps) {
  const [state, setState] = useState<'off' | 'on' | 'denied'>('off')
  const isOn = state === 'on'
  useEffect(() => {
    if (!isOn) return
    let last = -everyMs
    const moved = async ({ coords: { latitude, longitude } }: GeolocationPosition) => {
      if (performance.now() - last < everyMs) return
      last = performance.now()
      if (!(await tell(appointmentId, personId, { latitude, longitude }))) setState('off')
    }
    const watch = navigator.geolocation.watchPosition(
      moved,
      ({ code, PERMISSION_DENIED }) => code === PERMISSION_DENIED && setState('denied'),
      { enableHighAccuracy: true, maximumAge: everyMs / 2 },
    )
    return () => {
      navigator.geolocation.clearWatch(watch)
      void tell(appointmentId, personId, null)
    }
  }, [isOn, appointmentId, personId])
  if (!useHydrated() || !('geolocation' in navigator)) return null
  return (
    <Card title="Tu ubicación en camino">
      <p className="text-[0.9375rem] text-mute">
        {state === 'denied'
          ? 'Tu teléfono no dio permiso. Actívalo para este sitio en los ajustes del navegador.'
          : 'Con ella el cliente lee a qué hora llegas; no ve dónde estás. Se usa hasta que inicias, con esta pantalla abierta, y no se guarda.'}
      </p>
      <Button
        variant="ghost"
        aria-pressed={isOn}
        className="sm:justify-self-start"
        onClick={() => setState(isOn ? 'off' : 'on')}
      >
        <MapPin aria-hidden className="size-5" />
        {isOn ? 'Dejar de compartirla' : 'Compartir mi ubicación'}
      </Button>
    </Card>
  )
}
