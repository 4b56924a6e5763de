import { Plus, Trash2 } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import type { HouseLoad } from '../../domain/reports/report.ts'
import { thousands } from '../../domain/shared/format.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { controlClass, FieldNotes, type FieldProps, useField } from '../ui/field.tsx'
import { useFormAnswered } from '../ui/form.tsx'
import { useFollowed } from '../ui/radio-cards.tsx'
import {
  asTyped,
  blankRows,
  keyed,
  type LoadRowData,
  loadBoxes,
  rowsOn,
  type TypedLoad,
} from './typed-loads.ts'

const usual = ['Aire acondicionado', 'Bomba de agua', 'Boiler eléctrico', 'Horno', 'Secadora', 'Alumbrado']

type LoadsFieldProps = FieldProps & {
  value: readonly HouseLoad[]
  /** The rows as typed, where one of them is not complete. */
  typed: readonly TypedLoad[] | null
  hear: OnAnswer
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
      id={field.id}
      ref={group}
      className="grid min-w-0 gap-4"
      onInput={() => hear(rowsOn(group.current), false)}
      onBlur={({ currentTarget, relatedTarget }) => {
        // Focus that moves to the next box of the list has not left it.
        if (!currentTarget.contains(relatedTarget)) hear(rowsOn(group.current), true)
      }}
    >
      <legend className="mb-1.5 font-semibold">{label}</legend>
      <FieldNotes id={field.id} help={help} error={undefined} />
      {rows.map((row, nth) => (
        <LoadRow key={row.key} row={row} nth={nth} question={name} onRemove={() => remove(row.key)} />
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

/** The rows of a list of appliances on the page: added, filled in and taken out by hand, or replaced from elsewhere. */
function useLoadRows(
  group: RefObject<HTMLFieldSetElement | null>,
  shown: readonly LoadRowData[],
  hear: OnAnswer,
) {
  const added = useRef(0)
  const [rows, setRows] = useState(shown)
  useFollowed(JSON.stringify(shown), () => {
    // What was kept from here is no change, and would reset the keys of the rows.
    const news = JSON.stringify(shown.map(boxesOf)) !== JSON.stringify(rowsOn(group.current).map(boxesOf))
    if (news && !group.current?.contains(document.activeElement)) setRows(shown)
  })
  const add = (name: string) => {
    added.current += 1
    const key = `added-${added.current}`
    setRows((before) => [...before, { key, name, watts: '', quantity: '1' }])
    // The first of its boxes that is still empty.
    const part = name ? 'watts' : 'name'
    requestAnimationFrame(() =>
      group.current?.querySelector<HTMLElement>(`[data-row="${key}"] [data-part=${part}]`)?.focus(),
    )
    requestAnimationFrame(() => hear(rowsOn(group.current), false))
  }
  const remove = (gone: string) => {
    hear(
      rowsOn(group.current).filter(({ key }) => key !== gone),
      true,
    )
    setRows((before) => before.filter(({ key }) => key !== gone))
    group.current?.querySelector<HTMLElement>('[data-add]')?.focus()
  }
  return { rows, add, remove }
}

const boxesOf = ({ name, quantity, watts }: LoadRowData) => [name, watts, quantity]

type LoadRowProps = {
  row: LoadRowData
  nth: number
  question: string
  onRemove?: () => void
  className?: string
}

/** One kind of appliance: what it is, what it draws, how many there are. */
function LoadRow({ row, nth, question, onRemove, className }: LoadRowProps) {
  const names = loadBoxes(question, nth)
  const what = row.name || `aparato ${nth + 1}`
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset in a fieldset would be read out twice.
    <div
      role="group"
      aria-label={what}
      data-row={row.key}
      className={classNames(
        'grid grid-cols-[1fr_1fr_auto] gap-x-2 gap-y-3 border-t border-line pt-4',
        className,
      )}
    >
      <LoadBox label="Aparato" part="name" name={names.name} value={row.name} />
      <LoadBox label="Watts" part="watts" name={names.watts} value={row.watts} />
      <LoadBox label="Cuántos" part="quantity" name={names.quantity} value={row.quantity} />
      {onRemove && (
        <Button
          variant="ghost"
          aria-label={`Quitar ${what}`}
          className="self-end px-3 noscript:hidden"
          onClick={onRemove}
        >
          <Trash2 aria-hidden className="size-5" />
        </Button>
      )}
    </div>
  )
}

type LoadBoxProps = { label: string; part: keyof TypedLoad; name: string; value: string }

const LoadBox = ({ label, part, name, value }: LoadBoxProps) => (
  <label className={classNames('grid min-w-0 gap-1 text-sm text-mute', part === 'name' && 'col-span-3')}>
    {label}
    <input
      name={name}
      data-part={part}
      defaultValue={value}
      inputMode={part === 'name' ? 'text' : 'numeric'}
      enterKeyHint="next"
      autoComplete="off"
      className={controlClass}
    />
  </label>
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

/** Receives what is typed for a question: at each key, and once more when its box loses the focus. */
export type OnAnswer = (typed: unknown, left: boolean) => void

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
