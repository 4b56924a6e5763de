import { type ComponentProps, lazy, Suspense } from 'react'
import { Help } from '../../kit/help.tsx'
import { Alert } from '../../ui/alert.tsx'
import { useHydrated } from '../../ui/hydrated.ts'
import { LobbyHeader } from './lobby-header.tsx'
import type { CallRoomProps } from './room/props.ts'

/** All that needs a browser is loaded apart: other screens of the same route don't load it. */
const CallScreens = lazy(() => import('./room/call-screens.tsx'))

/** A call, from before one enters to after one left: alone on its screen, without a menu beside it. */
export function CallRoom(props: CallRoomProps) {
  const isTakenOver = useHydrated()
  return (
    <div data-call="page" className="grid gap-5">
      {isTakenOver ? (
        <Suspense fallback={<FirstPicture {...props} />}>
          <CallScreens {...props} key={props.entry.appointmentId} />
        </Suspense>
      ) : (
        <FirstPicture {...props} />
      )}
    </div>
  )
}

/** What the server renders; a call itself can't work without JavaScript. */
function FirstPicture({ entry, backTo, noWay }: ComponentProps<typeof CallRoom>) {
  return (
    <>
      <LobbyHeader entry={entry} backTo={backTo} />
      <noscript>
        <div className="grid max-w-xl gap-4">
          <Alert tone="info" title="La videollamada necesita JavaScript">
            Actívalo en tu navegador, o abre esta página en otro.{' '}
            {entry.side === 'customer'
              ? 'También puedes hablar con nosotros así:'
              : 'También puedes hacerla por teléfono, desde su cita.'}
          </Alert>
          {entry.side === 'customer' && (
            <Help about={`Hola, no puedo entrar a mi videollamada ${entry.folio}`} />
          )}
          {noWay}
        </div>
      </noscript>
      <div aria-hidden className="aspect-video w-full max-w-3xl rounded-card bg-hover noscript:hidden" />
    </>
  )
}
