import { useEffect, useState } from 'react'
import { watchDevices } from '../device-choice.ts'

type Device = { id: string; label: string }
export type Devices = { cameras: Device[]; microphones: Device[]; speakers: Device[] }

const none: Devices = { cameras: [], microphones: [], speakers: [] }

/** Whether this browser can choose where the sound comes out. */
export const choosesSpeaker = () => 'setSinkId' in HTMLMediaElement.prototype

/** What is connected, as it changes. Browsers name devices only once one was opened: hence `opened`. */
export function useDevices(opened: MediaStream | null): Devices {
  const [devices, setDevices] = useState(none)
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again once the names may be known.
  useEffect(() => watchDevices((all) => setDevices(sorted(all))), [opened])
  return devices
}

function sorted(all: readonly MediaDeviceInfo[]): Devices {
  const of = (kind: MediaDeviceKind, word: string) =>
    all
      .filter((device) => device.kind === kind && device.deviceId)
      .map(({ deviceId, label }, nth) => ({ id: deviceId, label: label || `${word} ${nth + 1}` }))
  return {
    cameras: of('videoinput', 'Cámara'),
    microphones: of('audioinput', 'Micrófono'),
    speakers: choosesSpeaker() ? of('audiooutput', 'Bocina') : [],
  }
}
