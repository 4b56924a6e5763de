import { FieldNotes, useField } from '../../kit/form/field.tsx'
import { isHard, reasonWords } from '../../scheduling/rules/eligibility.ts'
import type { MinuteSpan } from '../../scheduling/rules/roster.ts'
import { counted, duration, minuteHands } from '../../shared/format.ts'
import { isBarred, type Ranked } from '../rules/board.ts'
import { zoneShort } from '../rules/zone-labels.ts'
import { lanePositionOf } from './lane-position.ts'

/** How a move is judged: it can be made, with a reason, or not at all. */
export const verdictTitle = (verdict: Ranked['verdict']) =>
  isBarred(verdict) ? 'No se puede' : verdict.reasons.length > 0 ? 'Se puede con un motivo' : 'Puede tomarla'

export const verdictTone = (verdict: Ranked['verdict']) =>
  isBarred(verdict) ? 'bad' : verdict.reasons.length > 0 ? 'wait' : 'ok'

/** What is against a move, in words; first what the user can't override. */
export const verdictWords = ({ past, reasons }: Ranked['verdict']): string[] => [
  ...(past ? ['Esa hora ya pasó'] : []),
  ...reasons.toSorted((a, b) => Number(isHard(b)) - Number(isHard(a))).map(reasonWords),
]

/** Whether nothing is against it. */
export const isAble = ({ verdict }: Pick<Ranked, 'verdict'>) => !verdict.past && verdict.reasons.length === 0

type PickerProps = {
  ranked: readonly Ranked[]
  /** The appointment where it would be, and the hours of its day. */
  span: MinuteSpan
  hours: MinuteSpan
  current: string | undefined
  onChoose?: (personId: string) => void
}

/** The people for an appointment, the best first, each with the day they would have; below, the others with why not. */
export function PeoplePicker({ ranked, span, hours, current, onChoose }: PickerProps) {
  const { described, error, id, typed } = useField({ name: 'assigneeId' })
  const chosen = typed ?? current
  const able = ranked.filter(isAble)
  const unable = ranked.filter((one) => !isAble(one))
  const personOf = (one: Ranked) => (
    <Person
      key={one.id}
      person={one}
      span={span}
      hours={hours}
      isChosen={one.id === chosen}
      {...(onChoose && { onChoose })}
    />
  )
  return (
    <fieldset {...described} id={id} className="grid gap-2">
      <legend className="sr-only">Persona</legend>
      <FieldNotes id={id} error={error} />
      {able.length === 0 && <p className="font-semibold text-bad">Nadie puede tomarla a esa hora.</p>}
      {able.map(personOf)}
      {unable.length > 0 && <p className="mt-2 text-sm text-mute">No pueden</p>}
      {unable.map(personOf)}
    </fieldset>
  )
}

type PersonProps = Pick<PickerProps, 'span' | 'hours' | 'onChoose'> & { person: Ranked; isChosen: boolean }

function Person({ person, span, hours, isChosen, onChoose }: PersonProps) {
  const { addedTravel, id, name, verdict, visits } = person
  const isOut = isBarred(verdict)
  const travel = addedTravel ? `${duration(addedTravel)} más de traslado` : 'Sin traslado adicional'
  const words = isAble(person)
    ? `${travel} · ${counted(visits.length, 'cita ese día', 'citas ese día')}`
    : verdictWords(verdict).join('; ')
  return (
    <label className="flex min-h-14 items-center gap-3 rounded-control border border-line px-3.5 py-2.5 has-checked:border-brand has-checked:bg-brand-soft has-disabled:bg-hover">
      <input
        type="radio"
        name="assigneeId"
        value={id}
        defaultChecked={isChosen && !isOut}
        disabled={isOut}
        onChange={onChoose && (() => onChoose(id))}
        className="size-5 shrink-0 accent-brand"
      />
      <span className="grid min-w-0 flex-1 gap-0.5">
        <span className="font-semibold">{name}</span>
        <span className="text-sm text-mute">{words}</span>
        {visits.length > 0 && <MiniDay person={person} span={span} hours={hours} />}
      </span>
    </label>
  )
}

/** A person's day with the appointment in it: their others on a thin line, and what comes before and after. */
function MiniDay({
  person: { after, before, visits },
  span,
  hours,
}: Pick<PersonProps, 'person' | 'span' | 'hours'>) {
  const parts = [
    before && `Antes ${minuteHands(before.visit.start)}${placeOf(before)}`,
    after && `Después ${minuteHands(after.visit.start)}${placeOf(after)}`,
  ].filter(Boolean)
  return (
    <>
      {parts.length > 0 && <span className="text-[0.8125rem] text-mute">{parts.join(' · ')}</span>}
      <span aria-hidden className="relative mt-1 block h-2 overflow-hidden rounded-sm bg-track max-lg:hidden">
        {visits.map((visit) => (
          <span key={visit.id} className="placed inset-y-0 bg-mute" style={lanePositionOf(visit, hours)} />
        ))}
        <span className="placed inset-y-0 bg-brand" style={lanePositionOf(span, hours)} />
      </span>
    </>
  )
}

const placeOf = ({ travel, visit }: NonNullable<Ranked['before']>) =>
  visit.zone < 0 ? '' : ` ${zoneShort(visit.zone)}, ${duration(travel)} de traslado`
