import { redoBox } from '../../domain/reports/answers.ts'
import { slotFacts } from '../../domain/reports/photos.ts'
import { isAsked, sectionsOf } from '../../domain/reports/progress.ts'
import type { Answers, SheetView } from '../../domain/reports/report.ts'
import type { Failure } from '../lib/submit.ts'
import { Card } from '../ui/card.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Details } from '../ui/details.tsx'
import { TextArea } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { FindingsAlert } from './findings-alert.tsx'

type ReviewCardProps = {
  sheet: SheetView
  answers: Answers
  heard: (intent: string) => Failure | undefined
}

/** What the office does with a sheet that was sent: takes it, or gives it back with what is to be done again. */
export function ReviewCard({ sheet, answers, heard }: ReviewCardProps) {
  const returning = heard('return-sheet')
  const isUnsafe = sheet.missing.some(({ unsafe }) => unsafe)
  return (
    <Card title="Revisión">
      <FindingsAlert {...{ sheet, answers }} />
      {!isUnsafe && (
        <Form result={heard('approve-sheet')} className="gap-3">
          <Version version={sheet.version} />
          <Submit name="intent" value="approve-sheet">
            Aprobar
          </Submit>
        </Form>
      )}
      <Details summary="Devolver a su técnico" open={returning !== undefined}>
        <Form result={returning}>
          <Version version={sheet.version} />
          <TextArea
            label="¿Qué falta o qué está mal?"
            name="reason"
            maxLength={1000}
            help="Tu técnico lo lee tal como lo escribes."
          />
          <div className="grid gap-4">
            <p className="font-semibold">Pídele otra vez</p>
            <Redo sheet={sheet} answers={answers} />
          </div>
          <Submit name="intent" value="return-sheet" variant="destructive">
            Devolver
          </Submit>
        </Form>
      </Details>
    </Card>
  )
}

const Version = ({ version }: { version: number }) => <input type="hidden" name="version" value={version} />

/** A box for each answer and photo, by section. */
const Redo = ({ sheet: { kind, files }, answers }: Omit<ReviewCardProps, 'heard'>) =>
  sectionsOf[kind].map(({ id, title, questions, slots, extra = [] }) => {
    const taken = extra.filter((slot) => files.some((file) => file.slot === slot))
    const boxes = [
      ...questions
        .filter((question) => isAsked(question, answers))
        .map(({ name, label }) => ({ name, label })),
      ...[...slots, ...taken].map((slot) => ({ name: slot, label: slotWords(kind, slot) })),
    ]
    return (
      <fieldset key={id} className="grid sm:grid-cols-2 sm:gap-x-6">
        <legend className="mb-1 text-sm text-mute">{title}</legend>
        {boxes.map(({ name, label }) => (
          <Checkbox key={name} name={redoBox(name)} label={label} />
        ))}
      </fieldset>
    )
  })

const slotWords = (kind: SheetView['kind'], slot: string) => {
  const label = slotFacts(kind, slot)?.label ?? slot
  return slot.startsWith('signature_') ? label : `Foto: ${label}`
}
