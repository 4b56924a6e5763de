import { useState } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router'
import { interests, type Service } from '../../domain/appointments/appointment.ts'
import { arrivalWindow, atTime, dateTime, shortDate } from '../../domain/shared/format.ts'
import { Alert } from '../ui/alert.tsx'
import { buttonClass } from '../ui/button.tsx'
import { FieldNotes } from '../ui/field-frame.tsx'
import { useFieldResult } from '../ui/form.tsx'

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

/** The chosen one of some starts, and how to choose. What was picked by hand holds until somebody goes on from there: by a link
 * to a day or a slot, or by sending it (`sent`). */
export function useChosenStart(starts: readonly string[], sent: string | undefined) {
  const [search] = useSearchParams()
  const { key } = useLocation()
  const [picked, setPicked] = useState({ at: '', start: '' })
  const asked = picked.at === key ? picked.start : (sent ?? search.get('hora'))
  const start = starts.find((one) => one === asked) ?? null
  return [start, (next: string) => setPicked({ at: key, start: next })] as const
}

/** A chosen start in words: the exact minute of a call, else when somebody arrives. */
export const ChosenStart = ({
  start,
  service,
  window,
}: {
  start: Date
  service: Service
  window: number
}) => (
  <>
    <b className="font-semibold">{shortDate(start)}</b>.{' '}
    {service === 'videocall' ? atTime(start) : arrivalWindow(start, window)}
  </>
)

/** What a call is about, as radio buttons. */
export function InterestPicker({ legend = '¿De qué quieres hablar?' }: { legend?: string }) {
  const { error, typed, isFirst } = useFieldResult('interest')
  return (
    <fieldset className="grid gap-2" aria-describedby={error ? 'interest-error' : undefined}>
      <legend className="mb-2 font-semibold">{legend}</legend>
      <div className="grid gap-2 sm:grid-cols-3">
        {interests.map(({ value, label }, index) => (
          <label
            key={value}
            className="flex min-h-12 items-center gap-3 rounded-control border border-line bg-card px-3.5 hover:bg-hover has-checked:border-brand has-checked:bg-brand-soft"
          >
            <input
              type="radio"
              name="interest"
              value={value}
              defaultChecked={typed === value}
              aria-invalid={error ? true : undefined}
              {...(isFirst && index === 0 && { autoFocus: true })}
              className="size-6 shrink-0 accent-brand"
            />
            {label}
          </label>
        ))}
      </div>
      <FieldNotes id="interest" error={error} help={undefined} />
    </fieldset>
  )
}
