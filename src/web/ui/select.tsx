import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { controlClass, FieldFrame, type FieldProps, useField } from './field-frame.tsx'

export type Option = { value: string; label: string; disabled?: boolean }
/** Options under a heading of their own. */
export type OptionGroup = { label: string; options: readonly Option[] }

type SelectProps = FieldProps &
  Omit<ComponentProps<'select'>, keyof FieldProps | 'id' | 'required' | 'children' | 'defaultValue'> & {
    options: readonly (Option | OptionGroup)[]
    /** The first, empty option, for a choice not made yet. */
    placeholder?: string
    defaultValue?: string | null | undefined
  }

/** The browser's own list of choices: it works without JavaScript, and phones show theirs. */
export function Select({ label, name, help, error, optional, className, ...rest }: SelectProps) {
  const { options, placeholder, defaultValue, ...attributes } = rest
  const field = useField({ name, help, error, optional })
  return (
    <FieldFrame {...{ ...field, label, help, optional, className }}>
      <OptionList
        {...attributes}
        {...field.described}
        {...field.focus}
        id={field.id}
        name={name}
        required={field.required}
        defaultValue={field.typed ?? defaultValue ?? ''}
      >
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map(option)}
      </OptionList>
    </FieldFrame>
  )
}

/** The list itself, for what is no field of a form. */
export const OptionList = (attributes: Omit<ComponentProps<'select'>, 'className'>) => (
  <span className="relative grid">
    <select {...attributes} className={classNames(controlClass, 'appearance-none truncate pr-10')} />
    <ChevronDown
      aria-hidden
      className="pointer-events-none absolute top-1/2 right-3 size-5 -translate-y-1/2 text-mute"
    />
  </span>
)

function option(entry: Option | OptionGroup) {
  if ('options' in entry)
    return (
      <optgroup key={entry.label} label={entry.label}>
        {entry.options.map(option)}
      </optgroup>
    )
  const { value, label, disabled } = entry
  return (
    <option key={value} value={value} disabled={disabled}>
      {label}
    </option>
  )
}
