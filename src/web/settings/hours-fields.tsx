import type { Settings } from '../../domain/settings/settings-schema.ts'
import { clockText } from '../../domain/shared/format.ts'
import { Field } from '../ui/field.tsx'
import { weekdays } from './words.ts'

/** When the house opens and closes, day by day; a day without hours is closed. */
export function HoursFields({ hours }: { hours: Settings['hours'] }) {
  return (
    <div className="grid gap-5">
      {weekdays.map((name, day) => {
        const opening = hours[day]
        return (
          <fieldset key={name} className="grid items-center gap-x-4 gap-y-2 sm:grid-cols-[7rem_1fr]">
            <legend className="float-left font-semibold sm:pt-8">{name}</legend>
            <div className="grid grid-cols-2 gap-4">
              <Field
                label="Abre"
                name={`from${day}`}
                type="time"
                optional="unsaid"
                defaultValue={opening ? clockText(opening.from) : ''}
              />
              <Field
                label="Cierra"
                name={`to${day}`}
                type="time"
                optional="unsaid"
                defaultValue={opening ? clockText(opening.to) : ''}
              />
            </div>
          </fieldset>
        )
      })}
    </div>
  )
}
