import { ArrowDown, ArrowUp, ChevronRight, Copy, type LucideIcon, Plus, Trash2 } from 'lucide-react'
import { chargedKinds, ivaLabels, ivaRates, quoteLimits } from '../rules/content.ts'
import { followsField, isDiscount, lineField } from '../rules/draft.ts'
import { type GridRow, linesIn, nearRow } from '../rules/grid.ts'
import { isByMetre } from '../rules/metres.ts'
import { BuilderButton, BuilderField } from './builder-field.tsx'
import type { Build, Wrong } from './use-build.ts'

type Member = ReturnType<typeof linesIn>[number]
type RowProps = { build: Build; row: GridRow; wrong: Wrong; names: readonly string[] }

/** One item: a box for what each option has of it, and, opened, what else its lines say and what can be done with them. */
export function BuildRow(props: RowProps) {
  const { build, names, row, wrong } = props
  const members = linesIn(build.typed, row)
  const [leader] = members
  if (!leader) return null
  const { line } = leader
  const what = line.description || 'Sin descripción'
  const boxOf = boxesOf(row, wrong)
  return (
    <tr data-lines={members.map((one) => one.line.id).join(' ')}>
      <th scope="row">
        {what}
        {isByMetre(line) && <span className="text-mute">, {line.unit}</span>}
      </th>
      <td className="price">
        {isDiscount(line) ? null : row.apart.includes('unitPrice') ? (
          <span className="text-mute">Varía</span>
        ) : (
          <Price box={boxOf(leader, 'unitPrice')} label={what} />
        )}
      </td>
      {names.map((name, option) => {
        const member = members.find((one) => one.option === option)
        if (member)
          return <Cell key={name} {...props} leader={leader} member={member} label={`${what}, ${name}`} />
        const edit = { name: 'put', ...placeOf(row, leader), to: option } as const
        return (
          <td key={name}>
            <BuilderButton build={build} edit={edit} aria-label={`Agregar ${what} a ${name}`}>
              — <Plus aria-hidden className="size-3.5" />
            </BuilderButton>
          </td>
        )
      })}
      <Fold {...props} members={members} what={what} />
    </tr>
  )
}

const placeOf = ({ list }: GridRow, { option, place: at }: Member) => ({ option, list, at })

const boxesOf =
  (row: GridRow, wrong: Wrong) =>
  ({ line, option, place }: Member, field: keyof Member['line']) => ({
    name: lineField(option, row.list, place, field),
    value: line[field],
    error: wrong(line.id, field),
  })

type Box = ReturnType<ReturnType<typeof boxesOf>>

const Price = ({ box, label }: { box: Box; label: string }) => (
  <BuilderField
    {...box}
    isCell
    label={`Precio sin IVA de ${label}`}
    inputMode="decimal"
    data-column="price"
  />
)

type CellProps = RowProps & { leader: Member; member: Member; label: string }

/** What an option has of an item: its quantity, or what a discount takes off. */
function Cell({ label, leader, member, row, wrong }: CellProps) {
  const { line, option, place } = member
  const boxOf = boxesOf(row, wrong)
  const hidden = (field: string, value: string) => (
    <input type="hidden" name={lineField(option, row.list, place, field)} value={value} />
  )
  return (
    <td>
      {hidden('id', line.id)}
      {hidden('code', line.code)}
      {member !== leader && hidden(followsField, lineField(leader.option, row.list, leader.place, ''))}
      {isDiscount(line) && hidden('kind', line.kind)}
      <BuilderField
        key={line.id}
        {...boxOf(member, isDiscount(line) ? 'discount' : 'quantity')}
        isCell
        label={isDiscount(line) ? `${label}: 10\u00a0% o $500` : label}
        inputMode={isDiscount(line) ? 'text' : 'decimal'}
        data-column={option}
      />
      {row.apart.includes('unitPrice') && <Price box={boxOf(member, 'unitPrice')} label={label} />}
    </td>
  )
}

const acts = [
  { name: 'up', label: 'Subir', icon: ArrowUp },
  { name: 'down', label: 'Bajar', icon: ArrowDown },
  { name: 'duplicate', label: 'Duplicar', icon: Copy },
  { name: 'removeAll', label: 'Quitar', icon: Trash2 },
] as const satisfies readonly { name: string; label: string; icon: LucideIcon }[]

const options = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))
const charged = [
  { field: 'unit', label: 'Unidad', maxLength: quoteLimits.unit },
  { field: 'kind', label: 'Tipo', options: options(chargedKinds) },
  {
    field: 'iva',
    label: 'IVA',
    options: ivaRates.map((rate) => ({ value: String(rate), label: ivaLabels[rate] })),
  },
  { field: 'satProduct', label: 'Clave del SAT', inputMode: 'numeric', maxLength: 8 },
  { field: 'satUnit', label: 'Clave de unidad', maxLength: 3 },
] as const

type FoldProps = RowProps & { members: readonly Member[]; what: string }

/** The rest of a row. What its lines agree in stands once. */
function Fold({ build, members, names, row, what, wrong }: FoldProps) {
  const [leader] = members
  const isOpen = members.some(({ line }) => line.id === build.open)
  const words = { field: 'description', label: 'Descripción', maxLength: quoteLimits.description } as const
  const boxes = [words, ...(isDiscount(leader!.line) ? [] : charged)].flatMap(({ field, label, ...rest }) =>
    (row.apart.includes(field) ? members : [leader!]).map((member) => ({
      ...rest,
      ...boxesOf(row, wrong)(member, field),
      key: `${member.line.id} ${field}`,
      label: row.apart.includes(field) ? `${label}, ${names[member.option]}` : label,
      isWords: field === 'description',
    })),
  )
  return (
    <td className="fold">
      <details open={isOpen || boxes.some(({ error }) => error)}>
        <summary aria-label={`Más de ${what}`}>
          <ChevronRight aria-hidden className="size-4.5" />
        </summary>
        <div className="grid grid-cols-2 gap-3 lg:grid-cols-4 xl:grid-cols-7">
          {boxes.map(({ isWords, key, ...box }) => (
            <BuilderField
              key={key}
              {...box}
              {...(isWords && { className: 'col-span-2', 'data-part': 'description', autoFocus: isOpen })}
            />
          ))}
        </div>
        <RowButtons build={build} row={row} members={members} names={names} what={what} />
      </details>
    </td>
  )
}

/** What can be done with a row, or with its line in one option. */
function RowButtons({ build, members, names, row, what }: Omit<FoldProps, 'wrong'>) {
  const place = placeOf(row, members[0]!)
  const cant = {
    up: !nearRow(build.rows, row, -1),
    down: !nearRow(build.rows, row, 1),
    duplicate: false,
    removeAll: false,
  }
  return (
    <div className="flex flex-wrap gap-2">
      {acts.map(({ icon: Icon, label, name }) => (
        <BuilderButton
          key={name}
          build={build}
          edit={{ name, ...place }}
          data-part={name}
          aria-label={`${label} ${what}`}
          title={label}
          disabled={cant[name]}
        >
          <Icon aria-hidden className="size-5" />
        </BuilderButton>
      ))}
      {members.length > 1 &&
        members.map((member) => (
          <BuilderButton key={member.option} build={build} edit={{ name: 'remove', ...placeOf(row, member) }}>
            Quitar de {names[member.option]}
          </BuilderButton>
        ))}
    </div>
  )
}
