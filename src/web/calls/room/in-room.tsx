import { type RefObject, useRef, useState } from 'react'
import { PageTitle } from '../../ui/page-title.tsx'
import type { OnCall } from '../call-on.tsx'
import { CallStage } from './call-stage.tsx'
import { ControlBar } from './control-bar.tsx'
import { DevicesDialog } from './devices-dialog.tsx'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'
import { SidePanel } from './side-panel.tsx'
import { TroubleDialog } from './trouble-dialog.tsx'
import { moreButtonId, usePanel } from './use-panel.ts'
import { useShortcuts } from './use-shortcuts.ts'
import { useSwitches } from './use-switches.ts'
import { useVisibleHeight } from './use-visible-height.ts'
import { WaitingStage } from './waiting-stage.tsx'

/** What opens over the room. */
export type RoomDialog = 'devices' | 'shortcuts' | 'trouble'
/** How each of them closes, and what gets the focus then. */
export type Closing = { onClose: () => void; focusAfter: () => HTMLElement | null }

/** In the room, alone or together: what one sees, what goes beside it, and the bar. They stay in place between the two. */
export function InRoom(props: OnCall) {
  const { state, entry, aside } = props
  const isTalking = state.phase === 'talking'
  const frame = useRef<HTMLDivElement>(null)
  const video = useRef<HTMLVideoElement>(null)
  const panel = usePanel({ ...entry, aside: aside !== undefined, chat: state.chat })
  const { dialog, open, closing } = useDialog(frame)
  const switches = useSwitches(props, () => open('trouble'))
  const letters = useShortcuts({
    ...{
      mute: switches.audio.turn,
      camera: switches.video.turn,
      screen: isTalking || switches.screen.on ? switches.screen.turn : () => {},
    },
    ...{ chat: () => panel.toggle('chat'), close: panel.close, list: () => open('shortcuts') },
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
      <ControlBar {...{ ...props, switches, panel, video, onDialog: open }} />
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
