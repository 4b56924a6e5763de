import { useRef } from 'react'
import { FieldNotes, type FieldProps, useField } from '../../../kit/form/field.tsx'
import { useFormAnswered } from '../../../kit/form/form.tsx'
import { useFollowed } from '../../../kit/form/radio-cards.tsx'
import { later, NotYet } from '../../../kit/later.tsx'
import type { OnAnswer } from './typed-loads.ts'

/** The appliances of a house, a row each; the usual ones with a tap. One section alone has it. */
export const LoadsField = later(
  () => import('./appliance-rows.tsx').then((part) => part.ApplianceRows),
  () => <NotYet>No pudimos abrir la lista de aparatos. Vuelve a esta sección cuando haya señal.</NotYet>,
)

type TickFieldProps = FieldProps & { value: boolean; hear?: OnAnswer }

/** A checkbox as a card as large as a thumb. */
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

/**
 * A box whose text is the browser's own, so that what was typed before hydration stays. An answer that comes from
 * elsewhere replaces it, but never while the user types.
 */
export function useUncontrolledInput<Box extends HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>(
  shown: string,
  hear: OnAnswer,
) {
  const ref = useRef<Box>(null)
  useFollowed(shown, () => {
    const box = ref.current
    if (box && box !== document.activeElement) box.value = shown
  })
  return {
    ref,
    defaultValue: shown,
    onInput: () => hear(ref.current?.value, false),
    onBlur: () => hear(ref.current?.value, true),
  }
}
