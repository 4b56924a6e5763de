import {
  Keyboard,
  LogOut,
  MessageCircle,
  Mic,
  MicOff,
  MonitorUp,
  MonitorX,
  Video,
  VideoOff,
} from 'lucide-react'
import type { RefObject } from 'react'
import { classNames } from '../../ui/class-names.ts'
import type { OnCall } from '../call-on.tsx'
import { BarButton } from './bar-button.tsx'
import type { RoomDialog } from './in-room.tsx'
import { MoreMenu } from './more-menu.tsx'
import { chatButtonId, type Panel } from './use-panel.ts'
import { type OnOff, type Switches, sharesScreen } from './use-switches.ts'

export type ControlBarProps = OnCall & {
  switches: Switches
  panel: Panel
  video: RefObject<HTMLVideoElement | null>
  onDialog: (dialog: RoomDialog) => void
}

/** What one can do during a call, always in sight. */
export function ControlBar(props: ControlBarProps) {
  const { call, state, switches, panel } = props
  return (
    <div
      role="toolbar"
      aria-label="Controles de la llamada"
      className={classNames(
        'flex items-center justify-center gap-1 border-t border-line bg-card px-2 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] sm:gap-2 short:pt-1 short:pb-1',
        state.phase === 'talking' && 'on-dark',
      )}
    >
      <Microphone {...switches.audio} />
      <Camera {...switches.video} />
      {(switches.screen.on || (sharesScreen() && state.phase === 'talking')) && (
        <Screen {...switches.screen} />
      )}
      <ChatButton panel={panel} />
      <MoreMenu {...props} />
      <BarButton
        tone="plain"
        icon={Keyboard}
        word="Atajos"
        label="Atajos de teclado"
        shortcut="?"
        onClick={() => props.onDialog('shortcuts')}
        className="max-lg:hidden"
      />
      <BarButton tone="bad" icon={LogOut} word="Salir" label="Salir de la llamada" onClick={call.leave} />
    </div>
  )
}

const Microphone = ({ on, turn }: OnOff) => (
  <BarButton
    tone={on ? 'plain' : 'off'}
    icon={on ? Mic : MicOff}
    word={on ? 'Silenciar' : 'Activar'}
    label={on ? 'Silenciar' : 'Activar micrófono'}
    shortcut="M"
    onClick={turn}
  />
)

const Camera = ({ on, pending, turn }: OnOff) => (
  <BarButton
    tone={on ? 'plain' : 'off'}
    icon={on ? Video : VideoOff}
    word="Cámara"
    label={on ? 'Apagar cámara' : 'Encender cámara'}
    shortcut="V"
    pending={pending}
    onClick={turn}
  />
)

const Screen = ({ on, pending, turn }: OnOff) => (
  <BarButton
    tone={on ? 'on' : 'plain'}
    icon={on ? MonitorX : MonitorUp}
    word={on ? 'Dejar' : 'Compartir'}
    label={on ? 'Dejar de compartir' : 'Compartir pantalla'}
    shortcut="S"
    pending={pending}
    onClick={turn}
  />
)

const ChatButton = ({ panel }: { panel: Panel }) => (
  <BarButton
    id={chatButtonId}
    tone={panel.open === 'chat' ? 'on' : 'plain'}
    icon={MessageCircle}
    word="Chat"
    label={panel.unread ? `Chat, ${panel.unread} sin leer` : 'Chat'}
    count={panel.unread}
    expanded={panel.open === 'chat'}
    shortcut="C"
    onClick={() => panel.toggle('chat')}
  />
)
