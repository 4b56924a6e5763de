import type { Tone } from '../../shared/state-machine.ts'

/** Where a charger is; `unknown`: a record names its serial, and it was never received. */
export const chargerStates = {
  store: { label: 'En bodega', tone: 'neutral' },
  technician: { label: 'Con el técnico', tone: 'info' },
  installed: { label: 'Instalado', tone: 'ok' },
  returned: { label: 'Devuelto', tone: 'neutral' },
  unknown: { label: 'Serie sin entrada', tone: 'wait' },
} as const satisfies Record<string, { label: string; tone: Tone }>
export type ChargerState = keyof typeof chargerStates

type Place = {
  isReceived: boolean
  appointmentId: string | null
  holder: string | null
  returnedOn: string | null
}

export function chargerState({ appointmentId, holder, isReceived, returnedOn }: Place): ChargerState {
  if (!isReceived) return 'unknown'
  if (appointmentId) return 'installed'
  return returnedOn ? 'returned' : holder ? 'technician' : 'store'
}
