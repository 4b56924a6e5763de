import { SwitchCamera } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { FieldFrame, OptionList } from '../../../kit/form/field.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { watchDevices } from '../device-choice.ts'
import type { DeviceChoice } from '../rtc/call-state.ts'
import { watchLevel } from '../rtc/level.ts'
import type { OnCall } from './props.ts'

type DeviceFieldsProps = {
  opened: MediaStream | null
  devices: DeviceChoice
  onDevices: (devices: DeviceChoice) => void
}

/** Which camera, microphone and speaker to use; what can't be chosen here is left out. */
export function DeviceFields({ opened, devices, onDevices }: DeviceFieldsProps) {
  const found = useDevices(opened)
  const used = inUse(opened)
  return (
    <div className="grid gap-4">
      {fields.map(({ name, list, label }) => (
        <DeviceField
          key={name}
          label={label}
          options={found[list]}
          value={devices[name] ?? used[name] ?? ''}
          onChange={(id) => onDevices({ ...devices, [name]: id })}
          hidden={name === 'speaker' && found.speakers.length === 0}
        />
      ))}
    </div>
  )
}

const fields = [
  { name: 'camera', list: 'cameras', label: 'Cámara' },
  { name: 'microphone', list: 'microphones', label: 'Micrófono' },
  { name: 'speaker', list: 'speakers', label: 'Bocina' },
] as const satisfies readonly { name: keyof DeviceChoice; list: keyof Devices; label: string }[]

/** What the browser took where nothing was chosen. */
const inUse = (opened: MediaStream | null): DeviceChoice => ({
  camera: opened?.getVideoTracks()[0]?.getSettings().deviceId ?? '',
  microphone: opened?.getAudioTracks()[0]?.getSettings().deviceId ?? '',
})

type DeviceFieldProps = {
  label: string
  options: Devices['cameras']
  value: string
  onChange: (id: string) => void
  hidden: boolean
}

function DeviceField({ label, options, value, onChange, hidden }: DeviceFieldProps) {
  const id = useId()
  if (hidden) return null
  return (
    <FieldFrame
      id={id}
      label={label}
      help={undefined}
      error={undefined}
      optional={undefined}
      className={undefined}
    >
      <OptionList
        id={id}
        value={options.some((one) => one.id === value) ? value : (options[0]?.id ?? '')}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        disabled={options.length === 0}
      >
        {options.length === 0 && <option value="">Todavía no se ve ninguno</option>}
        {options.map((one) => (
          <option key={one.id} value={one.id}>
            {one.label}
          </option>
        ))}
      </OptionList>
    </FieldFrame>
  )
}

type Device = { id: string; label: string }
type Devices = { cameras: Device[]; microphones: Device[]; speakers: Device[] }

const none: Devices = { cameras: [], microphones: [], speakers: [] }

/** Whether this browser can choose where the sound comes out. */
const choosesSpeaker = () => 'setSinkId' in HTMLMediaElement.prototype

/** What is connected, as it changes. Browsers name devices only once one was opened: hence `opened`. */
function useDevices(opened: MediaStream | null): Devices {
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

/** Changes between front and rear camera; not shown where there is only one, or none is on. */
export function FlipCamera({ call, state, devices, onDevices, className }: FlipCameraProps) {
  const { cameras } = useDevices(state.local)
  const [isTurning, setIsTurning] = useState(false)
  if (cameras.length < 2 || !state.media.video) return null
  const flip = async () => {
    setIsTurning(true)
    await call.flip().finally(() => setIsTurning(false))
    const { camera } = inUse(call.state().local)
    if (camera) onDevices({ ...devices, camera })
  }
  return (
    <button
      type="button"
      aria-label="Voltear cámara"
      title="Voltear cámara"
      aria-busy={isTurning || undefined}
      onClick={() => !isTurning && void flip()}
      className={classNames(
        'grid size-11 place-items-center rounded-full bg-canvas/80 text-ink hover:bg-canvas',
        className,
      )}
    >
      <SwitchCamera aria-hidden className={classNames('size-5.5', isTurning && 'animate-pulse')} />
    </button>
  )
}

type FlipCameraProps = Pick<OnCall, 'call' | 'state' | 'devices' | 'onDevices'> & { className: string }

type MicrophoneLevelProps = { stream: MediaStream | null; on: boolean; className?: string }

/** How loud the user's microphone is. It is drawn outside React, twenty times a second. */
export function MicrophoneLevel({ stream, on, className }: MicrophoneLevelProps) {
  const bar = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (!stream || !on) return
    const element = bar.current!
    const stop = watchLevel(stream, (level) => {
      element.style.transform = `scaleX(${level})`
    })
    return () => {
      stop()
      element.style.transform = 'scaleX(0)'
    }
  }, [stream, on])
  return (
    <span className={classNames('grid gap-1', className)}>
      <span className="truncate text-right text-sm text-mute max-lg:sr-only">
        {on && stream ? 'Habla: la barra se mueve' : 'Sin sonido'}
      </span>
      <span aria-hidden className="h-2 overflow-hidden rounded-full bg-track">
        <span
          ref={bar}
          data-level
          className="block h-full origin-left rounded-full bg-brand"
          style={{ transform: 'scaleX(0)' }}
        />
      </span>
    </span>
  )
}
