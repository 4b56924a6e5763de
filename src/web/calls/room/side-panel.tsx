import { X } from 'lucide-react'
import * as Tabs from 'radix-ui/tabs'
import { classNames } from '../../ui/class-names.ts'
import type { OnCall } from '../call-on.tsx'
import { Chat } from './chat.tsx'
import { type Panel, type PanelTab, panelId } from './use-panel.ts'

const tabClass =
  'min-h-12 border-b-2 border-transparent px-3 font-medium text-mute hover:text-ink data-[state=active]:border-brand data-[state=active]:text-ink'
const contentClass = 'min-h-0 flex-1 data-[state=inactive]:hidden'

/** Chat, and what the analyst has beside it. Closed, it keeps what was typed in it. */
export function SidePanel({ panel, ...props }: OnCall & { panel: Panel }) {
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
