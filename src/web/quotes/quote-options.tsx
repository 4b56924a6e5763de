import { optionNames, type QuoteContent, type QuoteOption } from '../../domain/quotes/content.ts'
import { depositOf, type QuoteChoice, totalsOfOption } from '../../domain/quotes/totals.ts'
import { counted, money } from '../../domain/shared/format.ts'
import { Badge } from '../ui/badge.tsx'
import { Card, cardClass } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { DefinitionList } from '../ui/definition-list.tsx'
import { AddOns, Included, Metres, Sums } from './option-parts.tsx'

type QuoteOptionsProps = {
  content: Pick<QuoteContent, 'options' | 'depositPercent'>
  /** What is picked so far, in a form that asks; without it the options are there to be read. */
  choice?: QuoteChoice | undefined
  /** The one that was agreed, marked among the others. */
  accepted?: string | null
}

const columns = ['', 'lg:max-w-3xl', 'lg:grid-cols-2', 'lg:grid-cols-3']

/** The options of a quote, to compare: side by side on a desk, line by line; one below the other on a phone. */
export const QuoteOptions = ({ accepted, content, choice }: QuoteOptionsProps) => (
  <ul className={classNames('grid gap-4 lg:gap-y-0', columns[content.options.length])}>
    {content.options.map((option) => (
      <OptionCard
        key={option.id}
        option={option}
        depositPercent={content.depositPercent}
        choice={choice}
        isOnly={content.options.length === 1}
        isAccepted={option.id === accepted && content.options.length > 1}
      />
    ))}
  </ul>
)

type OptionCardProps = {
  option: QuoteOption
  depositPercent: number
  choice: QuoteChoice | undefined
  isOnly: boolean
  isAccepted: boolean
}

/** Its parts are in rows that all options share, so that the same thing is at the same height in each. */
function OptionCard({ option, depositPercent, choice, isOnly, isAccepted }: OptionCardProps) {
  const picked = choice?.addOns[option.id] ?? []
  const totals = totalsOfOption(option, picked)
  const deposit = depositOf(totals.total, depositPercent)
  return (
    <li
      className={classNames(
        cardClass,
        'grid grid-cols-1 content-start gap-4 p-4 sm:p-5 lg:row-span-5 lg:grid-rows-subgrid',
        'has-[input[type=radio]:checked]:border-brand has-[input[type=radio]:checked]:ring-1 has-[input[type=radio]:checked]:ring-brand',
      )}
    >
      <div className="grid content-start gap-1">
        <Name option={option} choice={choice} isOnly={isOnly} />
        {isAccepted && (
          <Badge tone="ok" className="justify-self-start">
            La que aceptó
          </Badge>
        )}
        <p className="text-[0.9375rem] text-mute">{option.summary}</p>
      </div>
      <div className="grid content-start gap-1">
        <p>
          <span className="text-2xl font-semibold">{money(totals.total)}</span>{' '}
          <span className="whitespace-nowrap text-mute">con IVA</span>
        </p>
        <p className="text-[0.9375rem]">
          {deposit > 0 ? `Anticipo al aceptar: ${money(deposit)} (${depositPercent} %)` : 'Sin anticipo'}
        </p>
        <Metres option={option} />
      </div>
      <Included totals={totals} option={option} />
      <AddOns option={option} picked={choice && picked} />
      <Sums option={option} totals={totals} />
    </li>
  )
}

function Name({ option: { id }, choice, isOnly }: Pick<OptionCardProps, 'option' | 'choice' | 'isOnly'>) {
  const name = optionNames[id]
  if (!choice || isOnly)
    return (
      <>
        {choice && <input type="hidden" name="option" value={id} />}
        <h3 className="text-lg font-semibold">{name}</h3>
      </>
    )
  return (
    <label className="-m-2 flex min-h-11 items-center gap-3 rounded-control p-2 hover:bg-hover">
      <input
        type="radio"
        name="option"
        value={id}
        defaultChecked={choice.option === id}
        className="size-5 shrink-0 accent-brand"
      />
      <span className="text-lg font-semibold">{name}</span>
    </label>
  )
}

/** "12 meses" */
const months = (count: number) => counted(count, 'mes', 'meses')

/** What a quote says besides its lines. */
export const QuoteTerms = ({ content }: { content: QuoteContent }) => (
  <Card title="Condiciones" className="lg:max-w-3xl">
    <DefinitionList
      items={[
        {
          term: 'Garantía',
          value: content.warrantyMonths > 0 && `${months(content.warrantyMonths)} sobre la instalación`,
        },
        { term: 'Qué no incluye', value: content.exclusions && <Text>{content.exclusions}</Text> },
        { term: 'Si cancelas', value: <Text>{content.refundTerms}</Text> },
        { term: 'Notas', value: content.notes && <Text>{content.notes}</Text> },
      ]}
    />
  </Card>
)

/** Typed in lines. */
const Text = ({ children }: { children: string }) => <span className="whitespace-pre-line">{children}</span>
