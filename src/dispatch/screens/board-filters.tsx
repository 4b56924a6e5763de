import { ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Form as SearchForm, useSubmit } from 'react-router'
import { serviceFacts, services } from '../../appointments/rules/appointment.ts'
import { Checkbox, controlClass, OptionList } from '../../kit/form/field.tsx'
import { type BoardQuery, boardLink, boardPath, dateIn } from '../../scheduling/screens/board-query.ts'
import { longDate } from '../../shared/format.ts'
import { municipalitiesOf, municipalityLabel, regionGroups } from '../../shared/places.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import './board.css'

const groupClass = 'board-steps grid items-center rounded-control border border-line bg-card'

type DayStepsProps = { query: BoardQuery; previous: string; next: string }

/** The day before, today, the day after; of the week the same. */
export function DaySteps({ query, previous, next }: DayStepsProps) {
  const step = 'grid min-h-12 min-w-11 place-items-center text-ink no-underline hover:bg-hover lg:min-h-11'
  const isWeek = query.view === 'week'
  return (
    <nav aria-label="Día" className={groupClass}>
      <Link to={boardLink(query, { date: previous })} prefetch="intent" className={step}>
        <ChevronLeft aria-hidden className="size-5" />
        <span className="sr-only">
          {isWeek ? 'Semana anterior' : 'Día anterior'}, {longDate(previous)}
        </span>
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
        <span className="sr-only">
          {isWeek ? 'Semana siguiente' : 'Día siguiente'}, {longDate(next)}
        </span>
      </Link>
    </nav>
  )
}

const views = [
  { label: 'Día', view: 'day', map: null },
  { label: 'Mapa', view: 'day', map: 'todos' },
  { label: 'Semana', view: 'week', map: null },
] as const

/**
 * One day by its hours, the same beside its map, or the seven of its week. Only a page that was loaded here may ask for
 * tiles, so their map is opened as one.
 */
export const BoardViews = ({ query, hasTiles }: { query: BoardQuery; hasTiles: boolean }) => (
  <nav aria-label="Vista" style={{ gridTemplateColumns: 'repeat(3, auto)' }} className={groupClass}>
    {views.map(({ label, map, view }) => (
      <Link
        key={label}
        to={boardLink(query, { view, map })}
        aria-current={view === query.view && !map === !query.map ? 'page' : undefined}
        prefetch="intent"
        reloadDocument={hasTiles && map !== null}
        className="grid min-h-12 place-items-center px-3 text-ink no-underline hover:bg-hover aria-[current]:bg-hover aria-[current]:font-semibold lg:min-h-11"
      >
        {label}
      </Link>
    ))}
  </nav>
)

/**
 * Which day, zones and service: kept in the address. A change applies at once; without JavaScript by a button. The
 * figures of what is shown stand beside.
 */
export function BoardFilters({ query, children }: { query: BoardQuery; children: ReactNode }) {
  const submit = useSubmit()
  const form = useRef<HTMLFormElement>(null)
  const { date, service, zones } = query
  const address = boardLink(query)
  const filled = useRef(address)
  useEffect(() => {
    // The first address filled them already: what is chosen while the page is taken over stays.
    if (filled.current === address) return
    filled.current = address
    // Fields keep the focus while another address fills them.
    for (const field of form.current?.querySelectorAll<HTMLInputElement>('[name]') ?? [])
      if (field.name === 'zona') field.checked = zones.some((zone) => zone === field.value)
      else if (field.name === 'dia') field.value = date
      else if (field.name === 'service') field.value = service ?? ''
  }, [address, date, service, zones])
  return (
    <SearchForm
      ref={form}
      method="get"
      action={boardPath}
      preventScrollReset
      onChange={({ currentTarget }) => {
        // A date is being typed, digit by digit.
        if (dateIn(new FormData(currentTarget).get('dia') as string | null, ''))
          submit(currentTarget, { preventScrollReset: true })
      }}
      className="board-filters grid grid-cols-2 items-center gap-x-3 gap-y-2 lg:grid-cols-3"
    >
      <div className="col-span-full">{children}</div>
      {query.view === 'week' && <input type="hidden" name="vista" value="semana" />}
      {query.map && <input type="hidden" name="mapa" value={query.map} />}
      <div>
        <label htmlFor="servicio" className="sr-only">
          Servicio
        </label>
        <OptionList id="servicio" name="service" defaultValue={query.service ?? ''}>
          <option value="">Todos los servicios</option>
          {services.map((service) => (
            <option key={service} value={service}>
              {serviceFacts[service].label}
            </option>
          ))}
        </OptionList>
      </div>
      <Zones chosen={query.zones} isBare />
      <input
        type="date"
        name="dia"
        aria-label="Día"
        defaultValue={query.date}
        className={`${controlClass} board-date min-w-0`}
      />
      <noscript>
        <Button type="submit" variant="ghost">
          Mostrar
        </Button>
      </noscript>
    </SearchForm>
  )
}

type ZonesProps = { chosen: BoardQuery['zones']; isBare?: boolean }

/** Which municipalities, none being all of them; for a form of the address. A bare one has no label above it. */
export function Zones({ chosen, isBare = false }: ZonesProps) {
  const all = isBare ? 'Todas las zonas' : 'Todas'
  const words =
    chosen.length === 0 ? all : chosen.length === 1 ? municipalityLabel(chosen[0]!) : `${chosen.length} zonas`
  return (
    <fieldset className="relative grid min-w-0 grid-cols-1 gap-1.5">
      <legend className={isBare ? 'sr-only' : 'contents'}>
        <span className="font-semibold">Zonas</span>
      </legend>
      <details>
        <summary
          className={`${controlClass} flex items-center justify-between gap-2 select-none [&::-webkit-details-marker]:hidden`}
        >
          <span className="truncate">{words}</span>
          <ChevronDown aria-hidden className="board-turns size-5 shrink-0 text-mute transition-transform" />
        </summary>
        <div
          className={classNames(
            'board-zones z-30 mt-1 grid gap-3 overflow-y-auto rounded-card border border-line bg-card p-4 shadow-float',
            !isBare && 'from-left',
          )}
        >
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
