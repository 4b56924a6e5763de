import { type ReactNode, useRef } from 'react'
import {
  controlClass,
  Field,
  FieldFrame,
  FieldNotes,
  type FieldProps,
  Optional,
  Select,
  TextArea,
  useField,
} from '../../kit/form/field.tsx'
import { useFieldResult, useFormAnswered } from '../../kit/form/form.tsx'
import { type CardOption, RadioCards, useFollowed } from '../../kit/form/radio-cards.tsx'
import type { Typed } from '../../offline/outbox/rows.ts'
import { Dictated } from '../../photos/dictated.tsx'
import { figure, thousands } from '../../shared/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { type Calculation, conductors, usualDrop } from '../rules/circuit.ts'
import { isUsual, type usualOf } from '../rules/limits.ts'
import type { AnswerValue, HouseLoad, Question } from '../rules/report.ts'
import { gaugeLabels } from '../rules/visit-report.ts'
import { LoadsField, TickField, useUncontrolledInput } from './loads/loads-field.tsx'
import { boxOf, type OnAnswer, type TypedLoad } from './loads/typed-loads.ts'

type QuestionFieldProps = {
  question: Question
  value: AnswerValue | undefined
  /** The content of its boxes that is no answer yet. */
  typed?: Typed | undefined
  circuit: Calculation | null
  error: string | undefined
  optional: boolean
  /** What a measurement usually is. */
  usual?: ReturnType<typeof usualOf>
  /** Another one stands beside it. */
  isNarrow?: boolean
  hear: OnAnswer
}

/** One question of a report, as a field suited to a thumb. */
export function QuestionField({
  question,
  value,
  typed,
  circuit,
  error,
  optional,
  usual = null,
  isNarrow = false,
  hear,
}: QuestionFieldProps) {
  const { name, label, help } = question
  // Beside each other, boxes stand in line whatever the length of their labels.
  const field: FieldProps = isNarrow
    ? {
        name,
        help,
        error,
        optional: optional && 'unsaid',
        label: (
          <span className="block min-h-[2lh] content-end">
            {label}
            {optional && <Optional />}
          </span>
        ),
      }
    : { name, label, help, error, optional }
  const text = typeof value === 'string' ? value : null
  const unfinished = typeof typed === 'string' ? typed : undefined
  switch (question.kind) {
    case 'choice':
      return <ChoiceField field={field} question={question} hear={hear} value={text} />
    case 'choices':
      return <ChoicesField field={field} question={question} hear={hear} value={text} />
    case 'yesNo':
      return <YesNoField field={field} hear={hear} value={typeof value === 'boolean' ? value : null} />
    case 'tick':
      return <TickField {...field} value={value === true} hear={hear} />
    case 'number':
      return (
        <NumberField
          {...field}
          question={question}
          usual={usual}
          isNarrow={isNarrow}
          hear={hear}
          answer={typeof value === 'number' ? value : null}
          value={unfinished ?? (typeof value === 'number' ? String(value) : '')}
        />
      )
    case 'loads':
      return (
        <LoadsField
          {...field}
          hear={hear}
          value={Array.isArray(value) ? (value as HouseLoad[]) : null}
          typed={Array.isArray(typed) ? (typed as TypedLoad[]) : null}
        />
      )
    case 'conductor':
      return <ConductorField {...field} circuit={circuit} hear={hear} value={text} />
    case 'text':
      return <TextField field={field} question={question} hear={hear} value={unfinished ?? text ?? ''} />
    case 'lines':
      return <LinesField field={field} question={question} hear={hear} value={unfinished ?? text ?? ''} />
  }
}

type OfKind<Kind extends Question['kind']> = Extract<Question, { kind: Kind }>
type PartProps<Kind extends Question['kind'], Value> = {
  field: FieldProps
  question: OfKind<Kind>
  value: Value
  hear: OnAnswer
}

/** Up to so many choices are cards; more would push the next question out of sight. */
const mostCards = 6

function ChoiceField({ field, question, value, hear }: PartProps<'choice', string | null>) {
  const options = Object.entries(question.options).map(([of, label]) => ({ value: of, label }))
  const choose = { ...field, options, value, onChoose: (chosen: string) => hear(chosen, true) }
  if (options.length <= mostCards)
    return options.every(({ label }) => isShort(label)) ? (
      <RadioCards {...choose} columns={2} className={chips} />
    ) : (
      <RadioCards {...choose} />
    )
  return <LongChoice {...field} options={options} value={value} hear={hear} />
}

