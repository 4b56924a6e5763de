import { CircleAlert, Phone } from 'lucide-react'
import { Link } from 'react-router'
import type { BoardRow } from '../../domain/scheduling/board.ts'
import { counted, duration } from '../../domain/shared/format.ts'

const headClass =
  'grid content-start gap-0.5 border-line bg-card px-4 pt-4 lg:sticky lg:left-0 lg:z-10 lg:border-t lg:border-r lg:py-3'

/** Who a row is, with how much that person has that day, and the way to say that they can't come. */
export function PersonHead({ row, date }: { row: BoardRow; date: string }) {
  const { person, travel, visits } = row
  return (
    <div className={headClass}>
      <h3 className="flex items-center gap-1.5 text-[0.9375rem] font-semibold wrap-anywhere">
        {person.kind === 'analyst' && <Phone aria-hidden className="size-4 shrink-0 text-mute" />}
        {person.name}
      </h3>
      <p className="text-sm text-mute">{dayInWords(visits.length, travel)}</p>
      <Link
        to={`/admin/assignations/ausencia?persona=${person.id}&dia=${date}`}
        prefetch="intent"
        className="-ml-1 inline-flex min-h-11 items-center justify-self-start rounded-control px-1 text-sm text-mute underline underline-offset-2 hover:text-ink lg:min-h-7"
      >
        No puede venir<span className="sr-only">: {person.name}</span>
      </Link>
    </div>
  )
}

/** Stands before what nobody carries out yet. */
export const NobodyHead = ({ isFirst }: { isFirst: boolean }) => (
  <div className={headClass}>
    {isFirst && (
      <>
        <h3 className="flex items-center gap-1.5 text-[0.9375rem] font-semibold text-bad">
          <CircleAlert aria-hidden className="size-4 shrink-0" />
          Sin persona
        </h3>
        <p className="text-sm text-mute">
          <span className="lg:hidden">Abre cada cita y elige a quien pueda.</span>
          <span className="max-lg:hidden">Arrastra cada cita a quien pueda, o ábrela.</span>
        </p>
      </>
    )}
  </div>
)

function dayInWords(visits: number, travel: number): string {
  if (visits === 0) return 'Sin citas'
  const count = counted(visits, 'cita', 'citas')
  return travel > 0 ? `${count} · ${duration(travel)} de traslado` : count
}
