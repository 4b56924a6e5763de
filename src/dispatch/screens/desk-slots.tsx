import type { ReactNode } from 'react'
import { Form as SearchForm, useNavigate } from 'react-router'
import {
  ChosenStart,
  DayPicker,
  NearestSlots,
  SoonestSlot,
  slotClass,
  useChosenStart,
  useDayAsked,
} from '../../appointments/screens/day-picker.tsx'
import { Checkbox, Field, FieldNotes, Select, useField } from '../../kit/form/field.tsx'
import { Submit, useOwnResult } from '../../kit/form/form.tsx'
import type { DeskAgenda } from '../../scheduling/desk-slots.ts'
import {
  dateTime,
  duration,
  isMorning,
  localDay,
  lowerFirst,
  timeHands,
  wallTime,
} from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { ActionBar, Button } from '../../ui/button.tsx'
import { Details, EmptyState } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { useHydrated } from '../../ui/hydrated.ts'
import { Link } from '../../ui/link.tsx'

/** What is chosen in the calendar: a day, a start, a person. */
export type DeskQuery = { dia?: string; hora?: string; con?: string }
export type ShownSlot = DeskAgenda['slots'][number]

type CalendarProps = {
  agenda: DeskAgenda
  /** The address of the same calendar with something chosen. */
  linkTo: (chosen: DeskQuery) => string
}

const firstName = (name: string) => name.split(' ')[0] ?? name

type WithWhomProps = CalendarProps & {
  /** Who has it now, or is the likely one: a link of their own. */
  preferred: { id: string; name: string } | null
}

