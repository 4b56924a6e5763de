import {
  Ellipsis,
  Keyboard,
  LogOut,
  type LucideIcon,
  Maximize,
  MessageCircle,
  Mic,
  MicOff,
  Minimize,
  MonitorUp,
  MonitorX,
  NotebookPen,
  PictureInPicture2,
  Settings2,
  Video,
  VideoOff,
} from 'lucide-react'
import * as Menu from 'radix-ui/dropdown-menu'
import { type ComponentProps, type RefObject, useEffect, useRef, useState } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import type { OnCall } from './props.ts'
import {
  chatButtonId,
  moreButtonId,
  type OnOff,
  type Panel,
  type Switches,
  sharesScreen,
} from './use-panel.ts'

type ControlBarProps = OnCall & {
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

/** What is needed now and then. What this browser can't do is left out. */
function MoreMenu({ aside, state, panel, video, onDialog }: ControlBarProps) {
  const isFull = useFullScreen()
  const entersPanel = useRef(false)
  const showAside = () => {
    entersPanel.current = true
    panel.show('aside')
  }
  const hasPicture = state.phase === 'talking' && state.way !== 'no_way'
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger asChild>
        <BarButton id={moreButtonId} tone="plain" icon={Ellipsis} word="Más" label="Más opciones" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Content
          side="top"
          sideOffset={8}
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            // The panel has the focus, or gets it with the next frame.
            if (entersPanel.current) event.preventDefault()
            entersPanel.current = false
          }}
          className="z-40 grid min-w-60 rounded-card border border-line bg-card p-1.5 shadow-float data-[state=open]:animate-fade"
        >
          {aside && <Item icon={NotebookPen} onSelect={showAside} label={aside.label} />}
          <Item icon={Settings2} onSelect={() => onDialog('devices')} label="Cámara, micrófono y bocina" />
          {hasPicture && document.pictureInPictureEnabled && (
            <Item
              icon={PictureInPicture2}
              onSelect={() => floatOrNot(video.current)}
              label="Imagen flotante"
            />
          )}
          {document.fullscreenEnabled && (
            <Item
              icon={isFull ? Minimize : Maximize}
              onSelect={fillOrNot}
              label={isFull ? 'Salir de pantalla completa' : 'Pantalla completa'}
            />
          )}
          <Item
            icon={Keyboard}
            onSelect={() => onDialog('shortcuts')}
            label="Atajos de teclado (?)"
            className="pointer-coarse:hidden"
          />
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  )
}

type ItemProps = { icon: LucideIcon; label: string; onSelect: () => void; className?: string }

const Item = ({ className, icon: Icon, label, onSelect }: ItemProps) => (
  <Menu.Item
    onSelect={onSelect}
    className={classNames(
      'flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 -outline-offset-2 select-none data-highlighted:bg-hover',
      className,
    )}
  >
    <Icon aria-hidden className="size-5 text-mute" />
    {label}
  </Menu.Item>
)

// The browser may refuse either; then the picture stays where it is.
const floatOrNot = (video: HTMLVideoElement | null) =>
  void (
    document.pictureInPictureElement
      ? document.exitPictureInPicture()
      : (video?.requestPictureInPicture() ?? Promise.resolve())
  ).catch(() => {})

// The whole document: menus and dialogs over the call are at its end.
const fillOrNot = () =>
  void (
    document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()
  ).catch(() => {})

function useFullScreen(): boolean {
  const [isFull, setIsFull] = useState(() => document.fullscreenElement !== null)
  useEffect(() => {
    const look = () => setIsFull(document.fullscreenElement !== null)
    document.addEventListener('fullscreenchange', look)
    return () => document.removeEventListener('fullscreenchange', look)
  }, [])
  return isFull
}

type BarTone = 'plain' | 'on' | 'off' | 'bad'

const tones: Record<BarTone, string> = {
  plain: 'text-ink hover:bg-hover',
  on: 'bg-brand-soft text-brand',
  off: 'bg-bad-soft text-bad',
  bad: 'hang-up',
}

type BarButtonProps = Omit<ComponentProps<'button'>, 'children'> & {
  tone: BarTone
  icon: LucideIcon
  /** One word under the icon; `label` says it in full and holds that word. */
  word: string
  label: string
  shortcut?: string
  count?: number
  expanded?: boolean
  pending?: boolean
}

/** A button of the bar of a call. */
function BarButton({ tone, icon: Icon, word, label, className, ...more }: BarButtonProps) {
  const { shortcut, count = 0, expanded, pending, ...rest } = more
  return (
    <button
      type="button"
      aria-label={label}
      aria-keyshortcuts={shortcut}
      aria-expanded={expanded}
      aria-busy={pending || undefined}
      title={shortcut ? `${label} (${shortcut})` : label}
      {...rest}
      className={classNames(
        'relative grid min-h-13 w-[3.4rem] content-center justify-items-center gap-0.5 rounded-control sm:w-20 short:min-h-11',
        tones[tone],
        className,
      )}
    >
      <Icon aria-hidden className={classNames('size-5.5', pending && 'animate-pulse')} />
      <span aria-hidden className="text-[0.6875rem]/4 font-medium sm:text-xs/4">
        {word}
      </span>
      {count > 0 && (
        <span
          aria-hidden
          className="absolute top-0.5 right-1 grid h-5 min-w-5 place-items-center rounded-full bg-brand px-1 text-xs font-semibold text-on-brand"
        >
          {count > 9 ? '9+' : count}
        </span>
      )}
    </button>
  )
}

/** What opens over the room. */
export type RoomDialog = 'devices' | 'shortcuts' | 'trouble'
