import type { DeviceChoice } from './rtc/call-state.ts'

const key = 'carga.devices'

/** The devices chosen last in this browser: their ids, which mean nothing outside it. */
export function rememberedDevices(): DeviceChoice {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    return typeof kept === 'object' && kept !== null ? (kept as DeviceChoice) : {}
  } catch {
    return {}
  }
}

export function rememberDevices(choice: DeviceChoice): void {
  try {
    localStorage.setItem(key, JSON.stringify(choice))
  } catch {
    // Not allowed: then the user chooses them each time.
  }
}

/** Calls `tell` with the devices now and at each change. Their names are empty until the user allowed one. */
export function watchDevices(tell: (devices: MediaDeviceInfo[]) => void): () => void {
  const devices = navigator.mediaDevices as MediaDevices | undefined
  const list = () => void devices?.enumerateDevices().then(tell, () => {})
  list()
  devices?.addEventListener('devicechange', list)
  return () => devices?.removeEventListener('devicechange', list)
}
