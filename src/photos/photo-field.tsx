import { LoaderCircle } from 'lucide-react'
import { lazy, Suspense, useRef } from 'react'
import { Optional } from '../kit/form/field.tsx'
import { later } from '../kit/later.tsx'
import type { Draft } from '../offline/draft.ts'
import { slotFacts } from '../reports/rules/photos.ts'
import type { Sheet } from '../reports/rules/report.ts'
import { lowerFirst } from '../shared/format.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { fileIn, KeptPhoto } from './kept-photo.tsx'
import { PhotoForm, PhotoPicker } from './photo-picker.tsx'
import { type SlotStep, usePhotoSlot } from './use-photo-slot.ts'

/** Loaded before a doubt is shown (use-photo-slot.ts). */
const doubt = () => import('./photo-doubt.tsx')
const DoubtfulPhoto = lazy(() => doubt().then((part) => ({ default: part.DoubtfulPhoto })))
const KeepAnyway = lazy(() => doubt().then((part) => ({ default: part.KeepAnyway })))

const LateRemark = later(() => import('./late-remark.tsx').then((part) => part.default))

type PhotoFieldProps = {
  sheet: Sheet
  draft: Draft
  slot: string
  optional?: boolean
}

/** One photo of a sheet: what must be legible, the ways to take it, what is wrong with it, and where it is. */
export function PhotoField({ sheet, draft, slot, optional = false }: PhotoFieldProps) {
  const card = useRef<HTMLElement>(null)
  const { step, take, keep, stop } = usePhotoSlot(sheet.kind, slot, draft)
  const facts = slotFacts(sheet.kind, slot)
  if (!facts) return null
  const { label, legible } = facts
  const file = fileIn(draft.files, slot)
  const leave = (done: unknown) => {
    void done
    // The pressed button disappears with the question.
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
        <Suspense>
          <DoubtfulPhoto label={label} doubt={step} />
        </Suspense>
      ) : (
        file && <KeptPhoto label={label} file={file} draft={draft} mayWrite={sheet.mayWrite} />
      )}
      {slot === 'before' && <LateRemark files={draft.files} />}
      <StepWords step={step} />
      {sheet.mayWrite && (
        <PhotoForm slot={slot} asksWhy>
          <PhotoPicker
            label={label}
            again={file !== undefined || step.name === 'doubt'}
            variant={step.name === 'doubt' ? 'primary' : 'ghost'}
            take={take}
          />
        </PhotoForm>
      )}
      {step.name === 'doubt' && (
        <Suspense>
          <KeepAnyway
            keep={(reason) => leave(keep(step, reason))}
            stop={() => leave(stop())}
            hasOther={file !== undefined}
            label={label}
          />
        </Suspense>
      )}
    </Card>
  )
}

/** What happens to the picture just chosen. Always there, so that screen readers announce its words. */
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
