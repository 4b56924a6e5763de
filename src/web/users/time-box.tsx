import { clockText } from '../../domain/shared/format.ts'
import { classNames } from '../ui/class-names.ts'
import { controlClass, FieldNotes } from '../ui/field-frame.tsx'
import { useFieldResult, useFormAnswered } from '../ui/form.tsx'

type TimeBoxProps = { name: string; label: string; minutes: number | undefined; step: number }

/** A box for one time of a table, named for those who can't see where it stands; `minutes` count from midnight. */
export function TimeBox({ name, label, minutes, step }: TimeBoxProps) {
  const { error, typed, isFirst } = useFieldResult(name)
  const answered = useFormAnswered()
  const stored = minutes === undefined ? '' : clockText(minutes)
  return (
    <input
      type="time"
      name={name}
      aria-label={label}
      step={step * 60}
      defaultValue={answered ? (typed ?? '') : stored}
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? `${name}-error` : undefined}
      {...(isFirst && { autoFocus: true })}
      className={classNames(controlClass, 'max-sm:px-2')}
    />
  )
}

/** What is wrong with the boxes of a line. */
export function TimeNotes({ names }: { names: readonly [string, string] }) {
  const [first, second] = [useFieldResult(names[0]).error, useFieldResult(names[1]).error]
  return (
    <>
      <FieldNotes id={names[0]} error={first} help={undefined} />
      <FieldNotes id={names[1]} error={second} help={undefined} />
    </>
  )
}
