import {
  Ellipsis,
  Keyboard,
  type LucideIcon,
  Maximize,
  Minimize,
  NotebookPen,
  PictureInPicture2,
  Settings2,
} from 'lucide-react'
import * as Menu from 'radix-ui/dropdown-menu'
import { useEffect, useRef, useState } from 'react'
import { BarButton } from './bar-button.tsx'
import type { ControlBarProps } from './control-bar.tsx'
import { moreButtonId } from './use-panel.ts'

/** What is needed now and then. What this browser can't do is left out. */
export function MoreMenu({ aside, state, panel, video, onDialog }: ControlBarProps) {
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
            // The panel has it, or gets it with the next frame.
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
          <Item icon={Keyboard} onSelect={() => onDialog('shortcuts')} label="Atajos de teclado (?)" />
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  )
}

type ItemProps = { icon: LucideIcon; label: string; onSelect: () => void }

const Item = ({ icon: Icon, label, onSelect }: ItemProps) => (
  <Menu.Item
    onSelect={onSelect}
    className="flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 -outline-offset-2 select-none data-highlighted:bg-hover"
  >
    <Icon aria-hidden className="size-5 text-mute" />
    {label}
  </Menu.Item>
)

// The browser may refuse either, and then the picture stays where it is.
const floatOrNot = (video: HTMLVideoElement | null) =>
  void (
    document.pictureInPictureElement
      ? document.exitPictureInPicture()
      : (video?.requestPictureInPicture() ?? Promise.resolve())
  ).catch(() => {})

// The whole document: what opens over the call (menus, dialogs) hangs at its end.
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
