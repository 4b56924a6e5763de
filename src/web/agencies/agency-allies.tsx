import { Link } from 'react-router'
import { Card } from '../ui/card.tsx'

type Ally = { id: string; name: string; active: boolean }

/** Who sells for an agency. */
export function AgencyAllies({ allies }: { allies: readonly Ally[] }) {
  return (
    <Card title="Aliados">
      {allies.length === 0 ? (
        <p className="text-[0.9375rem] text-mute">Nadie tiene cuenta de esta concesionaria.</p>
      ) : (
        <ul className="grid gap-1">
          {allies.map(({ id, name, active }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-3">
              <Link
                to={`/admin/users/${id}`}
                className="flex min-h-11 min-w-0 items-center font-semibold wrap-anywhere text-brand underline underline-offset-2"
              >
                {name}
              </Link>
              {!active && <span className="text-sm text-mute">Inactiva</span>}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
