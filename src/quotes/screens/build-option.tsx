import { Lock } from 'lucide-react'
import { type PointerEvent, useRef, useState } from 'react'
import { FieldNotes, OptionList } from '../../kit/form/field.tsx'
import { useFieldResult } from '../../kit/form/form.tsx'
import { money, percent, quantity, unitPrice } from '../../shared/format.ts'
import { metresOf, wholeOf } from '../../shared/money.ts'
import { withoutEnding } from '../../shared/text.ts'
import { Card } from '../../ui/card.tsx'
import {
  type CatalogueItem,
  chargedKinds,
  type DiscountLine,
  type OptionId,
  optionNames,
  type QuoteLine,
  quoteLimits,
} from '../rules/content.ts'
import {
  editValue,
  type LineListName,
  lineField,
  optionField,
  readableLines,
  type TypedOption,
} from '../rules/draft.ts'
import { linesApart } from '../rules/metres.ts'
import { mostDiscountShare } from '../rules/quote.ts'
import { depositOf, discountShareOf, linesWith, totalsOf } from '../rules/totals.ts'
import { BuildLine, type DragLook } from './build-line.tsx'
import { BuilderButton, BuilderField } from './builder-field.tsx'
import type { Build, Wrong } from './use-build.ts'

/** What every option gets. */
export type OptionsProps = {
  build: Build
  wrong: Wrong
  catalogue: readonly CatalogueItem[]
  /** What its customer's code takes off each option; null where there is none. */
  benefit: DiscountLine | null
  /** Extra work is one option without a name. */
  isExtra: boolean
}

/** The anchor of an option on the page. */
export const optionAnchor = (id: OptionId) => `opcion-${id}`

type OptionProps = OptionsProps & { option: TypedOption; nth: number }

/** One option: its purpose, its lines, its add-ons, and their sums. */
export function BuildOption(props: OptionProps) {
  const { benefit, build, catalogue, isExtra, nth, option } = props
  const lines = linesWith(readableLines(option.lines), benefit)
  const removal = { name: 'removeOption', option: nth } as const
  const name = isExtra ? 'Trabajo adicional' : optionNames[option.id]
  return (
    <Card
      title={name}
      data-option={nth}
      id={optionAnchor(option.id)}
      aside={<span className="font-semibold">{money(totalsOf(lines).total)}</span>}
    >
      <input type="hidden" name={optionField(nth, 'id')} value={option.id} />
      <BuilderField
        label="Para qué es"
        name={optionField(nth, 'summary')}
        value={option.summary}
        maxLength={quoteLimits.summary}
        isLong
      />
      {!isExtra && <MetresBoxes build={build} nth={nth} option={option} />}
      <Lines {...props} list="lines" title="Partidas" none="Ninguna todavía." />
      {benefit && <BuildBenefit line={benefit} />}
      <Lines {...props} list="addOns" title="Adicionales que puede elegir" none="Ninguno todavía." />
      <AddLine build={build} catalogue={catalogue} nth={nth} name={name} />
      <BuildTotals lines={lines} depositPercent={isExtra ? null : build.typed.depositPercent} />
      {build.typed.options.length > 1 && (
        <BuilderButton value={editValue(removal)} onPress={() => build.change(removal)}>
          Quitar opción<span className="sr-only"> {name}</span>
        </BuilderButton>
      )}
    </Card>
  )
}

/**
 * The metres of route that are included, and what each further one costs. The lines that stand for them follow when
 * the box is left, or by a press where there is no script.
 */
