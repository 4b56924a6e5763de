import { useRef } from 'react'
import { FieldNotes, type FieldProps, useField } from '../ui/field-frame.tsx'
import { useFormAnswered } from '../ui/form.tsx'
import { useFollowed } from '../ui/radio-cards.tsx'
import type { Hear } from './use-box.ts'

type TickFieldProps = FieldProps & { value: boolean; hear?: Hear }

/** Something to be ticked once it is so: a card as large as a thumb. */
export function TickField({ label, name, help, error, value, hear }: TickFieldProps) {
  const field = useField({ name, help, error })
  const answered = useFormAnswered()
  const box = useRef<HTMLInputElement>(null)
  useFollowed(value, () => {
    if (box.current) box.current.checked = value
  })
  return (
    <div className="grid gap-1.5">
      <label className="flex min-h-14 items-center gap-3 rounded-control border border-edge bg-card px-3.5 py-2 hover:bg-hover has-checked:border-brand has-checked:bg-brand-soft">
        <input
          {...field.described}
          {...field.focus}
          ref={box}
          id={field.id}
          name={name}
          type="checkbox"
          required
          defaultChecked={answered ? field.typed !== undefined : value}
          onChange={({ target }) => hear?.(target.checked, true)}
          className="size-6 shrink-0 accent-brand"
        />
        <span>{label}</span>
      </label>
      <FieldNotes id={field.id} help={help} error={field.error} />
    </div>
  )
}
