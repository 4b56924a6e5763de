import { theTime } from '../../shared/format.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import type { CallEntry } from '../queries.ts'

type LobbyHeaderProps = { entry: CallEntry; backTo: string; title?: string }

/** Whom one talks to and when, above what comes before and after a call. */
export const LobbyHeader = ({ entry, backTo, title = 'Antes de entrar' }: LobbyHeaderProps) => (
  <PageHeader
    title={title}
    subtitle={
      <>
        Con {entry.peerName}, a {theTime(entry.startsAt)}{' '}
        <span className="whitespace-nowrap">({entry.folio})</span>
      </>
    }
    back={{ to: backTo, label: 'Volver' }}
  />
)
