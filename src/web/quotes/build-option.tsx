import { type OptionId, optionNames, quoteLimits } from '../../domain/quotes/content.ts'
import {
  editValue,
  type ListName,
  lineField,
  optionField,
  readableLines,
  type TypedOption,
} from '../../domain/quotes/draft.ts'
import { linesWith, totalsOf } from '../../domain/quotes/totals.ts'
import { money } from '../../domain/shared/format.ts'
import { Card } from '../ui/card.tsx'
import { FieldNotes } from '../ui/field-frame.tsx'
import { useFieldResult } from '../ui/form.tsx'
import { AddLine } from './add-line.tsx'
import { Box } from './box.tsx'
import { BuildBenefit } from './build-benefit.tsx'
import { BuildLine } from './build-line.tsx'
import type { OptionsProps } from './build-options.tsx'
import { BuildTotals } from './build-totals.tsx'
import { Press } from './press.tsx'
import { useLineDrag } from './use-line-drag.ts'

/** Where an option stands on the page. */
export const optionAnchor = (id: OptionId) => `opcion-${id}`

type OptionProps = OptionsProps & { option: TypedOption; nth: number }

/** One option: what it is for, its lines, what may be added to it, and what that comes to. */
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
      <Box
        label="Para qué es"
        name={optionField(nth, 'summary')}
        value={option.summary}
        maxLength={quoteLimits.summary}
        isLong
      />
      {!isExtra && <MetresBoxes nth={nth} option={option} />}
      <Lines {...props} list="lines" title="Partidas" none="Ninguna todavía." />
      {benefit && <BuildBenefit line={benefit} />}
      <Lines {...props} list="addOns" title="Adicionales que puede elegir" none="Ninguno todavía." />
      <AddLine {...{ build, catalogue, nth, name }} />
      <BuildTotals lines={lines} depositPercent={isExtra ? null : build.typed.depositPercent} />
      {build.typed.options.length > 1 && (
        <Press value={editValue(removal)} onPress={() => build.change(removal)}>
          Quitar opción<span className="sr-only"> {name}</span>
        </Press>
      )}
    </Card>
  )
}

/** The cable that is included, and what each further metre costs. */
const MetresBoxes = ({ nth, option }: Pick<OptionProps, 'nth' | 'option'>) => (
  <div className="grid grid-cols-2 gap-3">
    <Box
      label="Metros de cable"
      name={optionField(nth, 'metres')}
      value={option.metres}
      inputMode="decimal"
    />
    <Box
      label="Metro más, sin IVA"
      name={optionField(nth, 'furtherPrice')}
      value={option.furtherPrice}
      inputMode="decimal"
    />
  </div>
)

/** `none`: what stands where the list is empty. */
type LinesProps = OptionProps & { list: ListName; title: string; none: string }

function Lines({ build, list, none, nth, option, title, wrong }: LinesProps) {
  const { error } = useFieldResult(optionField(nth, list))
  const { dragged, gripOf } = useLineDrag(({ from, to }) =>
    build.change({ name: 'move', option: nth, list, at: from, to }),
  )
  const lines = option[list]
  return (
    <div className="grid gap-1.5">
      <h3 className="text-[0.9375rem] font-semibold">{title}</h3>
      <FieldNotes id={optionField(nth, list)} help={undefined} error={error} />
      {lines.length === 0 ? (
        <p className="text-sm text-mute">{none}</p>
      ) : (
        <ol className="-mx-2 grid">
          {lines.map((line, at) => (
            <BuildLine
              key={line.id}
              {...{ build, line, wrong }}
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

/** How a line looks while one of its list is dragged: taken up, or with the gap before or after it. */
export type DragLook = 'taken' | 'before' | 'after' | null

function lookOf(dragged: { from: number; to: number } | null, at: number): DragLook {
  if (!dragged) return null
  if (dragged.from === at) return 'taken'
  const { from, to } = dragged
  if (to > from && at === to) return 'after'
  return to < from && at === to ? 'before' : null
}
