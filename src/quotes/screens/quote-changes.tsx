import { ArrowRightLeft, type LucideIcon, Minus, PenLine, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { ReasonNote, Select, TextArea } from '../../kit/form/field.tsx'
import { Form, FormDetails, Submit } from '../../kit/form/form.tsx'
import { lowerFirst, money, percent, thousands } from '../../shared/format.ts'
import { Details } from '../../ui/card.tsx'
import type { OwnQuote } from '../detail.ts'
import { isCharged, optionNames, type QuoteLine, type QuoteOption } from '../rules/content.ts'
import type { LineChange, OptionChange, QuoteDifference, TermChange } from '../rules/diff.ts'
import { rejectReasons } from '../rules/quote.ts'
import { benefitLineId, priceWithIva, totalsOf } from '../rules/totals.ts'
import { amountOf } from './option-parts.tsx'

type QuoteChangesProps = {
  difference: QuoteDifference
  /** The version it is compared with. */
  before: number
  isOpen: boolean
}

/** What changed since the version before, line by line. */
export function QuoteChanges({ difference: { options, terms }, before, isOpen }: QuoteChangesProps) {
  const isSame = options.length === 0 && terms.length === 0
  return (
    <Details summary={`Qué cambió desde la versión ${before}`} open={isOpen} className="lg:max-w-3xl">
      {isSame && <p>Nada de lo que incluye ni de lo que cuesta.</p>}
      {options.map((change) => (
        <Option key={change.option} {...change} />
      ))}
      {terms.length > 0 && (
        <div className="grid gap-2">
          <h3 className="font-semibold">Condiciones</h3>
          <ul className="grid gap-2 text-[0.9375rem]">
            {terms.map((change) => (
              <Item key={change.term} icon={PenLine} word="Cambió">
                {termWords(change)}
              </Item>
            ))}
          </ul>
        </div>
      )}
    </Details>
  )
}

function Option({ option, before, after, lines, metres }: OptionChange) {
  return (
    <div className="grid gap-2">
      <h3 className="font-semibold">
        {optionNames[option]}{' '}
        <span className="font-normal text-mute">
          {before === null
            ? `es nueva: ${money(after ?? 0)}`
            : after === null
              ? `ya no está: era ${money(before)}`
              : before === after
                ? `sigue en ${money(after)}`
                : `de ${money(before)} a ${money(after)} con IVA`}
        </span>
      </h3>
      <ul className="grid gap-2 text-[0.9375rem]">
        {lines.map((change) => (
          <Line key={('after' in change ? change.after : change.before).id} change={change} />
        ))}
        {metres && (
          <Item icon={PenLine} word="Cambió">
            Recorrido incluido: {metresWords(metres.before)} → {metresWords(metres.after)}
          </Item>
        )}
      </ul>
    </div>
  )
}

function Line({ change }: { change: LineChange }) {
  const addOn = change.isAddOn ? ' (si lo agregas)' : ''
  switch (change.change) {
    case 'added':
      return (
        <Item icon={Plus} word="Agregamos">
          {newWords(change.after)}
          {addOn}
        </Item>
      )
    case 'removed':
      return (
        <Item icon={Minus} word="Quitamos">
          {change.before.description}, {lineWords(change.before)}
          {addOn}
        </Item>
      )
    case 'moved':
      return (
        <Item icon={ArrowRightLeft} word="Cambió">
          {change.after.description}: {change.isAddOn ? 'ahora lo agregas si quieres' : 'ahora está incluido'}
          , {lineWords(change.after)}
        </Item>
      )
    case 'changed':
      return (
        <Item icon={PenLine} word="Cambió">
          {change.before.description === change.after.description
            ? change.after.description
            : `${change.before.description} → ${change.after.description}`}
          : {lineWords(change.before)} → {lineWords(change.after)}
          {addOn}
        </Item>
      )
  }
}

/** "12 m, $350.00 con IVA"; what a discount takes off. */
function lineWords(line: QuoteLine): string {
  if (isCharged(line)) return `${amountOf(line)}, ${money(totalsOf([line]).total)} con IVA`
  return line.percent === null ? `−${money(line.amount)} más IVA` : `−${percent(line.percent)}`
}

/** "código PRUEBA22 (−10 %)", which its line says once more, and of any other line its description. */
const newWords = (line: QuoteLine) =>
  line.id === benefitLineId
    ? `${lowerFirst(line.description.split(':')[0]!)} (${lineWords(line)})`
    : `${line.description}, ${lineWords(line)}`

const metresWords = (metres: QuoteOption['metres']) =>
  metres
    ? `${thousands(metres.included / 10)}\u00a0m, cada metro adicional ${money(priceWithIva(metres.furtherPrice, 16))}`
    : 'no se indicaba'

function termWords(change: TermChange): string {
  switch (change.term) {
    case 'depositPercent':
      return `Anticipo: ${change.before}\u00a0% → ${change.after}\u00a0%`
    case 'warrantyMonths':
      return `Garantía: ${change.before} meses → ${change.after} meses`
    case 'exclusions':
      return 'Qué no incluye'
    case 'refundTerms':
      return 'Qué pasa si cancelas'
    case 'notes':
      return 'Notas'
  }
}

/** The icon is for sighted users, the word for screen readers. */
const Item = ({ icon: Icon, word, children }: { icon: LucideIcon; word: string; children: ReactNode }) => (
  <li className="flex gap-2">
    <Icon aria-hidden className="mt-0.5 size-4.5 shrink-0 text-mute" />
    <span className="min-w-0 flex-1 wrap-anywhere">
      <span className="font-medium">{word}:</span> {children}
    </span>
  </li>
)

type OneProps = { quote: OwnQuote }

/** What a customer can say of a quote besides accepting it. */
export const QuoteAnswers = ({ quote }: OneProps) => (
  <div className="grid gap-3 lg:max-w-3xl">
    <AskChanges quote={quote} />
    <Reject quote={quote} />
  </div>
)

const AskChanges = ({ quote: { id, version } }: OneProps) => (
  <FormDetails summary="Pedir cambios" intent="ask-changes" target={{ quoteId: id }}>
    <input type="hidden" name="version" value={version} />
    <TextArea
      label="¿Qué te gustaría cambiar?"
      name="changes"
      maxLength={2000}
      help="Te preparamos otra versión y te mostramos qué cambió."
    />
    <Submit variant="ghost">Pedir cambios</Submit>
  </FormDetails>
)

const reasons = Object.entries(rejectReasons).map(([value, label]) => ({ value, label }))

const Reject = ({ quote: { id, version } }: OneProps) => (
  <FormDetails summary="No me interesa" intent="reject-quote" target={{ quoteId: id }}>
    <input type="hidden" name="version" value={version} />
    <Select label="Motivo" name="reason" placeholder="Elige un motivo" options={reasons} />
    <ReasonNote label="Cuéntanos más" name="note" maxLength={500} />
    <Submit variant="destructive">Rechazar cotización</Submit>
  </FormDetails>
)

/** Calls off what was accepted. */
export const CancelAccepted = ({ quote: { content, id, version } }: OneProps) => (
  <FormDetails
    summary="Cancelar mi cotización"
    intent="cancel-quote"
    target={{ quoteId: id }}
    intro={<p className="text-[0.9375rem] whitespace-pre-line">{content.refundTerms}</p>}
  >
    <input type="hidden" name="version" value={version} />
    <TextArea label="¿Por qué la cancelas?" name="reason" maxLength={500} />
    <Submit variant="destructive">Cancelar cotización</Submit>
  </FormDetails>
)

/** One tap for another quote. */
export const AskAnew = ({ quote }: OneProps) => (
  <Form intent="ask-anew" target={{ quoteId: quote.id }} className="justify-items-start">
    <Submit className="max-sm:w-full">Pedir otra cotización</Submit>
  </Form>
)
