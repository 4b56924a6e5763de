import { LoaderCircle } from 'lucide-react'
import type { OnCall } from './call-on.tsx'
import { LobbyHeader } from './lobby-header.tsx'

/** Between a reload and being in the room again. */
export const Returning = ({ entry, backTo }: OnCall) => (
  <>
    <LobbyHeader entry={entry} backTo={backTo} title="Volviendo a la llamada" />
    <p role="status" className="flex items-center gap-2 text-mute">
      <LoaderCircle aria-hidden className="size-5 animate-spin" />
      Guardamos tu lugar. Un momento…
    </p>
  </>
)
