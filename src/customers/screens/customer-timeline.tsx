import {
  CalendarClock,
  CalendarDays,
  ChevronRight,
  CircleAlert,
  ClipboardCheck,
  FileText,
  House,
  Landmark,
  type LucideIcon,
  Mail,
  MessageCircle,
  Pencil,
  Phone,
  PlugZap,
  ReceiptText,
  Store,
  Wallet,
  Wrench,
} from 'lucide-react'
import { Field } from '../../kit/form/field.tsx'
import { FormDetails, Submit } from '../../kit/form/form.tsx'
import type { TimelineEntry } from '../../projects/screens/timeline-words.ts'
import { longDate, time } from '../../shared/format.ts'
import { IconSheet, SheetIcon } from '../../ui/badge.tsx'
import { cardClass } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { type TimelineEntity, type TimelineKind, timelineKinds } from '../rules/timeline.ts'

const icons: Record<TimelineEntity | 'failed', LucideIcon> = {
  appointment: CalendarDays,
  sheet: ClipboardCheck,
  quote: FileText,
  payment: Wallet,
  refund: Wallet,
  invoice: ReceiptText,
  fiscal: ReceiptText,
  project: PlugZap,
  address: House,
  cfe_case: Landmark,
  task: Phone,
  letter: Mail,
  whatsapp: MessageCircle,
  fault: Wrench,
  client: Store,
  slot_wish: CalendarClock,
  move_offer: CalendarClock,
  user: Pencil,
  failed: CircleAlert,
}

export type TimelineProps = {
  entries: readonly TimelineEntry[]
  /** The filters that show something to the reader. */
  kinds: readonly TimelineKind[]
  kind: TimelineKind | null
  /** Addresses of the page without a filter, of each filter, and of the pages before and after. */
  to: { all: string; kinds: Readonly<Record<string, string>>; first: string | null; next: string | null }
  notesCalls: boolean
}

/** What happened with a customer, newest first, day by day; narrowed by kind, a page at a time. */
export function CustomerTimeline({ entries, kind, kinds, notesCalls, to }: TimelineProps) {
  const days = [...Map.groupBy(entries, ({ at }) => longDate(at))]
  return (
    <section aria-labelledby="historial" className={classNames(cardClass, 'grid grid-cols-1 content-start')}>
      <IconSheet icons={icons} strokeWidth={2} />
      <div className="grid gap-4 border-b border-line p-4 sm:p-5">
        <h2 id="historial" className="font-semibold">
          Historial
        </h2>
        <nav aria-label="Qué se muestra" className="flex flex-wrap gap-2">
          <FilterLink to={to.all} isCurrent={kind === null}>
            Todo
          </FilterLink>
          {kinds.map((name) => (
            <FilterLink key={name} to={to.kinds[name]!} isCurrent={name === kind}>
              {timelineKinds[name].label}
            </FilterLink>
          ))}
        </nav>
        {notesCalls && <NoteCall />}
      </div>
      <div className="grid gap-5 p-4 sm:p-5">
        {days.length === 0 && (
          <p className="text-mute">
            {kind ? 'No hay registros de este tipo.' : 'Todavía no hay nada en su historial.'}
          </p>
        )}
        {days.map(([day, those]) => (
          <div key={day} className="grid gap-3">
            <h3 className="text-sm font-semibold text-mute first-letter:uppercase">{day}</h3>
            <ol className="grid gap-3.5">
              {those.map((entry) => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </ol>
          </div>
        ))}
        <Pagination previous={to.first} next={to.next} />
      </div>
    </section>
  )
}

type FilterLinkProps = { to: string; isCurrent: boolean; children: string }

const FilterLink = ({ children, isCurrent, to }: FilterLinkProps) => (
  <Link
    to={to}
    preventScrollReset
    aria-current={isCurrent ? 'true' : undefined}
    className={classNames(
      'flex min-h-11 items-center rounded-full border px-3.5 text-[0.9375rem] font-medium no-underline lg:min-h-9',
      isCurrent
        ? 'border-brand bg-brand-soft text-brand'
        : 'border-line bg-card text-mute hover:bg-hover hover:text-ink',
    )}
  >
    {children}
  </Link>
)

function Entry({ entry: { at, entity, failed, text, title, to, who } }: { entry: TimelineEntry }) {
  return (
    <li className="grid grid-cols-[2rem_1fr] gap-3 text-[0.9375rem]">
      <span
        className={classNames(
          'grid size-8 place-items-center rounded-full',
          failed ? 'bg-bad-soft text-bad' : 'bg-hover text-mute',
        )}
      >
        <SheetIcon name={failed ? 'failed' : entity} className="size-4" />
      </span>
      <div className="grid min-w-0 gap-0.5 wrap-anywhere">
        <p className={failed ? 'font-medium text-bad' : 'font-medium'}>
          {to ? (
            <Link to={to} prefetch="intent" className="text-ink no-underline hover:underline">
              {title}
              <ChevronRight aria-hidden className="ml-0.5 inline size-4 text-mute" />
            </Link>
          ) : (
            title
          )}
        </p>
        {text && <p className="whitespace-pre-line">{text}</p>}
        <p className="text-sm text-mute">{`${time(at)} · ${who}`}</p>
      </div>
    </li>
  )
}

const NoteCall = () => (
  <FormDetails summary="Anotar una llamada" intent="note-call">
    <Field label="¿En qué quedaron?" name="result" maxLength={500} autoComplete="off" />
    <Submit className="sm:justify-self-start">Anotar llamada</Submit>
  </FormDetails>
)
