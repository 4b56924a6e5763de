import { CloudAlert, CloudCheck, CloudUpload } from 'lucide-react'
import { type ComponentType, lazy, Suspense, useState } from 'react'
import { createPortal } from 'react-dom'
import { outboxPlaceId } from '../app/layouts/top-bar.tsx'
import { holdWords, itemsOf } from '../reports/outbox-items.ts'
import type { Phone } from '../reports/phone.ts'
import { Button } from '../ui/button.tsx'
import type { OutboxPanelProps } from './outbox-panel.tsx'
import type { PhoneState } from './phone-state.ts'
import { discard, retry } from './written.ts'

const OutboxPanel = lazy(
  (): Promise<{ default: ComponentType<OutboxPanelProps> }> =>
    import('./outbox-panel.tsx').then(
      (panel) => ({ default: panel.OutboxPanel }),
      () => ({ default: NotNow }),
    ),
)

/** Beside the account: how much waits to be sent. It opens what it is. */
export function OutboxBadge({ phone, state }: { phone: Phone; state: PhoneState }) {
  const [openedAt, setOpenedAt] = useState<Date | null>(null)
  const place = document.getElementById(outboxPlaceId)
  const items = itemsOf(state)
  const isBad = state.hold !== null || items.some(({ status }) => status === 'refused' || status === 'choose')
  const Icon = items.length === 0 ? CloudCheck : isBad ? CloudAlert : CloudUpload
  const words = items.length === 0 ? 'Nada por enviar' : `${items.length} por enviar`
  const open = () => setOpenedAt(new Date())
  const button = (
    <button
      type="button"
      data-outbox
      onClick={open}
      className={`flex h-11 min-w-11 items-center justify-center gap-1.5 rounded-control px-2 text-sm font-semibold hover:bg-hover ${isBad ? 'text-bad' : 'text-mute'}`}
    >
      <Icon aria-hidden className="size-5.5" />
      {items.length > 0 && <span aria-hidden>{items.length}</span>}
      <span className="sr-only">{words}</span>
    </button>
  )
  return (
    <>
      {place && createPortal(button, place)}
      {items.length > 0 && (
        <div className="flex items-center gap-3 bg-wait-soft px-8 py-2.5 text-[0.9375rem] max-lg:hidden">
          <Icon aria-hidden className="size-5 shrink-0 text-wait" />
          <span className="mr-auto">{words}</span>
          <Button variant="ghost" onClick={open}>
            Ver
          </Button>
        </div>
      )}
      {openedAt && (
        <Suspense>
          <OutboxPanel
            {...{ items, now: openedAt, held: state.hold && holdWords[state.hold] }}
            onRetry={(id) => void retry(phone, id)}
            onDiscard={(id) => void discard(phone, id)}
            onClose={() => setOpenedAt(null)}
          />
        </Suspense>
      )}
    </>
  )
}

/** Where the network is gone before this phone keeps the whole app. */
const NotNow = () => (
  <p role="status" className="bg-info-soft px-4 py-2.5 text-[0.9375rem] text-info lg:px-8">
    No pudimos abrir la lista. Lo que falta por enviar está guardado en tu teléfono.
  </p>
)
