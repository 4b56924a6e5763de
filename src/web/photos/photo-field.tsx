import { LoaderCircle } from 'lucide-react'
import { useRef } from 'react'
import { slotFacts } from '../../domain/reports/photos.ts'
import type { Sheet } from '../../domain/reports/report.ts'
import type { Draft } from '../offline/draft.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { Optional } from '../ui/field-frame.tsx'
import type { FormResult } from '../ui/form.tsx'
import { fileIn, KeptPhoto } from './kept-photo.tsx'
import { DoubtfulPhoto, KeepAnyway } from './photo-doubt.tsx'
import { PhotoForm } from './photo-form.tsx'
import { PhotoPicker } from './photo-picker.tsx'
import { type SlotStep, usePhotoSlot } from './use-photo-slot.ts'

type PhotoFieldProps = {
  sheet: Sheet
  draft: Draft
  slot: string
  optional?: boolean
  /** What the form of this slot heard, sent without JavaScript. */
  result?: FormResult | undefined
}

/** One photo of a sheet: what must be legible, the ways to take it, what is wrong with it, and where it is. */
export function PhotoField({ sheet, draft, slot, optional = false, result }: PhotoFieldProps) {
  const card = useRef<HTMLElement>(null)
  const { step, take, keep, stop } = usePhotoSlot(sheet.kind, slot, draft.addFile)
  const facts = slotFacts(sheet.kind, slot)
  if (!facts) return null
  const { label, legible } = facts
  const file = fileIn(draft.files, slot)
  const leave = (done: void | Promise<void>) => {
    void done
    // The button that was pressed goes away with the question.
    card.current?.focus()
  }
  return (
    <Card
      ref={card}
      id={slot}
      tabIndex={-1}
      title={
        <>
          {label}
          {optional && <Optional />}
        </>
      }
      aside={sheet.redo.includes(slot) && <Badge tone="wait">Te la piden de nuevo</Badge>}
      className="outline-none"
    >
      <p className="-mt-2.5 text-mute">Que se vea: {lowerFirst(legible)}</p>
      {step.name === 'doubt' ? (
        <DoubtfulPhoto label={label} doubt={step} />
      ) : (
        file && <KeptPhoto {...{ label, file, draft }} mayWrite={sheet.mayWrite} />
      )}
      <StepWords step={step} />
      {sheet.mayWrite && (
        <PhotoForm slot={slot} asksWhy result={result}>
          <PhotoPicker
            label={label}
            again={file !== undefined || step.name === 'doubt'}
            variant={step.name === 'doubt' ? 'primary' : 'ghost'}
            take={take}
          />
        </PhotoForm>
      )}
      {step.name === 'doubt' && (
        <KeepAnyway
          keep={(reason) => leave(keep(step.picture, reason))}
          stop={() => leave(stop())}
          hasOther={file !== undefined}
        />
      )}
    </Card>
  )
}

const lowerFirst = (words: string) => words.charAt(0).toLowerCase() + words.slice(1)

/** What happens to the picture just chosen. Always there, so that its words are heard when they come. */
export const StepWords = ({ step }: { step: SlotStep }) => (
  <div role="status" className="contents">
    {step.name === 'looking' && (
      <p className="flex items-center gap-2 text-mute">
        <LoaderCircle aria-hidden className="size-5 animate-spin" />
        Revisando la foto…
      </p>
    )}
    {step.name === 'doubt' && <span className="sr-only">Revisa la foto antes de guardarla.</span>}
    {step.name === 'unseen' && (
      <p className="text-[0.9375rem] text-mute">
        No pudimos revisarla en este teléfono. Se enviará como está: cuida que se lea.
      </p>
    )}
    {step.name === 'problem' && <p className="text-[0.9375rem] font-medium text-bad">{step.message}</p>}
  </div>
)
