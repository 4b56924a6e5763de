import { useId } from 'react'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { OptionList } from '../../ui/select.tsx'
import type { DeviceChoice } from '../rtc/call-state.ts'
import { type Devices, useDevices } from './use-devices.ts'

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
