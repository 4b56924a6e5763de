import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { controlClass, FieldFrame, type FieldProps, useField } from './field-frame.tsx'

type InputProps = FieldProps & Omit<ComponentProps<'input'>, keyof FieldProps | 'id' | 'required'>

/** A box for one line of text. What was typed comes back after a refusal, passwords excepted. */
export function Field({ label, name, help, error, optional, className, defaultValue, ...rest }: InputProps) {
  const field = useField({ name, help, error, optional })
  return (
    <FieldFrame {...{ ...field, label, help, optional, className }}>
      <input
        {...rest}
        {...field.described}
        {...field.focus}
        id={field.id}
        name={name}
        required={field.required}
        defaultValue={field.typed ?? defaultValue}
        className={classNames(
          controlClass,
          '[&:read-only:not([type=file])]:bg-hover file:mr-3 file:font-semibold',
        )}
      />
    </FieldFrame>
  )
}

type TextAreaProps = FieldProps & Omit<ComponentProps<'textarea'>, keyof FieldProps | 'id' | 'required'>

/** A box for several lines; it grows with its text where the browser can. */
export function TextArea({
  label,
  name,
  help,
  error,
  optional,
  className,
  defaultValue,
  ...rest
}: TextAreaProps) {
  const field = useField({ name, help, error, optional })
  return (
    <FieldFrame {...{ ...field, label, help, optional, className }}>
      <textarea
        rows={3}
        {...rest}
        {...field.described}
        {...field.focus}
        id={field.id}
        name={name}
        required={field.required}
        defaultValue={field.typed ?? defaultValue}
        className={classNames(controlClass, 'field-sizing-content min-h-24 lg:min-h-24 read-only:bg-hover')}
      />
    </FieldFrame>
  )
}
