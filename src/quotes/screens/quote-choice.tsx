import { Star } from 'lucide-react'
import { useId } from 'react'
import { money } from '../../shared/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { cardClass, Details } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { addedLines, type ComparedItem, comparedItems, suggestedOption } from '../rules/comparison.ts'
import { type OptionId, optionNames, type QuoteContent, type QuoteOption } from '../rules/content.ts'
import { depositOf, type QuoteChoice, totalsOfOption } from '../rules/totals.ts'
import { AddOns, amountOf, LineList, Metres, Sums } from './option-parts.tsx'

type ChoiceProps = { content: QuoteContent; choice: QuoteChoice }

/** Picks an option and what is added to it. Without scripts the browser itself shows what the picked one includes. */
export const QuoteChoiceFields = ({ choice, content }: ChoiceProps) => (
  <fieldset className="group/quote grid min-w-0 gap-4">
    <legend className="mb-3 text-lg font-semibold">
      {content.options.length === 1 ? 'Lo que te ofrecemos' : 'Elige tu opción'}
    </legend>
    <div
      className={classNames(
        'grid gap-2.5',
        content.options.length === 2 && 'xl:grid-cols-2',
        content.options.length === 3 && 'xl:grid-cols-3',
      )}
    >
      {content.options.map((option) => (
        <OptionRadio key={option.id} option={option} content={content} choice={choice} />
      ))}
    </div>
    {content.options.map((option) => (
      <Panel key={option.id} option={option} content={content} choice={choice} />
    ))}
    {content.options.length > 1 && <Comparison content={content} choice={choice} />}
  </fieldset>
)

type OptionProps = ChoiceProps & { option: QuoteOption }

const pickedOf = ({ choice, option }: Pick<OptionProps, 'choice' | 'option'>) =>
  choice.addOns[option.id] ?? []

/** The option in a few words: its name, what it has more than the one before it, and what it costs. */
function OptionRadio({ choice, content, option }: OptionProps) {
  const id = useId()
  const { total } = totalsOfOption(option, pickedOf({ choice, option }))
  const deposit = depositOf(total, content.depositPercent)
  const isOnly = content.options.length === 1
  return (
    <label
      className={classNames(
        cardClass,
        'flex gap-3 px-3.5 py-3 has-checked:border-brand has-checked:ring-1 has-checked:ring-brand',
        !isOnly && 'hover:bg-hover',
      )}
    >
      <input
        type={isOnly ? 'hidden' : 'radio'}
        name="option"
        value={option.id}
        defaultChecked={choice.option === option.id}
        aria-labelledby={`${id}-name`}
        aria-describedby={`${id}-about`}
        className="mt-0.5 size-5 shrink-0 accent-brand"
      />
      <span className="grid min-w-0 flex-1 content-start gap-0.5">
        <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <span id={`${id}-name`}>
            <OptionName id={option.id} content={content} />
          </span>
          <span className="text-lg/6 font-semibold">{money(total)}</span>
        </span>
        <span id={`${id}-about`} className="grid gap-0.5 text-sm text-mute">
          <span className="wrap-anywhere">{differenceWords(content, option)}</span>
          <span>{deposit > 0 ? `Con IVA · Anticipo ${money(deposit)}` : 'Con IVA · Sin anticipo'}</span>
        </span>
      </span>
    </label>
  )
}

/** Its name; the one that we recommend among several is marked. */
function OptionName({ content, id }: { content: QuoteContent; id: OptionId }) {
  const isMarked = id === 'recommended' && content.options.length > 1
  if (!isMarked) return <span className="font-semibold">{optionNames[id]}</span>
  return (
    <Badge tone="ok" icon={Star}>
      {optionNames[id]}
    </Badge>
  )
}

/** "+ Protector de sobretensiones y 2 más"; of the first option, or where nothing was added, its purpose. */
function differenceWords({ options }: QuoteContent, { id, summary }: QuoteOption): string {
  const [first, ...others] = addedLines(options, id).map(({ description }) => description)
  if (!first) return summary
  return others.length === 0 ? `+ ${first}` : `+ ${first} y ${others.length} más`
}

