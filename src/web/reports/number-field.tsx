import type { Question } from '../../domain/reports/report.ts'
import { thousands } from '../../domain/shared/format.ts'
import { classNames } from '../ui/class-names.ts'
import { controlClass, FieldFrame, type FieldProps, useField } from '../ui/field-frame.tsx'
import { type Hear, useBox } from './use-box.ts'

type NumberQuestion = Extract<Question, { kind: 'number' }>
type NumberFieldProps = FieldProps & { question: NumberQuestion; value: string; hear: Hear }

/** A figure with its unit beside it and its range below. */
export function NumberField({ question, value, hear, label, name, help, error, optional }: NumberFieldProps) {
  const { unit, min, max } = question
  const range = `De ${min} a ${thousands(max)} ${unit}.`
  const field = useField({ name, help: range, error, optional })
  const box = useBox<HTMLInputElement>(value, hear)
  return (
    <FieldFrame
      {...field}
      {...{ label, optional }}
      help={
        <>
          {range} {help}
        </>
      }
    >
      <span className="relative grid">
        <input
          {...box}
          {...field.described}
          {...field.focus}
          id={field.id}
          name={name}
          required={field.required}
          inputMode="decimal"
          enterKeyHint="next"
          autoComplete="off"
          defaultValue={field.typed ?? box.defaultValue}
          className={classNames(controlClass, 'pr-16')}
        />
        <span
          aria-hidden
          className="pointer-events-none absolute inset-y-0 right-3.5 flex items-center text-mute"
        >
          {unit}
        </span>
      </span>
    </FieldFrame>
  )
}
