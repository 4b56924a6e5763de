import { counted, duration } from '../../domain/shared/format.ts'
import type { Able, Unable } from '../../server/appointments/options.ts'
import { FieldNotes } from '../ui/field-frame.tsx'
import { useFieldResult } from '../ui/form.tsx'

type AssigneePickerProps = { able: readonly Able[]; unable: readonly Unable[]; current: string | undefined }

/** The people who can take an appointment, the best first; below, the others with what keeps each from it. */
export function AssigneePicker({ able, unable, current }: AssigneePickerProps) {
  const { error, typed } = useFieldResult('assigneeId')
  const chosen = typed ?? current
  return (
    <fieldset className="grid gap-2" aria-describedby={error ? 'assigneeId-error' : undefined}>
      <legend className="sr-only">Persona</legend>
      {able.length === 0 && <p className="font-semibold text-bad">Nadie puede tomarla a esa hora.</p>}
      {able.map(({ id, name, addedTravel, load }) => (
        <Person key={id} id={id} name={name} isChosen={id === chosen}>
          {addedTravel > 0 ? `${duration(addedTravel)} más de traslado` : 'Sin traslado adicional'} ·{' '}
          {counted(load, 'cita ese día', 'citas ese día')}
        </Person>
      ))}
      {unable.length > 0 && <p className="mt-2 text-sm text-mute">No pueden</p>}
      {unable.map(({ id, name, reasons, hard }) => (
        <Person key={id} id={id} name={name} isChosen={id === chosen} isOut={hard}>
          {reasons.join('; ')}
        </Person>
      ))}
      <FieldNotes id="assigneeId" error={error} help={undefined} />
    </fieldset>
  )
}

type PersonProps = { id: string; name: string; isChosen: boolean; isOut?: boolean; children: React.ReactNode }

function Person({ id, name, isChosen, isOut = false, children }: PersonProps) {
  return (
    <label className="flex min-h-14 items-center gap-3 rounded-control border border-line px-3.5 py-2.5 has-checked:border-brand has-checked:bg-brand-soft has-disabled:bg-hover">
      <input
        type="radio"
        name="assigneeId"
        value={id}
        defaultChecked={isChosen && !isOut}
        disabled={isOut}
        className="size-5 shrink-0 accent-brand"
      />
      <span className="grid">
        <span className="font-semibold">{name}</span>
        <span className="text-sm text-mute">{children}</span>
      </span>
    </label>
  )
}
