import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { FieldNotes, type FieldProps, useField } from './field-frame.tsx'
import { useFormAnswered } from './form.tsx'

type CheckboxProps = Omit<FieldProps, 'optional'> &
  Omit<ComponentProps<'input'>, keyof FieldProps | 'id' | 'type'>

/** A box to tick. The whole line is the target. */
export function Checkbox({ label, name, help, error, className, defaultChecked, ...rest }: CheckboxProps) {
  const field = useField({ name, help, error })
  const answered = useFormAnswered()
  return (
    <div className={classNames('grid gap-1', className)}>
      <label className="flex min-h-11 items-center gap-3">
        <input
          {...rest}
          {...field.described}
          {...field.focus}
          id={field.id}
          name={name}
          type="checkbox"
          defaultChecked={answered ? field.typed !== undefined : defaultChecked}
          className="size-5 shrink-0 accent-brand"
        />
        <span>{label}</span>
      </label>
      <FieldNotes id={field.id} help={help} error={field.error} />
    </div>
  )
}
