import { Link } from 'react-router'
import { dateTime } from '../../domain/shared/format.ts'
import { Alert } from '../ui/alert.tsx'
import { buttonClass } from '../ui/button.tsx'

type NearestSlotsProps = { details: unknown; linkTo: (start: string) => string }

/** The free slots nearest to one that somebody else just took; nothing when the answer named none. */
export function NearestSlots({ details, linkTo }: NearestSlotsProps) {
  const nearest =
    typeof details === 'object' && details && 'nearest' in details ? (details.nearest as string[]) : []
  if (nearest.length === 0) return null
  return (
    <Alert
      tone="info"
      title="Estos están libres y son los más cercanos"
      actions={nearest.map((start) => (
        <Link key={start} to={linkTo(start)} preventScrollReset className={buttonClass('ghost')}>
          {dateTime(new Date(start))}
        </Link>
      ))}
    />
  )
}