const shownIf: Record<OptionId, string> = {
  essential: 'hidden group-has-[[value=essential]:checked]/quote:grid',
  recommended: 'hidden group-has-[[value=recommended]:checked]/quote:grid',
  complete: 'hidden group-has-[[value=complete]:checked]/quote:grid',
}

/** What the picked option includes, folded, and what may be added to it. */
function Panel({ choice, content, option }: OptionProps) {
  const picked = pickedOf({ choice, option })
  const totals = totalsOfOption(option, picked)
  const isOnly = content.options.length === 1
  return (
    <div className={classNames('gap-4', isOnly ? 'grid' : shownIf[option.id])}>
      <Details summary={isOnly ? 'Qué incluye' : `Qué incluye la ${optionNames[option.id]}`}>
        {option.summary && <p className="text-[0.9375rem] text-mute">{option.summary}</p>}
        <p className="text-sm text-mute">Cada partida va sin IVA; abajo se suman.</p>
        <LineList option={option} totals={totals} added={addedLines(content.options, option.id)} />
        <Sums option={option} totals={totals} />
        <Metres option={option} />
      </Details>
      <AddOns option={option} picked={picked} />
    </div>
  )
}

const columnIf: Record<OptionId, string> = {
  essential: 'group-has-[[value=essential]:checked]/quote:bg-brand-soft',
  recommended: 'group-has-[[value=recommended]:checked]/quote:bg-brand-soft',
  complete: 'group-has-[[value=complete]:checked]/quote:bg-brand-soft',
}

/** On a desk: what differs between the options, each in its column; what all include is said once. */
function Comparison({ choice, content }: ChoiceProps) {
  const { options } = content
  const items = comparedItems(options)
  const same = items.filter(({ differs }) => !differs)
  const different = items.filter(({ differs }) => differs)
  const totals = options.map((option) => totalsOfOption(option, pickedOf({ choice, option })).total)
  const column = (at: number) => classNames('px-2 py-2.5 text-right align-top', columnIf[options[at]!.id])
  return (
    <div className={classNames(cardClass, 'overflow-hidden max-lg:hidden')}>
      <table className="w-full text-sm">
        <caption className="px-4 pt-4 pb-2 text-left text-base font-semibold">Compara las opciones</caption>
        <thead>
          <tr>
            <td className="w-2/5" />
            {options.map(({ id }, at) => (
              <th key={id} scope="col" className={classNames(column(at), 'font-semibold')}>
                {optionNames[id]}
                {id === suggestedOption(content) && <span className="sr-only"> (la que te sugerimos)</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="[&>tr]:border-t [&>tr]:border-line">
          <Row name="Total con IVA" strong values={totals.map(money)} column={column} />
          <Row
            name="Anticipo"
            values={totals.map((total) => money(depositOf(total, content.depositPercent)))}
            column={column}
          />
          {different.map(({ description, key, lines }) => (
            <Row
              key={key}
              name={description}
              values={lines.map((line) => (line ? amountOf(line) : null))}
              column={column}
            />
          ))}
          {same.length > 0 && <SameInAll items={same} columns={options.length} />}
        </tbody>
      </table>
    </div>
  )
}

type SameInAllProps = { items: readonly ComparedItem[]; columns: number }

const SameInAll = ({ columns, items }: SameInAllProps) => (
  <tr>
    <th scope="row" className="px-4 py-2.5 text-left align-top font-normal text-mute">
      Igual en todas
    </th>
    <td colSpan={columns} className="px-4 py-2.5 text-mute">
      {items.map(({ description }) => description).join(' · ')}
    </td>
  </tr>
)

type RowProps = {
  name: string
  values: readonly (string | null)[]
  column: (at: number) => string
  strong?: boolean
}

const Row = ({ column, name, strong = false, values }: RowProps) => (
  <tr className={classNames(strong && 'font-semibold')}>
    <th
      scope="row"
      className={classNames(
        'px-4 py-2.5 text-left align-top wrap-anywhere',
        strong ? 'font-semibold' : 'font-normal',
      )}
    >
      {name}
    </th>
    {values.map((value, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a column of the table, always in the same place
      <td key={at} className={column(at)}>
        {value ?? (
          <>
            <span aria-hidden>—</span>
            <span className="sr-only">No la incluye</span>
          </>
        )}
      </td>
    ))}
  </tr>
)
