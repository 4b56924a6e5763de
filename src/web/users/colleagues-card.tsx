import { Link } from 'react-router'
import { calledBy, type User } from '../../domain/users/user.ts'
import { Card } from '../ui/card.tsx'

type ColleaguesCardProps = { agency: string | null; colleagues: readonly User[] }

/** The other allies of an ally's agency. */
export function ColleaguesCard({ agency, colleagues }: ColleaguesCardProps) {
  return (
    <Card title={agency ? `También de ${agency}` : 'De la misma concesionaria'}>
      <ul className="grid gap-1">
        {colleagues.map((colleague) => (
          <li key={colleague.uid}>
            <Link to={`/admin/users/${colleague.uid}`} prefetch="intent">
              {calledBy(colleague)}
            </Link>
            {!colleague.active && <span className="text-mute"> (inactiva)</span>}
          </li>
        ))}
      </ul>
    </Card>
  )
}
