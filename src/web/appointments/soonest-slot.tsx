import { Link } from 'react-router'
import { dateTime } from '../../domain/shared/format.ts'

type SoonestSlotProps = { start: string; linkTo: (start: string) => string }

/** The first free slot, chosen by one tap. */
export const SoonestSlot = ({ start, linkTo }: SoonestSlotProps) => (
  <Link
    to={linkTo(start)}
    preventScrollReset
    className="flex items-center justify-between gap-4 rounded-card border border-brand/30 bg-brand-soft px-4 py-3 no-underline"
  >
    <span className="text-ink">
      <b className="block font-semibold">Lo más pronto</b>
      <span className="text-[0.9375rem]">{dateTime(new Date(start))}</span>
    </span>
    <span className="font-semibold text-brand">Elegir</span>
  </Link>
)
