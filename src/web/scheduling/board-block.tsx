import { type LucideIcon, Plug, Ruler, Video } from 'lucide-react'
import { Link } from 'react-router'
import {
  type AppointmentState,
  isActive,
  type Service,
  serviceFacts,
  stateFacts,
} from '../../domain/appointments/appointment.ts'
import { type BoardVisit, isMovable } from '../../domain/scheduling/board.ts'
import { noZone, type Span } from '../../domain/scheduling/roster.ts'
import { minuteHands, minuteTime } from '../../domain/shared/format.ts'
import { municipalities } from '../../domain/shared/places.ts'
import { classNames } from '../ui/class-names.ts'
import { SheetIcon } from '../ui/icon-sheet.tsx'
import { placed, placeOf } from './place.ts'
import type { Moving } from './use-moving.ts'

const serviceIcons: Record<Service, LucideIcon> = {
  technical_visit: Ruler,
  installation: Plug,
  videocall: Video,
}

/** A dashed edge is what is not settled yet. */
const looks: Record<AppointmentState, string> = {
  requested: 'border-dashed border-wait bg-card text-wait',
  assigned: 'border-brand/40 bg-brand-soft text-brand',
  en_route: 'border-info/40 bg-info-soft text-info',
  in_progress: 'border-info/40 bg-info-soft text-info',
  paused: 'border-wait/40 bg-wait-soft text-wait',
  done: 'border-line bg-hover text-mute',
  cancelled: 'border-line bg-hover text-mute',
  no_show: 'border-bad/40 bg-bad-soft text-bad',
}

/** The screen of an appointment, as its state has it. */
export const pageOf = ({ id, state }: Pick<BoardVisit, 'id' | 'state'>) =>
  isMovable({ state })
    ? `/admin/assignations/${id}`
    : `/admin/appointments-${isActive(state) ? 'pending' : 'done'}/${id}`

const zoneName = (zone: number) => municipalities[zone]?.label ?? ''

/** From so many minutes on, a block has room for the name of its service. */
const wide = 120

/** Below so many minutes a block shows when it starts, and icons for the service and the state. */
const roomy = 45

/** Its words stay for whoever hears the page. */
const onlyIcon = 'lg:min-h-4.5 lg:justify-center lg:*:[span]:sr-only'

type BlockProps = { visit: BoardVisit; hours: Span; faded: boolean; moving: Moving }

/** An appointment of the board: a link to its page, which opens the dialog of moving it, or is dragged. */
export function BoardBlock({ visit, hours, faded, moving }: BlockProps) {
  const { customer, end, folio, id, service, start, state, zone } = visit
  const Icon = serviceIcons[service]
  const isNarrow = end - start < roomy
  const words = `${minuteTime(start)} a ${minuteTime(end)}`
  const all = [words, serviceFacts[service].label, customer, zoneName(zone), stateFacts[state].label]
  return (
    <Link
      to={pageOf(visit)}
      discover="none"
      draggable={false}
      data-block={id}
      title={all.filter(Boolean).join(' · ')}
      className={classNames(
        'block min-h-11 overflow-hidden rounded-lg border-[1.5px] px-2.5 py-2 text-[0.8125rem]/4.5 no-underline select-none lg:inset-y-2',
        isNarrow ? 'lg:px-1' : 'lg:px-1.5',
        placed,
        faded ? 'border-dotted border-edge bg-hover text-mute' : looks[state],
        isMovable(visit) && 'lg:cursor-grab [-webkit-touch-callout:none]',
        moving.id === id && 'lg:opacity-40',
      )}
      style={placeOf(visit, hours)}
      {...(isMovable(visit) && moving.handlers(visit))}
    >
      <span className="block text-ink lg:sr-only">
        {words}
        <span className="sr-only">, {folio}</span>
      </span>
      {isNarrow && (
        <span aria-hidden className="hidden text-center text-xs/4.5 font-semibold text-ink lg:block">
          {minuteHands(start)}
        </span>
      )}
      <span className={classNames('flex min-w-0 items-center gap-1 font-semibold', isNarrow && onlyIcon)}>
        <Icon aria-hidden className="size-3.5 shrink-0" />
        <span className="truncate">
          <span className={classNames(end - start < wide && 'lg:sr-only')}>
            {serviceFacts[service].label} ·{' '}
          </span>
          {customer}
        </span>
      </span>
      {zone !== noZone && <span className="block truncate">{zoneName(zone)}</span>}
      <span
        className={classNames(
          'flex min-w-0 items-center gap-1 lg:gap-0.5 lg:text-xs/4.5',
          isNarrow && onlyIcon,
        )}
      >
        <SheetIcon name={state} className="size-3.5 shrink-0 lg:size-3" />
        <span className="truncate">{stateFacts[state].label}</span>
      </span>
    </Link>
  )
}
