import { ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react'
import { Form as SearchForm } from 'react-router'
import { serviceFacts, services } from '../../domain/appointments/appointment.ts'
import { longDate } from '../../domain/shared/format.ts'
import { municipalitiesOf, municipalityLabel, regionGroups } from '../../domain/shared/places.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Checkbox, controlClass, Field, Select } from '../ui/field.tsx'
import { Link } from '../ui/link.tsx'
import { type BoardQuery, boardLink } from './board-query.ts'

type DayStepsProps = { query: BoardQuery; previous: string; next: string }

/** The day before, today, the day after. */
export function DaySteps({ query, previous, next }: DayStepsProps) {
  const step = 'grid min-h-12 min-w-11 place-items-center text-ink no-underline hover:bg-hover lg:min-h-11'
  return (
    <nav
      aria-label="Día"
      className="grid grid-cols-[auto_1fr_auto] items-center divide-x divide-line rounded-control border border-line bg-card"
    >
      <Link to={boardLink(query, { date: previous })} prefetch="intent" className={step}>
        <ChevronLeft aria-hidden className="size-5" />
        <span className="sr-only">Día anterior, {longDate(previous)}</span>
      </Link>
      <Link
        to={boardLink(query, { date: query.today })}
        aria-current={query.date === query.today ? 'date' : undefined}
        prefetch="intent"
        className={`${step} px-3 font-semibold aria-[current=date]:text-brand`}
      >
        Hoy
      </Link>
      <Link to={boardLink(query, { date: next })} prefetch="intent" className={step}>
        <ChevronRight aria-hidden className="size-5" />
        <span className="sr-only">Día siguiente, {longDate(next)}</span>
      </Link>
    </nav>
  )
}

/** Which day, zones and service: kept in the address, sent as a plain form. */
export function BoardFilters({ query }: { query: BoardQuery }) {
  return (
    <SearchForm
      key={boardLink(query)}
      method="get"
      action="/admin/assignations"
      className="grid grid-cols-2 items-end gap-3 lg:grid-cols-[11rem_14rem_14rem_auto_1fr]"
    >
      <Select
        label="Servicio"
        name="service"
        optional="unsaid"
        placeholder="Todos"
        options={services.map((service) => ({ value: service, label: serviceFacts[service].label }))}
        defaultValue={query.service}
      />
      <Zones chosen={query.zones} />
      <Field
        label="Día"
        name="dia"
        type="date"
        optional="unsaid"
        defaultValue={query.date}
        className="min-w-0 max-sm:col-span-2 lg:order-first"
      />
      <Button type="submit" variant="ghost" className="max-sm:col-span-2">
        Mostrar
      </Button>
    </SearchForm>
  )
}

/** Which municipalities, none being all of them; for a form of the address. */
export function Zones({ chosen }: { chosen: BoardQuery['zones'] }) {
  const words =
    chosen.length === 0
      ? 'Todas'
      : chosen.length === 1
        ? municipalityLabel(chosen[0]!)
        : `${chosen.length} zonas`
  return (
    <fieldset className="relative grid min-w-0 gap-1.5">
      <legend className="contents">
        <span className="font-semibold">Zonas</span>
      </legend>
      <details className="group">
        <summary
          className={`${controlClass} flex items-center justify-between gap-2 select-none [&::-webkit-details-marker]:hidden`}
        >
          <span className="truncate">{words}</span>
          <ChevronDown
            aria-hidden
            className="size-5 shrink-0 text-mute transition-transform group-open:rotate-180"
          />
        </summary>
        <div className="absolute right-0 z-20 mt-1 grid max-h-96 w-[calc(100vw-2rem)] gap-3 overflow-y-auto rounded-card border border-line bg-card p-4 shadow-float lg:right-auto lg:left-0 lg:w-xl">
          {regionGroups.map(({ id, label }) => (
            <div key={id}>
              <p className="text-sm text-mute">{label}</p>
              <div className="grid sm:grid-cols-2">
                {municipalitiesOf(id).map(({ slug, label: name }) => (
                  <Checkbox
                    key={slug}
                    name="zona"
                    label={name}
                    value={slug}
                    defaultChecked={chosen.includes(slug)}
                  />
                ))}
              </div>
            </div>
          ))}
          <button type="submit" className={buttonClass('primary')}>
            Mostrar
          </button>
        </div>
      </details>
    </fieldset>
  )
}
