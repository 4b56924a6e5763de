import { CloudOff, Inbox, LogIn, RefreshCw } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useLocation, useMatches } from 'react-router'
import { CallOffice } from '../reports/call-office.tsx'
import { holdWords } from '../reports/outbox-items.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { isLost, lookForServer, watchNetwork } from './network.ts'
import { OutboxBadge } from './outbox-badge.tsx'
import { useHeldForms } from './use-held-forms.ts'
import { useOutbox } from './use-outbox.ts'
import { type Ahead, newVersion, startWorker, takeOver, watchVersion } from './worker.ts'

/** Above a technician's screens: that there is no network, and that there is a newer version. */
export default function OnsiteStrip({ personId }: { personId: string }): ReactNode {
  const lost = useSyncExternalStore(watchNetwork, isLost, () => false)
  const version = useSyncExternalStore(watchVersion, newVersion, () => null)
  const { phone, state } = useOutbox(personId)
  useWorker(personId)
  useHeldForms(phone)
  return (
    <div role="status" className="empty:hidden">
      {phone && <OutboxBadge phone={phone} state={state} />}
      {state.hold === 'signed-out' && (
        <div className={`${lineClass} bg-wait-soft`}>
          <LogIn aria-hidden className="size-5 shrink-0 text-wait" />
          <span className="mr-auto">{holdWords['signed-out']}</span>
          <a className={buttonClass('ghost')} href="/signin">
            Entrar
          </a>
        </div>
      )}
      {lost && (
        <p className={`${lineClass} bg-info-soft text-info`}>
          <CloudOff aria-hidden className="size-5 shrink-0" />
          Sin red. Lo que hagas se guarda en tu teléfono.
        </p>
      )}
      {phone && state.claimed.length > 0 && (
        <div className={`${lineClass} flex-wrap bg-wait-soft`}>
          <Inbox aria-hidden className="size-5 shrink-0 text-wait" />
          <span className="mr-auto">
            {state.claimed.join(', ')}: la oficina la cambió mientras la hacías. Tu entrega llegó y la
            gerencia decide si se reabre.
          </span>
          <CallOffice />
          <Button variant="ghost" onClick={() => phone.state.set({ claimed: [] })}>
            Entendido
          </Button>
        </div>
      )}
      {version && (
        <div className={`${lineClass} bg-brand-soft`}>
          <RefreshCw aria-hidden className="size-5 shrink-0 text-brand" />
          <span className="mr-auto">Hay una versión nueva</span>
          <Button variant="ghost" onClick={takeOver}>
            Actualizar
          </Button>
        </div>
      )}
    </div>
  )
}

const lineClass = 'flex items-center gap-3 px-4 py-2.5 text-[0.9375rem] lg:px-8'

/** The service worker, and the day fetched ahead with each screen and after every change that came by itself. */
function useWorker(personId: string) {
  const { key } = useLocation()
  const data = useMatches().at(-1)?.loaderData
  const [ahead, setAhead] = useState<Ahead | null>(null)
  const at = useRef<string>(null)
  useEffect(() => lookForServer(), [])
  useEffect(() => {
    const started = startWorker(personId)
    void started.then(setAhead)
    return () => void started.then((ended) => ended?.stop())
  }, [personId])
  // biome-ignore lint/correctness/useExhaustiveDependencies: new data at the same address is a change.
  useEffect(() => {
    if (!ahead) return
    ahead.ask(at.current === key)
    at.current = key
  }, [ahead, key, data])
}
