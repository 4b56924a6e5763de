import { Inbox, LogIn, RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { endedParam, endedValue } from '../accounts/rules/paths.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import type { OfflineStore } from './outbox/offline-store.ts'
import { holdWords } from './outbox/outbox-items.ts'
import type { PhoneState } from './outbox/phone-state.ts'
import { CallOffice } from './outbox/refused.tsx'
import { activateNewVersion } from './worker.ts'

type StripNoticesProps = { phone: OfflineStore; state: PhoneState; hasVersion: boolean; lineClass: string }

/** What is seldom to be said above a technician's screens: sign in, what was claimed, a newer version. */
export default function StripNotices({ phone, state, hasVersion, lineClass }: StripNoticesProps): ReactNode {
  return (
    <>
      {state.hold === 'signed-out' && (
        <div className={`${lineClass} bg-wait-soft`}>
          <LogIn aria-hidden className="size-5 shrink-0 text-wait" />
          <span className="mr-auto">{holdWords['signed-out']}</span>
          <a className={buttonClass('ghost')} href={`/signin?${endedParam}=${endedValue}`}>
            Entrar
          </a>
        </div>
      )}
      {state.claimed.length > 0 && (
        <div className={`${lineClass} flex-wrap bg-wait-soft`}>
          <Inbox aria-hidden className="size-5 shrink-0 text-wait" />
          <span className="mr-auto">
            {state.claimed.join(', ')}: la oficina la cambió mientras la hacías. Lo que enviaste llegó y la
            gerencia decide qué sigue.
          </span>
          <CallOffice />
          <Button variant="ghost" onClick={() => phone.state.set({ claimed: [] })}>
            Entendido
          </Button>
        </div>
      )}
      {hasVersion && (
        <div className={`${lineClass} bg-brand-soft`}>
          <RefreshCw aria-hidden className="size-5 shrink-0 text-brand" />
          <span className="mr-auto">Hay una versión nueva</span>
          <Button variant="ghost" onClick={activateNewVersion}>
            Actualizar
          </Button>
        </div>
      )}
    </>
  )
}