function MetresBoxes({ build, nth, option }: Pick<OptionProps, 'build' | 'nth' | 'option'>) {
  const edit = { name: 'metres', option: nth } as const
  const recount = () => build.change(edit)
  const metres = metresOf(option.metres)
  const isBehind = metres !== null && metres > 0 && metres !== metresOf(option.counted)
  const apart = linesApart(readableLines([...option.lines, ...option.addOns]), metres)
  return (
    <div className="grid gap-2">
      <input type="hidden" name={optionField(nth, 'counted')} value={option.counted} />
      <div className="grid grid-cols-2 gap-3">
        <BuilderField
          label="Metros de recorrido"
          name={optionField(nth, 'metres')}
          value={option.metres}
          inputMode="decimal"
          data-part="metres"
          onBlur={isBehind ? recount : undefined}
        />
        <BuilderField
          label="Metro adicional, sin IVA"
          name={optionField(nth, 'furtherPrice')}
          value={option.furtherPrice}
          inputMode="decimal"
        />
      </div>
      <div className={isBehind ? '' : 'hidden noscript:block'}>
        <BuilderButton value={editValue(edit)} onPress={recount}>
          Recalcular partidas
        </BuilderButton>
      </div>
      {!isBehind && apart.length > 0 && (
        <p className="text-sm font-medium text-wait">
          No se recalculan, porque se cambiaron a mano:{' '}
          {apart.map((line) => `${line.description} (${quantity(line.quantity)}\u00a0m)`).join(', ')}.
        </p>
      )}
    </div>
  )
}

/** `none`: shown where the list is empty. */
type LinesProps = OptionProps & { list: LineListName; title: string; none: string }

function Lines({ build, list, none, nth, option, title, wrong }: LinesProps) {
  const { error, id } = useFieldResult(optionField(nth, list))
  const { dragged, gripOf } = useLineDrag(({ from, to }) =>
    build.change({ name: 'move', option: nth, list, at: from, to }),
  )
  const lines = option[list]
  return (
    <div id={id} className="grid gap-1.5">
      <h3 className="text-[0.9375rem] font-semibold">{title}</h3>
      {id && <FieldNotes id={id} error={error} />}
      {lines.length === 0 ? (
        <p className="text-sm text-mute">{none}</p>
      ) : (
        <ol className="-mx-2 grid">
          {lines.map((line, at) => (
            <BuildLine
              key={line.id}
              build={build}
              line={line}
              wrong={wrong}
              place={{ option: nth, list, at }}
              count={lines.length}
              nameOf={(field) => lineField(nth, list, at, field)}
              grip={gripOf(at)}
              look={lookOf(dragged, at)}
            />
          ))}
        </ol>
      )}
    </div>
  )
}

function lookOf(dragged: { from: number; to: number } | null, at: number): DragLook {
  if (!dragged) return null
  if (dragged.from === at) return 'taken'
  const { from, to } = dragged
  if (to > from && at === to) return 'after'
  return to < from && at === to ? 'before' : null
}

/** What the code of its customer takes off an option: it is automatic, and no author of a quote changes it. */
const BuildBenefit = ({ line: { description } }: { line: DiscountLine }) => (
  <p className="flex gap-2 rounded-control bg-hover px-3 py-2.5 text-[0.9375rem]">
    <Lock aria-hidden className="mt-0.5 size-4.5 shrink-0 text-mute" />
    <span className="min-w-0 flex-1 wrap-anywhere">
      {description}
      <span className="block text-sm text-mute">Lo pone el código del cliente y no se edita.</span>
    </span>
  </p>
)

/** A dragged line: where it was taken from, and where it would be dropped. */
type Dragged = { from: number; to: number }

/**
 * Makes the lines of a list movable by their grips, with a mouse, a pen or a finger; a cancelled pointer leaves them
 * in place.
 */
function useLineDrag(onDrop: (dragged: Dragged) => void) {
  const [dragged, setDragged] = useState<Dragged | null>(null)
  const gripOf = (from: number) => ({
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0 || !event.isPrimary) return
      event.preventDefault()
      event.currentTarget.setPointerCapture(event.pointerId)
      setDragged({ from, to: from })
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (!dragged || !event.currentTarget.hasPointerCapture(event.pointerId)) return
      const to = placeAt(event.currentTarget, event.clientY)
      if (to !== dragged.to) setDragged({ from, to })
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      if (!dragged || !event.currentTarget.hasPointerCapture(event.pointerId)) return
      setDragged(null)
      if (dragged.to !== from) onDrop(dragged)
    },
    onPointerCancel: () => setDragged(null),
  })
  return { dragged, gripOf }
}

