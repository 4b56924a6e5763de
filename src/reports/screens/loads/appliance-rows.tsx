import { Check, Plus, Trash2 } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import {
  controlClass,
  FieldError,
  FieldNotes,
  type FieldProps,
  steadyClass,
  useField,
} from '../../../kit/form/field.tsx'
import { useFollowed } from '../../../kit/form/radio-cards.tsx'
import { thousands } from '../../../shared/format.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { noLoads } from '../../rules/answers.ts'
import { type HouseLoad, type LoadKind, loadKinds } from '../../rules/report.ts'
import {
  asTyped,
  blankRows,
  keyed,
  type LoadRowData,
  loadBoxes,
  type OnAnswer,
  rowsOn,
  type TypedLoad,
} from './typed-loads.ts'

type Usual = { name: string; watts: number; kind: LoadKind }
const ofKind = (kind: LoadKind, watts: Record<string, number>): Usual[] =>
  Object.entries(watts).map(([name, each]) => ({ name, watts: each, kind }))

/** The usual appliances with their usual watts. */
const usual: readonly Usual[] = [
  ...ofKind('cooling', { 'Minisplit 1 t': 1200, 'Minisplit 2 t': 2400, 'Aire acondicionado': 3500 }),
  ...ofKind('heating', { Calefactor: 1500 }),
  ...ofKind('other', {
    'Bomba ½ hp': 550,
    'Bomba de alberca': 1100,
    Refrigerador: 350,
    Lavadora: 500,
    Secadora: 5000,
    Horno: 3000,
    Boiler: 4500,
    'Regadera eléctrica': 5500,
    'Estufa de inducción': 7000,
    Jacuzzi: 3000,
  }),
]
const readyOf = (name: string) => usual.find((one) => one.name === name)

type ApplianceRowsProps = FieldProps & {
  /** Empty where there is none; null where that was not said. */
  value: readonly HouseLoad[] | null
  /** The rows as typed, where one of them is not complete. */
  typed: readonly TypedLoad[] | null
  hear: OnAnswer
}

