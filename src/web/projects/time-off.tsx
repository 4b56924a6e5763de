import { Link } from 'react-router'
import { Card } from '../ui/card.tsx'
import type { Blocks } from './staff-loader.ts'

/** The time off that waits for the manager, each the way to the person's page, where it is answered. */
export function TimeOff({ requests }: { requests: NonNullable<Blocks['timeOff']> }) {
  return (
    <Card id="permisos" title="Permisos por aprobar" className="scroll-mt-4">
      {requests.length === 0 && <p className="text-mute">Nadie espera tu respuesta.</p>}
      <ul className="grid divide-y divide-line">
        {requests.map(({ id, personId, person, when, reason }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
            <p>
              {person}: {when}
              {reason && <span className="block text-sm text-mute">{reason}</span>}
            </p>
            <Link to={`/admin/users/${personId}`} className="flex min-h-11 items-center">
              Responder <span className="sr-only">a {person}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