/** The place in its list under a pointer: past the middle of a line is after it. */
function placeAt(grip: HTMLElement, y: number): number {
  const own = grip.closest('li')
  const rows = [...(own?.parentElement?.children ?? [])].filter((row) => row !== own)
  return rows.filter((row) => {
    const { top, height } = row.getBoundingClientRect()
    return top + height / 2 < y
  }).length
}

type TotalsProps = {
  /** As far as they can be read, a code's with them. */
  lines: readonly QuoteLine[]
  /** As it is typed; null where there is none. */
  depositPercent: string | null
}

/** The sums of an option as it is typed, calculated as everywhere else. */
function BuildTotals({ lines, depositPercent }: TotalsProps) {
  const totals = totalsOf(lines)
  const deposit = wholeOf(withoutEnding(depositPercent ?? '', '%'))
  const share = discountShareOf(lines)
  return (
    <div className="grid gap-2 border-t border-line pt-4">
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 text-[0.9375rem]">
        <Sum term="Subtotal" value={money(totals.subtotal)} />
        {totals.discount > 0 && (
          <Sum term={`Descuento (${percent(share)})`} value={money(-totals.discount)} />
        )}
        <Sum term="IVA" value={money(totals.iva)} />
        <Sum term="Total con IVA" value={money(totals.total)} strong />
        {deposit !== null && deposit <= 100 && (
          <Sum term={`Anticipo (${deposit}\u00a0%)`} value={money(depositOf(totals.total, deposit))} />
        )}
      </dl>
      {share > mostDiscountShare && (
        <p className="text-sm font-medium text-wait">
          El descuento pasa del {percent(mostDiscountShare)}: solo la gerencia puede enviarla así.
        </p>
      )}
    </div>
  )
}

const Sum = ({ term, value, strong = false }: { term: string; value: string; strong?: boolean }) => (
  <>
    <dt className={strong ? 'font-semibold' : 'text-mute'}>{term}</dt>
    <dd className={strong ? 'text-right text-lg/6 font-semibold' : 'text-right'}>{value}</dd>
  </>
)

type AddLineProps = { build: Build; catalogue: readonly CatalogueItem[]; nth: number; name: string }

/** Puts one more line into an option: from the catalogue, blank, or a discount. */
function AddLine({ build, catalogue, nth, name }: AddLineProps) {
  const list = useRef<HTMLDivElement>(null)
  const add = (into: LineListName) => {
    const what = list.current?.querySelector('select')?.value ?? ''
    build.change({ name: 'add', option: nth, list: into, what })
  }
  const button = (into: LineListName, label: string) => (
    <BuilderButton
      value={editValue({ name: 'add', option: nth, list: into, what: '' })}
      onPress={() => add(into)}
      className="flex-1 px-2 text-[0.9375rem] whitespace-nowrap"
    >
      {label}
    </BuilderButton>
  )
  return (
    <div ref={list} className="grid gap-2 border-t border-line pt-4">
      <OptionList
        aria-label={`Qué agregar a ${name}`}
        name={optionField(nth, 'add')}
        defaultValue=""
        data-part="add"
      >
        <option value="">Partida en blanco</option>
        <option value="discount">Descuento</option>
        {Object.entries(chargedKinds).map(([kind, label]) => (
          <optgroup key={kind} label={label}>
            {catalogue
              .filter((item) => item.kind === kind)
              .map((item) => (
                <option key={item.code} value={item.code}>
                  {item.description} ({unitPrice(item.unitPrice)})
                </option>
              ))}
          </optgroup>
        ))}
      </OptionList>
      <div className="flex flex-wrap gap-2">
        {button('lines', 'Agregar')}
        {button('addOns', 'Como adicional')}
      </div>
    </div>
  )
}