/** Whether a label fits into half of a phone's width, in two lines at most. */
const isShort = (label: string) => label.length <= 28 && label.split(' ').every((word) => word.length <= 13)

/** Cards without their circles: half of a phone's width has no room for them. */
const chips =
  '[&_label]:relative [&_label]:justify-center [&_label]:px-2 [&_label]:text-center [&_label]:text-balance [&_input]:absolute [&_input]:inset-0 [&_input]:size-full [&_input]:opacity-0 [&_label]:has-checked:font-semibold [&_label]:has-checked:ring-1 [&_label]:has-checked:ring-brand [&_label]:has-focus-visible:outline-2 [&_label]:has-focus-visible:outline-offset-2 [&_label]:has-focus-visible:outline-brand'

/** Several of a list: boxes to tick, two in a row. That there is none unticks the others, and they it. */
function ChoicesField({ field, question, value, hear }: PartProps<'choices', string | null>) {
  const { described, error, id } = useField(field)
  const { none, options, name } = question
  const group = useRef<HTMLFieldSetElement>(null)
  const boxes = () => [...(group.current?.querySelectorAll('input') ?? [])]
  const picked = value?.split(',') ?? []
  useFollowed(value, () => {
    for (const box of boxes()) box.checked = picked.includes(box.value)
  })
  const choose = ({ checked, value: pressed }: HTMLInputElement) => {
    for (const box of boxes()) if (checked && (box.value === none) !== (pressed === none)) box.checked = false
    hear(
      boxes()
        .filter((box) => box.checked)
        .map((box) => box.value)
        .join(','),
      true,
    )
  }
  return (
    <fieldset {...described} id={id} ref={group} className="grid min-w-0 gap-1.5">
      <legend className="mb-1.5 font-semibold">{field.label}</legend>
      <div className="grid grid-cols-2 gap-2">
        {Object.entries(options).map(([one, label]) => (
          <ChoiceBox
            key={one}
            name={boxOf(name, one)}
            value={one}
            isPicked={picked.includes(one)}
            label={label}
            choose={choose}
          />
        ))}
      </div>
      <FieldNotes id={id} help={field.help} error={error} />
    </fieldset>
  )
}

type ChoiceBoxProps = {
  name: string
  value: string
  label: string
  isPicked: boolean
  choose: (box: HTMLInputElement) => void
}

function ChoiceBox({ name, value, label, isPicked, choose }: ChoiceBoxProps) {
  const answered = useFormAnswered()
  const { typed } = useFieldResult(name)
  return (
    <label className="flex min-h-12 items-center gap-2 rounded-control border border-edge bg-card px-2.5 py-1 leading-tight hover:bg-hover has-checked:border-brand has-checked:bg-brand-soft has-checked:font-semibold">
      <input
        type="checkbox"
        name={name}
        value={value}
        defaultChecked={answered ? typed !== undefined : isPicked}
        onChange={({ currentTarget }) => choose(currentTarget)}
        className="size-5 shrink-0 accent-brand"
      />
      {label}
    </label>
  )
}

type LongChoiceProps = FieldProps & {
  options: readonly { value: string; label: string }[]
  value: string | null
  hear: OnAnswer
}

function LongChoice({ value, hear, ...field }: LongChoiceProps) {
  const { ref, defaultValue } = useUncontrolledInput<HTMLSelectElement>(value ?? '', hear)
  return (
    <Select
      {...field}
      ref={ref}
      placeholder="Elige una"
      defaultValue={defaultValue}
      onChange={({ target }) => hear(target.value, true)}
    />
  )
}

const yesAndNo = [
  { value: 'yes', label: 'Sí' },
  { value: 'no', label: 'No' },
]

type YesNoProps = Omit<PartProps<'yesNo', boolean | null>, 'question'>

const YesNoField = ({ field, value, hear }: YesNoProps) => (
  <RadioCards
    {...field}
    columns={2}
    className={chips}
    options={yesAndNo}
    value={value === null ? null : value ? 'yes' : 'no'}
    onChoose={(chosen) => hear(chosen, true)}
  />
)

function TextField({ field, question: { digits, max }, value, hear }: PartProps<'text', string>) {
  const box = useUncontrolledInput<HTMLInputElement>(value, hear)
  return (
    <Field
      {...field}
      {...box}
      autoComplete="off"
      enterKeyHint="next"
      {...(digits ? { inputMode: 'numeric', steady: true } : { maxLength: max })}
    />
  )
}

