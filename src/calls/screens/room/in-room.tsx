import { X } from 'lucide-react'
import * as Tabs from 'radix-ui/tabs'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { DialogWindow } from '../../../ui/dialog-window.tsx'
import { PageTitle } from '../../../ui/page-header.tsx'
import { singleKeysAct, switchSingleKeys } from '../../../ui/single-keys.ts'
import type { MediaProblem } from '../rtc/call-state.ts'
import { CallStage } from './call-stage.tsx'
import { Chat } from './chat.tsx'
import { ControlBar, type RoomDialog } from './control-bar.tsx'
import { DeviceFields, MicrophoneLevel } from './device-fields.tsx'
import { MediaTrouble } from './media-trouble.tsx'
import type { OnCall } from './props.ts'
import { moreButtonId, type Panel, type PanelTab, panelId, usePanel, useSwitches } from './use-panel.ts'
import { WaitingStage } from './waiting-stage.tsx'

/** How each of them closes, and what gets the focus then. */
type Closing = { onClose: () => void; focusAfter: () => HTMLElement | null }

/** In the room, alone or together: the picture, the panel and the bar. They stay in place between the two. */
export function InRoom(props: OnCall) {
  const { state, entry, aside } = props
  const isTalking = state.phase === 'talking'
  const frame = useRef<HTMLDivElement>(null)
  const video = useRef<HTMLVideoElement>(null)
  const panel = usePanel({ ...entry, aside: aside !== undefined, chat: state.chat })
  const { dialog, open, closing } = useDialog(frame)
  const switches = useSwitches(props, () => open('trouble'))
  const letters = useShortcuts({
    mute: switches.audio.turn,
    camera: switches.video.turn,
    screen: isTalking || switches.screen.on ? switches.screen.turn : () => {},
    chat: () => panel.toggle('chat'),
    close: panel.close,
    list: () => open('shortcuts'),
  })
  useVisibleHeight(frame)
  return (
    <div
      ref={frame}
      data-call="room"
      data-call-link={state.link}
      className="fixed inset-x-0 top-0 z-30 flex h-dvh flex-col bg-canvas"
    >
      <PageTitle>{isTalking ? `Llamada con ${entry.peerName}` : 'Sala de espera'}</PageTitle>
      <p role="status" className="sr-only">
        {panel.unread > 0 && <span key={panel.unread}>{entry.peerName} te escribió</span>}
      </p>
      <div className="relative flex min-h-0 flex-1">
        {isTalking ? (
          <CallStage {...props} video={video} onChat={() => panel.show('chat')} />
        ) : (
          <WaitingStage {...props} />
        )}
        <SidePanel {...props} panel={panel} />
      </div>
      <ControlBar {...props} switches={switches} panel={panel} video={video} onDialog={open} />
      {dialog === 'devices' && <DevicesDialog {...props} {...closing} />}
      {dialog === 'trouble' && state.problem && <TroubleDialog problem={state.problem} {...closing} />}
      {dialog === 'shortcuts' && <ShortcutsDialog letters={letters} {...closing} />}
    </div>
  )
}

/** Which dialog is open. What had the focus gets it back; an entry of the menu is gone by then. */
function useDialog(frame: RefObject<HTMLElement | null>) {
  const [dialog, setDialog] = useState<RoomDialog | null>(null)
  const before = useRef<HTMLElement | null>(null)
  return {
    dialog,
    open: (wanted: RoomDialog) => {
      before.current = frame.current?.querySelector<HTMLElement>(':focus') ?? null
      setDialog(wanted)
    },
    closing: {
      onClose: () => setDialog(null),
      focusAfter: () => before.current ?? document.getElementById(moreButtonId),
    },
  }
}

type TroubleDialogProps = Closing & { problem: MediaProblem }

/** Why what was just turned on stays off. */
const TroubleDialog = ({ problem, ...closing }: TroubleDialogProps) => (
  <DialogWindow title="Sigue apagado" {...closing}>
    <MediaTrouble problem={problem} />
  </DialogWindow>
)

/** Changes camera, microphone or speaker while one talks. */
function DevicesDialog({ call, state, devices, onDevices, onClose, focusAfter }: OnCall & Closing) {
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

/**
 * Keeps a frame as high as what a phone's keyboard leaves to see; browsers lay it out behind the keyboard otherwise.
 */
function useVisibleHeight(frame: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const seen = window.visualViewport
    if (!seen) return
    const fit = () => {
      const isCovered = seen.scale === 1 && innerHeight - seen.height > 100
      const style = frame.current?.style
      style?.setProperty('height', isCovered ? `${seen.height}px` : '')
      style?.setProperty('top', isCovered ? `${seen.offsetTop}px` : '')
    }
    seen.addEventListener('resize', fit)
    seen.addEventListener('scroll', fit)
    return () => {
      seen.removeEventListener('resize', fit)
      seen.removeEventListener('scroll', fit)
    }
  }, [frame])
}

