import { Plus } from 'lucide-react'
import { useRef } from 'react'
import type { HouseLoad } from '../../domain/reports/report.ts'
import { thousands } from '../../domain/shared/format.ts'
import { Button } from '../ui/button.tsx'
import { FieldNotes, type FieldProps, useField } from '../ui/field-frame.tsx'
import { LoadRow } from './load-row.tsx'
import { asTyped, blankRows, keyed, rowsOn, type TypedLoad } from './typed-loads.ts'
import type { Hear } from './use-box.ts'
import { useLoadRows } from './use-load-rows.ts'

const usual = ['Aire acondicionado', 'Bomba de agua', 'Boiler eléctrico', 'Horno', 'Secadora', 'Alumbrado']

type LoadsFieldProps = FieldProps & {
  value: readonly HouseLoad[]
  /** The rows as they stand in their boxes, where one of them is not complete. */
  typed: readonly TypedLoad[] | null
  hear: Hear
}

/** The appliances of a house, a row each; the usual ones with a tap. */
export function LoadsField({ value, typed, hear, label, name, help, error }: LoadsFieldProps) {
  const field = useField({ name, help, error })
  const group = useRef<HTMLFieldSetElement>(null)
  const { rows, add, remove } = useLoadRows(group, typed?.map(keyed) ?? value.map(asTyped), hear)
  const total = value.reduce((sum, { quantity, watts }) => sum + quantity * watts, 0)
  return (
    <fieldset
      {...field.described}
      ref={group}
      className="grid min-w-0 gap-4"
      onInput={() => hear(rowsOn(group.current), false)}
      onBlur={({ currentTarget, relatedTarget }) => {
        // Whoever goes on to the next box of the list has not left it.
        if (!currentTarget.contains(relatedTarget)) hear(rowsOn(group.current), true)
      }}
    >
      <legend className="mb-1.5 font-semibold">{label}</legend>
      <FieldNotes id={field.id} help={help} error={undefined} />
      {rows.map((row, nth) => (
        <LoadRow key={row.key} {...{ row, nth }} question={name} onRemove={() => remove(row.key)} />
      ))}
      {blankRows.map((row, nth) => (
        <LoadRow
          key={row.key}
          row={row}
          nth={rows.length + nth}
          question={name}
          className="hidden noscript:grid"
        />
      ))}
      <FieldNotes id={field.id} help={undefined} error={field.error} />
      {total > 0 && <p className="text-[0.9375rem] font-medium">Suman {thousands(total)} W.</p>}
      <div className="grid gap-2 noscript:hidden">
        <p className="text-sm text-mute">Agregar</p>
        <div className="flex flex-wrap gap-2">
          {usual.map((named) => (
            <AddButton key={named} onAdd={() => add(named)}>
              {named}
            </AddButton>
          ))}
          <AddButton onAdd={() => add('')} isLast>
            Otro aparato
          </AddButton>
        </div>
      </div>
    </fieldset>
  )
}

type AddButtonProps = { onAdd: () => void; isLast?: boolean; children: string }

const AddButton = ({ onAdd, isLast, children }: AddButtonProps) => (
  <Button
    variant="ghost"
    className="gap-1.5 px-3 text-[0.9375rem] font-normal"
    data-add={isLast ? '' : undefined}
    onClick={onAdd}
  >
    <Plus aria-hidden className="size-4.5 text-brand" />
    {children}
  </Button>
)