function LinesField({ field, question: { label, max }, value, hear }: PartProps<'lines', string>) {
  const box = useUncontrolledInput<HTMLTextAreaElement>(value, hear)
  return (
    <Dictated label={label}>
      <TextArea {...field} {...box} maxLength={max} />
    </Dictated>
  )
}

type ConductorFieldProps = FieldProps & { value: string | null; circuit: Calculation | null; hear: OnAnswer }

/** The gauge of the cable; one too thin for the breaker can't be chosen, and says why. */
function ConductorField({ circuit, hear, ...field }: ConductorFieldProps) {
  const options: CardOption[] = circuit
    ? circuit.choices.map((choice) => optionOf(choice, circuit))
    : conductors.map(({ gauge }) => ({ value: gauge, label: gaugeLabels[gauge] }))
  return <RadioCards {...field} options={options} onChoose={(gauge) => hear(gauge, true)} />
}

function optionOf(
  { ampacity, carries, drop, gauge }: Calculation['choices'][number],
  { breaker, conductor }: Calculation,
): CardOption {
  const note = carries
    ? `Aguanta ${ampacity}\u00a0A. Caída de ${figure(drop, 2)}\u00a0%${drop > usualDrop ? ', más de 3\u00a0%' : ''}.`
    : `Aguanta ${ampacity}\u00a0A${breaker === null ? '.' : `: no da para la pastilla de ${breaker}\u00a0A.`}`
  return {
    value: gauge,
    label: gaugeLabels[gauge],
    note,
    disabled: !carries,
    ...(gauge === conductor && { aside: <Badge tone="ok">Propuesto</Badge> }),
  }
}

type NumberQuestion = Extract<Question, { kind: 'number' }>
type NumberFieldProps = FieldProps &
  Required<Pick<QuestionFieldProps, 'usual' | 'isNarrow' | 'hear'>> & {
    question: NumberQuestion
    answer: number | null
    value: string
  }

/** A measurement is a row of a table: what was measured, what it usually is below, and its box. */
const rowClass = 'grid-cols-[1fr_9rem] items-center gap-x-3 gap-y-0.5 [&>:last-child]:col-span-2'

/** A figure with its unit beside it, and below what it usually is, or its range. */
function NumberField({ question, answer, value, usual, isNarrow, hear, ...shown }: NumberFieldProps) {
  const { label, name, help, error, optional } = shown
  const { unit, min, max } = question
  const range = `De ${min} a ${thousands(max)}\u00a0${unit}.`
  const field = useField({ name, help: range, error, optional })
  const box = useUncontrolledInput<HTMLInputElement>(value, hear)
  const words = isNarrow && help ? help : `${range} ${help ?? ''}`
  return (
    <FieldFrame
      {...field}
      steady
      {...(question.measured && { className: rowClass })}
      label={label}
      optional={optional}
      error={isNarrow ? inShort(field.error) : field.error}
      help={usual ? <UsualRange usual={usual} unit={unit} answer={answer} /> : words}
    >
      <span className="relative grid">
        <input
          {...box}
          {...field.described}
          id={field.id}
          name={name}
          required={field.required}
          inputMode="decimal"
          enterKeyHint="next"
          autoComplete="off"
          defaultValue={field.typed ?? box.defaultValue}
          className={classNames(controlClass, 'pr-16')}
        />
        <span
          aria-hidden
          className="pointer-events-none absolute inset-y-0 right-3.5 flex items-center text-mute"
        >
          {unit}
        </span>
      </span>
    </FieldFrame>
  )
}

/** A mistake in half of the width takes one line, as the range does whose place it takes; it is read out whole. */
function inShort(message: string | undefined): ReactNode {
  const [, begins, rest] = message?.match(/^(Escribe un número|Escríbelo) (.+)$/) ?? []
  if (!rest) return message
  return (
    <>
      <span className="sr-only">{begins} </span>
      <span className="inline-block first-letter:uppercase">{rest}</span>
    </>
  )
}

type UsualRangeProps = {
  usual: NonNullable<QuestionFieldProps['usual']>
  unit: string
  answer: number | null
}

/** What a measurement usually is; beyond it the same line asks to look again, so that nothing moves. */
function UsualRange({ usual, unit, answer }: UsualRangeProps) {
  const from = Math.round(usual.from)
  const to = Math.round(usual.to)
  const range = from === 0 ? `${to}\u00a0${unit} o menos` : `${from} a ${to}\u00a0${unit}`
  if (answer === null) return `Normal: ${range}`
  return isUsual(answer, usual) ? (
    <span className="text-brand">✓ Normal: {range}</span>
  ) : (
    <span className="font-medium text-wait">Revisa: {range}</span>
  )
}
