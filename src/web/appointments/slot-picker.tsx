import { isMorning, timeHands } from '../../domain/shared/format.ts'
import { classNames } from '../ui/class-names.ts'
import { FieldNotes } from '../ui/field-frame.tsx'
import { useFieldResult } from '../ui/form.tsx'
import { useDayAsked } from './day-asked.ts'

type SlotPickerProps = { starts: readonly string[]; chosen: string | null; onChoose: (start: string) => void }

/** The free starts of a day as radio buttons, morning and afternoon apart. */
export function SlotPicker({ starts, chosen, onChoose }: SlotPickerProps) {
  const { error } = useFieldResult('startsAt')
  // These are the hours of the day before: none of them is the one that is meant.
  const isPast = useDayAsked() !== null
  const halves = [
    { title: 'Mañana', list: starts.filter((start) => isMorning(new Date(start))) },
    { title: 'Tarde', list: starts.filter((start) => !isMorning(new Date(start))) },
  ]
  return (
    <fieldset
      disabled={isPast}
      aria-busy={isPast}
      className={classNames('grid gap-4', isPast && 'opacity-50')}
      aria-describedby={error ? 'startsAt-error' : undefined}
    >
      <legend className="sr-only">Horario</legend>
      {halves
        .filter(({ list }) => list.length > 0)
        .map(({ title, list }) => (
          <fieldset key={title} className="grid gap-2">
            <legend className="mb-2 text-sm text-mute">{title}</legend>
            <div className="grid grid-cols-3 gap-2 sm:grid-cols-5 lg:grid-cols-6">
              {list.map((start) => (
                <label
                  key={start}
                  className="relative grid min-h-12 place-items-center rounded-control border border-line bg-card text-[0.9375rem] hover:bg-hover has-checked:border-brand has-checked:bg-brand-soft has-checked:font-semibold has-checked:text-brand has-checked:outline-2 has-checked:-outline-offset-1 has-checked:outline-brand has-focus-visible:outline-2 has-focus-visible:outline-offset-2"
                >
                  <input
                    type="radio"
                    name="startsAt"
                    value={start}
                    checked={chosen === null ? undefined : chosen === start}
                    onChange={() => onChoose(start)}
                    className="absolute inset-0 size-full cursor-pointer opacity-0"
                  />
                  {timeHands(new Date(start))}
                </label>
              ))}
            </div>
          </fieldset>
        ))}
      <FieldNotes id="startsAt" error={error} help={undefined} />
    </fieldset>
  )
}
