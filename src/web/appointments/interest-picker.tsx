import { interests } from '../../domain/appointments/appointment.ts'
import { FieldNotes } from '../ui/field-frame.tsx'
import { useFieldResult } from '../ui/form.tsx'

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