/** The keys of a call, and a way to turn their letters off. */
const ShortcutsDialog = ({ letters, ...closing }: Closing & { letters: Letters }) => (
  <DialogWindow title="Atajos de teclado" {...closing}>
    <dl className="grid gap-2.5">
      {Object.values(shortcuts).map(({ key, label }) => (
        <div key={key} className="flex items-center justify-between gap-4">
          <dt>{label}</dt>
          <dd>
            <kbd className="grid h-8 min-w-8 place-items-center rounded-control border border-edge px-2 font-sans text-sm font-semibold">
              {key}
            </kbd>
          </dd>
        </div>
      ))}
    </dl>
    <label className="flex min-h-11 items-center gap-3 border-t border-line pt-3">
      <input
        type="checkbox"
        checked={letters.on}
        onChange={({ currentTarget }) => letters.set(currentTarget.checked)}
        className="size-5 shrink-0 accent-brand"
      />
      Usar atajos de una sola tecla en este equipo
    </label>
  </DialogWindow>
)

/** Whether letter keys act: a user who dictates to the computer, or hits keys by accident, turns them off. */
type Letters = { on: boolean; set: (on: boolean) => void }

/** Listens to the keys of a call as long as its screen is there. */
function useShortcuts(actions: Record<Shortcut, () => void>): Letters {
  const [on, setOn] = useState(singleKeysAct)
  const latest = useRef({ actions, on })
  latest.current = { actions, on }
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return
      const shortcut = shortcutOf(event, placeOf(event.target), latest.current.on)
      if (!shortcut) return
      if (shortcut !== 'close') event.preventDefault()
      latest.current.actions[shortcut]()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return {
    on,
    set: (wanted) => {
      switchSingleKeys(wanted)
      setOn(wanted)
    },
  }
}

const fields = 'input, textarea, select, [contenteditable="true"]'

function placeOf(target: EventTarget | null): PressedIn {
  if (!(target instanceof Element)) return 'page'
  if (target.closest('[role="dialog"], [role="menu"]')) return 'dialog'
  return target.matches(fields) ? 'field' : 'page'
}

/** The keys of a call, as its list shows them. */
export const shortcuts = {
  mute: { key: 'M', label: 'Silenciar o activar tu micrófono' },
  camera: { key: 'V', label: 'Encender o apagar tu cámara' },
  screen: { key: 'S', label: 'Compartir tu pantalla o dejar de hacerlo' },
  chat: { key: 'C', label: 'Abrir o cerrar el chat' },
  close: { key: 'Esc', label: 'Cerrar el panel' },
  list: { key: '?', label: 'Ver esta lista' },
} as const satisfies Record<string, { key: string; label: string }>
export type Shortcut = keyof typeof shortcuts

const byKey: Record<string, Shortcut> = {
  m: 'mute',
  v: 'camera',
  s: 'screen',
  c: 'chat',
  '?': 'list',
}

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'repeat'>

/** Where a key was pressed: a field takes letters itself, a dialog or a menu takes every key. */
type PressedIn = 'page' | 'field' | 'dialog'

/** What a key does; null when the key is not ours. `letters` is off for users who turned the letters off. */
export function shortcutOf(pressed: Pressed, place: PressedIn, letters: boolean): Shortcut | null {
  if (place === 'dialog' || pressed.repeat || pressed.ctrlKey || pressed.metaKey || pressed.altKey)
    return null
  if (pressed.key === 'Escape') return 'close'
  if (place === 'field' || !letters) return null
  return byKey[pressed.key.toLowerCase()] ?? null
}

const tabClass =
  'min-h-12 border-b-2 border-transparent px-3 font-medium text-mute hover:text-ink data-[state=active]:border-brand data-[state=active]:text-ink'
const contentClass = 'min-h-0 flex-1 data-[state=inactive]:hidden'

/** Chat, and what the analyst has beside it. Closed, it keeps what was typed in it. */
function SidePanel({ panel, ...props }: OnCall & { panel: Panel }) {
  const { aside } = props
  return (
    <Tabs.Root
      id={panelId}
      tabIndex={-1}
      value={panel.open ?? ''}
      onValueChange={(tab) => panel.show(tab as PanelTab)}
      className={classNames(
        'z-10 flex-col border-line bg-card outline-none',
        'max-sm:absolute max-sm:inset-x-0 max-sm:top-[28%] max-sm:bottom-0 max-sm:rounded-t-2xl max-sm:border-t max-sm:shadow-float',
        'sm:w-80 sm:border-l lg:w-96',
        panel.open ? 'flex' : 'hidden',
      )}
    >
      <div className="flex items-center border-b border-line px-2">
        <Tabs.List aria-label="Junto a la llamada" className="-mb-px flex flex-1">
          <Tabs.Trigger value="chat" className={tabClass}>
            Chat
          </Tabs.Trigger>
          {aside && (
            <Tabs.Trigger value="aside" className={tabClass}>
              {aside.label}
            </Tabs.Trigger>
          )}
        </Tabs.List>
        <button
          type="button"
          aria-label="Cerrar el panel"
          onClick={panel.close}
          className="grid size-11 place-items-center rounded-control text-mute hover:bg-hover hover:text-ink"
        >
          <X aria-hidden className="size-5" />
        </button>
      </div>
      <Tabs.Content forceMount value="chat" className={classNames(contentClass, 'flex')}>
        <Chat {...props} />
      </Tabs.Content>
      {aside && (
        <Tabs.Content
          forceMount
          value="aside"
          className={classNames(contentClass, 'scroll-pt-10 overflow-y-auto p-4')}
        >
          {aside.panel}
        </Tabs.Content>
      )}
    </Tabs.Root>
  )
}
