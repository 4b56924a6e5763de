import type { ReactNode } from 'react'
import { counted, money } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { cardClass, Details } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { optionNames, type QuoteContent, type QuoteOption } from '../rules/content.ts'
import type { QuoteState } from '../rules/quote.ts'
import { depositOf, totalsOfOption } from '../rules/totals.ts'
import { AddOns, LineList, Metres, Sums } from './option-parts.tsx'

type QuoteOptionsProps = {
  content: Pick<QuoteContent, 'options' | 'depositPercent'>
  /** The one that was agreed, marked among the others. */
  accepted?: string | null
}

const columns = ['', 'lg:max-w-3xl', 'lg:grid-cols-2', 'lg:grid-cols-3']

/** The options of a quote, to be read: side by side on a desk, line by line; one below the other on a phone. */
export const QuoteOptions = ({ accepted, content }: QuoteOptionsProps) => (
  <ul className={classNames('grid gap-4 lg:gap-y-0', columns[content.options.length])}>
    {content.options.map((option) => (
      <OptionCard
        key={option.id}
        option={option}
        depositPercent={content.depositPercent}
        isAccepted={option.id === accepted && content.options.length > 1}
      />
    ))}
  </ul>
)

type OptionCardProps = { option: QuoteOption; depositPercent: number; isAccepted: boolean }

/** Its parts are in rows that all options share, so that the same thing is at the same height in each. */
function OptionCard({ option, depositPercent, isAccepted }: OptionCardProps) {
  const totals = totalsOfOption(option)
  return (
    <li
      className={classNames(
        cardClass,
        'grid grid-cols-1 content-start gap-4 p-4 sm:p-5 lg:row-span-5 lg:grid-rows-subgrid',
      )}
    >
      <div className="grid content-start gap-1">
        <h3 className="text-lg font-semibold">{optionNames[option.id]}</h3>
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
        <p className="text-[0.9375rem]">{depositWords(totals.total, depositPercent)}</p>
        <Metres option={option} />
      </div>
      <div className="grid content-start gap-2">
        <h4 className="font-semibold">Qué incluye, sin IVA</h4>
        <LineList option={option} totals={totals} />
      </div>
      <Sums option={option} totals={totals} />
      {/* On a desk it keeps its row. */}
      <div>
        <AddOns option={option} />
      </div>
    </li>
  )
}

/** "Anticipo al aceptar: $580.00 (50 %)" */
function depositWords(total: number, depositPercent: number): string {
  const deposit = depositOf(total, depositPercent)
  return deposit > 0 ? `Anticipo al aceptar: ${money(deposit)} (${depositPercent}\u00a0%)` : 'Sin anticipo'
}

/** "12 meses" */
const months = (count: number) => counted(count, 'mes', 'meses')

type QuoteTermsProps = { content: QuoteContent; open?: boolean }

/** What a quote says besides its lines. */
export const QuoteTerms = ({ content, open = false }: QuoteTermsProps) => (
  <Details summary="Garantía, qué no incluye y reembolsos" open={open} className="lg:max-w-3xl">
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
  </Details>
)

/** Typed in lines. */
const Text = ({ children }: { children: string }) => <span className="whitespace-pre-line">{children}</span>

type AskedChangesProps = {
  quote: { revision: number; state: QuoteState; reason: string | null }
  /** What is done about it. */
  children?: ReactNode
}

const answerTitles: Partial<Record<QuoteState, string>> = {
  changes_requested: 'El cliente pidió cambios a la versión',
  rejected: 'El cliente rechazó la versión',
}

/** What a customer answered to a version, in their own words. */
export function AskedChanges({ children, quote: { reason, revision, state } }: AskedChangesProps) {
  const title = answerTitles[state]
  return (
    title &&
    reason && (
      <Alert tone="info" title={`${title} ${revision}`} actions={children}>
        <p className="whitespace-pre-line">«{reason}»</p>
      </Alert>
    )
  )
}
