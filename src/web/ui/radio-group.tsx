import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { FieldNotes, type FieldProps, Optional, useField } from './field-frame.tsx'

export type Choice = { value: string; label: ReactNode; help?: ReactNode; disabled?: boolean }

type RadioGroupProps = FieldProps & {
  choices: readonly Choice[]
  defaultValue?: string | null | undefined
}

/** One choice out of few, all in sight; each is a card to touch. */
export function RadioGroup({ label, name, help, error, optional, className, ...rest }: RadioGroupProps) {
  const field = useField({ name, help, error, optional })
  const chosen = field.typed ?? rest.defaultValue
  return (
    <fieldset
      className={classNames('grid min-w-0 gap-2', className)}
      aria-describedby={field.described['aria-describedby']}
    >
      <legend className="mb-2 font-semibold">
        {label}
        {optional && <Optional />}
      </legend>
      {rest.choices.map((choice, at) => (
        <label
          key={choice.value}
          className="flex min-h-12 items-center gap-3 rounded-control border border-line bg-card px-3.5 py-2.5 has-checked:border-brand has-checked:bg-brand-soft has-disabled:text-mute"
        >
          <input
            type="radio"
            {...(at === 0 && { ...field.focus, 'aria-invalid': field.described['aria-invalid'] })}
            name={name}
            value={choice.value}
            disabled={choice.disabled}
            required={field.required}
            defaultChecked={choice.value === chosen}
            className="size-5 shrink-0 accent-brand"
          />
          <span className="grid">
            {choice.label}
            {choice.help && <span className="text-sm text-mute">{choice.help}</span>}
          </span>
        </label>
      ))}
      <FieldNotes id={field.id} help={help} error={field.error} />
    </fieldset>
  )
}