/** The appliances of a house, a row each; the usual ones with a tap. */
export function ApplianceRows({ value, typed, hear, label, name, help, error }: ApplianceRowsProps) {
  const field = useField({ name, help, error })
  const group = useRef<HTMLFieldSetElement>(null)
  const { rows, add, remove } = useLoadRows(group, typed?.map(keyed) ?? value?.map(asTyped) ?? [], hear)
  const total = (value ?? []).reduce((sum, { quantity, watts }) => sum + quantity * watts, 0)
  return (
    <fieldset
      {...field.described}
      id={field.id}
      ref={group}
      className="grid min-w-0 gap-3"
      onInput={() => hear(rowsOrNothing(group.current), false)}
      onBlur={({ currentTarget, relatedTarget }) => {
        // Focus that moves to the next box of the list has not left it.
        if (!currentTarget.contains(relatedTarget) && rows.length > 0)
          hear(rowsOrNothing(group.current), true)
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
      {(rows.length > 0 || field.error) && (
        <div className={steadyClass}>
          <p className="text-[0.9375rem] font-medium">Suman {thousands(total)}&nbsp;W.</p>
          {field.error && <FieldError id={field.id} error={field.error} />}
        </div>
      )}
      <div className="grid gap-2 noscript:hidden">
        <div className="grid grid-cols-2 gap-2">
          {usual.map((one) => (
            <AddButton key={one.name} onAdd={() => add(one)} note={`${thousands(one.watts)}\u00a0W`}>
              {one.name}
            </AddButton>
          ))}
          <AddButton onAdd={() => add()} isLast>
            Otro aparato
          </AddButton>
          {rows.length === 0 && (
            <AddButton onAdd={() => hear(noLoads, true)} isChosen={value?.length === 0}>
              Ninguno
            </AddButton>
          )}
        </div>
      </div>
      <label className="hidden min-h-12 items-center gap-3 noscript:flex">
        <input
          type="checkbox"
          name={name}
          value={noLoads}
          defaultChecked={value?.length === 0}
          className="size-6 accent-brand"
        />
        Ninguno
      </label>
    </fieldset>
  )
}

type AddButtonProps = {
  onAdd: () => void
  note?: string
  isLast?: boolean
  /** That there is none is an answer, too. */
  isChosen?: boolean
  children: string
}

function AddButton({ onAdd, note, isLast, isChosen, children }: AddButtonProps) {
  const Icon = isChosen ? Check : Plus
  const icon = <Icon aria-hidden className="size-4.5 text-brand" />
  return (
    <Button
      variant="ghost"
      className={classNames(
        'px-2.5! text-left aria-pressed:border-brand aria-pressed:bg-brand-soft',
        // Half of a phone's width has no room for "Refrigerador" beside it.
        note ? 'flex-col items-start gap-0!' : 'justify-start gap-1.5!',
      )}
      data-add={isLast ? '' : undefined}
      aria-pressed={isChosen}
      onClick={onAdd}
    >
      {!note && icon}
      {children}
      {note && (
        <span className="flex items-center gap-1 text-sm font-normal text-mute">
          {icon}
          {note}
        </span>
      )}
    </Button>
  )
}

/** Rows that were all taken out are no answer; that there is nothing is said by its own button. */
function rowsOrNothing(group: HTMLElement | null) {
  const rows = rowsOn(group)
  return rows.length > 0 ? rows : null
}

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
  const boxOf = (key: string, part: keyof TypedLoad) =>
    group.current?.querySelector<HTMLInputElement>(`[data-row="${key}"] [data-part=${part}]`)
  /** A usual one comes whole; pressed again there are two of it. Another one is written. */
  const add = (one?: Usual) => {
    const same = one && rowsOn(group.current).find(({ name }) => name === one.name)
    const quantity = same && boxOf(same.key, 'quantity')
    if (quantity) {
      quantity.value = String(Number(quantity.value) + 1)
      return hear(rowsOn(group.current), true)
    }
    added.current += 1
    const key = `added-${added.current}`
    const { kind = '', name = '', watts = '' } = one ?? {}
    setRows((before) => [...before, { key, kind, name, watts: String(watts), quantity: '1' }])
    requestAnimationFrame(() => {
      if (!one) boxOf(key, 'name')?.focus()
      hear(rowsOn(group.current), one !== undefined)
    })
  }
  const remove = (gone: string) => {
    const left = rowsOn(group.current).filter(({ key }) => key !== gone)
    hear(left.length > 0 ? left : null, true)
    setRows((before) => before.filter(({ key }) => key !== gone))
    group.current?.querySelector<HTMLElement>('[data-add]')?.focus()
  }
  return { rows, add, remove }
}

const boxesOf = ({ kind, name, quantity, watts }: LoadRowData) => [name, kind, watts, quantity]

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
  const ready = readyOf(row.name)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset in a fieldset would be read out twice.
    <div
      role="group"
      aria-label={what}
      data-row={row.key}
      className={classNames(
        'grid gap-x-2 gap-y-3 border-t border-line pt-3',
        ready ? 'grid-cols-[1fr_4.5rem_3.5rem_auto] [&_input]:px-2' : 'grid-cols-[1fr_1fr_auto]',
        className,
      )}
    >
      {ready ? <ReadyLoad {...ready} names={names} /> : <OtherLoad row={row} names={names} />}
      <LoadBox label="Watts" part="watts" name={names.watts} value={row.watts} />
      <LoadBox label="Cuántos" part="quantity" name={names.quantity} value={row.quantity} />
      {onRemove && (
        <Button
          variant="ghost"
          aria-label={`Quitar ${what}`}
          className="self-end px-2.5 noscript:hidden"
          onClick={onRemove}
        >
          <Trash2 aria-hidden className="size-5" />
        </Button>
      )}
    </div>
  )
}

type LoadNames = ReturnType<typeof loadBoxes>

const ReadyLoad = ({ kind, name, names }: Usual & { names: LoadNames }) => (
  <span className="self-center wrap-anywhere">
    {name}
    {kind !== 'other' && (
      <span className="block text-sm text-mute">Cuenta completo: {loadKinds[kind].toLowerCase()}</span>
    )}
    <input type="hidden" data-part="name" name={names.name} value={name} />
    <input type="hidden" data-part="kind" name={names.kind} value={kind} />
  </span>
)

const OtherLoad = ({ names, row }: { row: LoadRowData; names: LoadNames }) => (
  <>
    <LoadBox label="Aparato" part="name" name={names.name} value={row.name} />
    <label className="col-span-3 grid min-w-0 gap-1 text-sm text-mute">
      ¿Es clima o calefacción?
      <select name={names.kind} data-part="kind" defaultValue={row.kind} className={controlClass}>
        <option value="">Elige</option>
        <option value="other">No</option>
        <option value="cooling">Sí, clima</option>
        <option value="heating">Sí, calefacción</option>
      </select>
    </label>
  </>
)

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
