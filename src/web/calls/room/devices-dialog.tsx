import { DialogWindow } from '../../ui/dialog-window.tsx'
import type { OnCall } from '../call-on.tsx'
import { DeviceFields } from './device-fields.tsx'
import type { Closing } from './in-room.tsx'
import { MicrophoneLevel } from './microphone-level.tsx'

/** Changes camera, microphone or speaker while one talks. */
export function DevicesDialog({ call, state, devices, onDevices, onClose, focusAfter }: OnCall & Closing) {
  return (
    <DialogWindow title="Cámara, micrófono y bocina" onClose={onClose} focusAfter={focusAfter}>
      <DeviceFields
        opened={state.local}
        devices={devices}
        onDevices={(chosen) => {
          onDevices(chosen)
          void call.choose(chosen)
        }}
      />
      <MicrophoneLevel stream={state.local} on={state.media.audio} />
    </DialogWindow>
  )
}
