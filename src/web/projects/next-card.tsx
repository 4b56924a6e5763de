import { ChevronRight } from 'lucide-react'
import { Fragment } from 'react'
import { Link } from 'react-router'
import { serviceFacts } from '../../domain/appointments/appointment.ts'
import { appointmentPath } from '../../domain/appointments/appointment-path.ts'
import { municipalityLabel } from '../../domain/shared/places.ts'
import type { NextOwn } from '../../server/appointments/next-own.ts'
import { StateBadge } from '../appointments/state-badge.tsx'
import { cardClass } from '../ui/card.tsx'

/** What somebody carries out next: the whole card leads to it. */
export const NextCard = ({
  id,
  service,
  state,
  customer,
  municipality,
  when,
}: NextOwn & { when: string }) => (
  <Link
    to={appointmentPath('pending', { id, service })}
    prefetch="intent"
    className={`${cardClass} flex items-center justify-between gap-4 p-4 text-ink no-underline hover:bg-hover sm:p-5`}
  >
    <span className="grid gap-1">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-mute">
        {service === 'videocall' ? 'Tu próxima llamada' : 'Lo que sigue'}
        <StateBadge state={state} service={service} />
      </span>
      <span className="text-xl font-semibold first-letter:uppercase">
        {when.split(', ').map((part, n) => (
          <Fragment key={part}>
            {n > 0 && ', '}
            <span className="whitespace-nowrap">{part}</span>
          </Fragment>
        ))}
      </span>
      <span className="wrap-anywhere">
        {[customer, serviceFacts[service].label, municipality && municipalityLabel(municipality)]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </span>
    <ChevronRight aria-hidden className="size-6 shrink-0 text-mute" />
  </Link>
)