/** With whom: the one who has it, whoever can, or another person. It stands outside the form of the calendar. */
export function WithWhom({ agenda: { date, people, personId }, linkTo, preferred }: WithWhomProps) {
  const navigate = useNavigate()
  const to = (con?: string) => linkTo({ ...(date && { dia: date }), ...(con && { con }) })
  const others = people.filter(({ id }) => id !== preferred?.id)
  const { pathname, searchParams } = new URL(to(), 'http://here')
  return (
    <div className="flex flex-wrap items-end gap-2">
      <WhomLink to={to()} isChosen={personId === null}>
        Con quien pueda
      </WhomLink>
      {preferred && (
        <WhomLink to={to(preferred.id)} isChosen={personId === preferred.id}>
          Con {firstName(preferred.name)}
        </WhomLink>
      )}
      <SearchForm method="get" action={pathname} className="flex items-end gap-2" preventScrollReset>
        {[...searchParams].map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Select
          key={personId}
          label={<span className="sr-only">Otra persona</span>}
          name="con"
          placeholder="Con otra persona"
          optional="unsaid"
          options={others.map(({ id, name }) => ({ value: id, label: `Con ${name}` }))}
          defaultValue={others.some(({ id }) => id === personId) ? personId : ''}
          onChange={({ currentTarget }) =>
            void navigate(to(currentTarget.value), { preventScrollReset: true, replace: true })
          }
        />
        <span className="hidden noscript:block">
          <Button type="submit" variant="ghost">
            Ver
          </Button>
        </span>
      </SearchForm>
    </div>
  )
}

type WhomLinkProps = { to: string; isChosen: boolean; children: ReactNode }

const WhomLink = ({ to, isChosen, children }: WhomLinkProps) => (
  <Link
    to={to}
    replace
    preventScrollReset
    aria-current={isChosen ? 'true' : undefined}
    className={classNames(
      'flex min-h-12 items-center rounded-control border px-4 no-underline lg:min-h-11',
      isChosen
        ? 'border-brand bg-brand-soft font-semibold text-brand'
        : 'border-line bg-card text-ink hover:bg-hover',
    )}
  >
    {children}
  </Link>
)

/** An hour that the calendar does not have, in the same calendar: it says who could take it, and against which rule. It stands outside its form. */
export function AnyHour({ agenda: { asked, date, personId }, linkTo }: CalendarProps) {
  const { pathname, searchParams } = new URL(linkTo(personId ? { con: personId } : {}), 'http://here')
  return (
    <Details summary="¿A una hora que no está aquí?">
      <SearchForm
        key={asked}
        method="get"
        action={pathname}
        className="flex flex-wrap items-end gap-3"
        preventScrollReset
      >
        {[...searchParams].map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Field label="Día" name="dia" type="date" defaultValue={date ?? ''} className="min-w-0" />
        <Field
          label="Hora"
          name="hora"
          type="time"
          defaultValue={asked ? wallTime(new Date(asked)) : ''}
          className="min-w-0"
        />
        <Button type="submit" variant="ghost">
          Ver quién puede
        </Button>
      </SearchForm>
    </Details>
  )
}

type DeskSlotsProps = CalendarProps & {
  /** What becomes of it, in words, once a start is chosen. */
  outcome: (slot: ShownSlot) => ReactNode
  submit: string
  /** Fields of the form that stand below the hours. */
  children?: ReactNode
}

/** The manager's calendar, inside its form: days, hours with who would take them, and the press that does it. */
export function DeskSlots({ agenda, children, linkTo, outcome, submit }: DeskSlotsProps) {
  const { asked, date, days, personId, service, slots, soonest, urgent, window } = agenda
  const result = useOwnResult()
  const [start, pick] = useChosenStart(
    slots.map((slot) => slot.start),
    result?.values.startsAt ?? asked ?? undefined,
  )
  const to = (chosen: DeskQuery) => linkTo({ ...(personId && { con: personId }), ...chosen })
  const slotLink = (hora: string) => to({ dia: localDay(new Date(hora)), hora })
  const slot = slots.find((one) => one.start === start)
  if (date === null)
    return (
      <EmptyState>
        {personId === null
          ? 'No hay horarios libres de este servicio. Escribe abajo otra hora, con un motivo.'
          : 'No tiene horarios libres. Búscalos con quien pueda.'}
      </EmptyState>
    )
  return (
    <>
      <input type="hidden" name="assigneeId" value={personId ?? ''} />
      <NearestSlots service={service} window={null} details={result?.refusal?.details} linkTo={slotLink} />
      {(soonest || urgent) && (
        <div className="grid gap-3 sm:auto-cols-fr sm:grid-flow-col">
          {soonest && (
            <SoonestSlot service={service} window={null} start={soonest} chosen={start} linkTo={slotLink} />
          )}
          {urgent && <UrgentSlot start={urgent} linkTo={slotLink} />}
        </div>
      )}
      <DayPicker days={days} chosen={date} linkTo={(dia) => to({ dia })} />
      {asked && !slots.some((one) => one.start === asked) && (
        <Alert tone="wait" title={`Nadie puede: ${dateTime(new Date(asked))}`}>
          A esa hora todos tienen otra cita o permiso, o ya pasó. Elige otra.
        </Alert>
      )}
      <Hours agenda={agenda} chosen={start} onChoose={pick} />
      <Override agenda={agenda} slot={slot} />
      {children}
      <ActionBar stays className="lg:border-0">
        <p className="text-[0.9375rem]" aria-live="polite">
          {slot ? (
            <>
              <ChosenStart start={new Date(slot.start)} service={service} window={window} /> Con {slot.name}.{' '}
              <span className="text-mute">{outcome(slot)}</span>
            </>
          ) : (
            'Elige un horario.'
          )}
        </p>
        <Submit>{submit}</Submit>
      </ActionBar>
    </>
  )
}

/** The first start of today that the notice alone forbids: chosen by one press, like the soonest one. */
const UrgentSlot = ({ start, linkTo }: { start: string; linkTo: (start: string) => string }) => (
  <Link
    to={linkTo(start)}
    preventScrollReset
    className="flex items-center justify-between gap-4 rounded-card border border-line bg-card px-4 py-3 no-underline hover:bg-hover"
  >
    <span className="text-ink">
      <b className="block font-semibold">Urgente hoy</b>
      <span className="text-[0.9375rem]">{dateTime(new Date(start))}</span>
    </span>
    <span className="text-sm text-mute">Con un motivo</span>
  </Link>
)

type HoursProps = { agenda: DeskAgenda; chosen: string | null; onChoose: (start: string) => void }

/** The hours of the shown day as radio buttons: free ones, then those that only a soft rule forbids, with the rule. */
function Hours({ agenda: { noticeHours, slots }, chosen, onChoose }: HoursProps) {
  const { described, error, id } = useField({ name: 'startsAt' })
  const isPast = useDayAsked() !== null
  const of = (kind: ShownSlot['kind']) => slots.filter((slot) => slot.kind === kind)
  const free = of('free')
  const urgent = of('urgent')
  const ruled = of('ruled')
  const choice = { chosen, onChoose }
  return (
    <fieldset
      {...described}
      id={id}
      disabled={isPast}
      aria-busy={isPast}
      className={classNames('grid gap-4', isPast && 'opacity-50')}
    >
      <legend className="sr-only">Horario</legend>
      <FieldNotes id={id} error={error} />
      <Group title="Mañana" slots={free.filter(({ start }) => isMorning(new Date(start)))} {...choice} />
      <Group title="Tarde" slots={free.filter(({ start }) => !isMorning(new Date(start)))} {...choice} />
      <Group
        title={`Con menos anticipación de la permitida (${duration(noticeHours * 60)})`}
        slots={urgent}
        {...choice}
      />
      {ruled.length > 0 && (
        <Details
          summary="Otras horas, con un motivo"
          open={ruled.some(({ start }) => start === chosen) || free.length + urgent.length === 0}
        >
          <div className="grid gap-2 sm:grid-cols-2">
            {ruled.map((slot) => (
              <Start key={slot.start} slot={slot} className="justify-items-start px-3.5 py-2" {...choice}>
                <span className="font-semibold">
                  {timeHands(new Date(slot.start))} · {firstName(slot.name)}
                </span>
                <span className="text-sm font-normal text-mute">
                  {slot.reasons.map((words, nth) => (nth > 0 ? lowerFirst(words) : words)).join('; ')}
                </span>
              </Start>
            ))}
          </div>
        </Details>
      )}
      {slots.length === 0 && (
        <p className="text-[0.9375rem] text-mute">
          Ese día ya nadie puede, ni con un motivo: todos tienen otra cita o permiso.
        </p>
      )}
    </fieldset>
  )
}

type Choice = Pick<HoursProps, 'chosen' | 'onChoose'>

function Group({ slots, title, ...choice }: Choice & { title: string; slots: readonly ShownSlot[] }) {
  if (slots.length === 0) return null
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 text-sm text-mute">{title}</legend>
      <div className="grid grid-cols-3 gap-2 sm:grid-cols-5 lg:grid-cols-6">
        {slots.map((slot) => (
          <Start key={slot.start} slot={slot} className="content-center py-1.5" {...choice}>
            {timeHands(new Date(slot.start))}
            <span className="max-w-full truncate px-1 text-[0.8125rem]/4 font-normal text-mute">
              {firstName(slot.name)}
            </span>
          </Start>
        ))}
      </div>
    </fieldset>
  )
}

type StartProps = Choice & { slot: ShownSlot; className: string; children: ReactNode }

const Start = ({ chosen, children, className, onChoose, slot: { start } }: StartProps) => (
  <label className={classNames(slotClass, className)}>
    <input
      type="radio"
      name="startsAt"
      value={start}
      checked={chosen === null ? undefined : chosen === start}
      onChange={() => onChoose(start)}
      className="absolute inset-0 size-full cursor-pointer opacity-0"
    />
    {children}
  </label>
)

/** The box and the reason that set a soft rule aside; without a script they stand there for any hour that needs them. */
function Override({ agenda: { slots }, slot }: { agenda: DeskAgenda; slot: ShownSlot | undefined }) {
  const isHydrated = useHydrated()
  const isNeeded = slot ? slot.kind !== 'free' : !isHydrated && slots.some(({ kind }) => kind !== 'free')
  if (!isNeeded) return null
  return (
    <div className="grid gap-3 rounded-card border border-line p-4">
      <Checkbox
        name="override"
        label={
          slot
            ? `De todos modos: ${slot.reasons.map(lowerFirst).join('; ')}`
            : 'De todos modos, aunque no cumpla una regla'
        }
      />
      <Field label="Motivo" name="overrideReason" maxLength={300} optional={slot ? false : 'unsaid'} />
    </div>
  )
}
