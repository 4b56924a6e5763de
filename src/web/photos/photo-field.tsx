import { LoaderCircle } from 'lucide-react'
import { type SubmitEvent, useId, useRef, useState } from 'react'
import { slotFacts } from '../../domain/reports/photos.ts'
import type { Sheet } from '../../domain/reports/report.ts'
import { lowerFirst } from '../../domain/shared/format.ts'
import type { Draft } from '../offline/draft.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { controlClass, FieldNotes, Optional } from '../ui/field.tsx'
import { fileIn, KeptPhoto } from './kept-photo.tsx'
import { doubtsAbout, longestReason, PhotoForm, PhotoPicker, usualReasons } from './photo-picker.tsx'
import { type SlotStep, usePhotoSlot } from './use-photo-slot.ts'

type PhotoFieldProps = {
  sheet: Sheet
  draft: Draft
  slot: string
  optional?: boolean
}

/** One photo of a sheet: what must be legible, the ways to take it, what is wrong with it, and where it is. */
export function PhotoField({ sheet, draft, slot, optional = false }: PhotoFieldProps) {
  const card = useRef<HTMLElement>(null)
  const { step, take, keep, stop } = usePhotoSlot(sheet.kind, slot, draft.addFile)
  const facts = slotFacts(sheet.kind, slot)
  if (!facts) return null
  const { label, legible } = facts
  const file = fileIn(draft.files, slot)
  const leave = (done: void | Promise<void>) => {
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
        <DoubtfulPhoto label={label} doubt={step} />
      ) : (
        file && <KeptPhoto label={label} file={file} draft={draft} mayWrite={sheet.mayWrite} />
      )}
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
        <KeepAnyway
          keep={(reason) => leave(keep(step.picture, reason))}
          stop={() => leave(stop())}
          hasOther={file !== undefined}
          label={label}
        />
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

type DoubtfulPhotoProps = { label: string; doubt: Extract<SlotStep, { name: 'doubt' }> }

/** A doubtful picture: what is wrong with it, and how to take a better one. */
const DoubtfulPhoto = ({ label, doubt: { url, verdict } }: DoubtfulPhotoProps) => (
  <div className="grid grid-cols-1 gap-3">
    <img
      src={url}
      alt={`${label}, sin guardar`}
      className="max-h-72 w-full rounded-control bg-hover object-contain"
    />
    {doubtsAbout(verdict).map(({ icon: Icon, title, advice }) => (
      <p key={title} className="flex gap-3 rounded-control bg-wait-soft p-3">
        <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-wait" />
        <span>
          <strong className="block font-semibold text-wait">{title}</strong>
          {advice}
        </span>
      </p>
    ))}
  </div>
)

type KeepAnywayProps = { label: string; keep: (reason: string) => void; stop: () => void; hasOther: boolean }

/** The choice to keep a doubtful picture, which asks why, or to leave the one that is there. */
function KeepAnyway({ label, keep, stop, hasOther }: KeepAnywayProps) {
  const [isAsking, setIsAsking] = useState(false)
  if (isAsking) return <Reason label={label} keep={keep} />
  return (
    <div data-undecided={label} className="grid gap-2">
      <Button variant="ghost" onClick={() => setIsAsking(true)}>
        Usarla de todos modos
      </Button>
      {hasOther && (
        <Button variant="ghost" onClick={stop}>
          Dejar la anterior
        </Button>
      )}
    </div>
  )
}

function Reason({ label, keep }: Pick<KeepAnywayProps, 'label' | 'keep'>) {
  const id = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  const [error, setError] = useState<string>()
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const reason = box.current?.value.trim()
    if (reason) return keep(reason)
    setError('Di por qué la conservas.')
    box.current?.focus()
  }
  const write = (reason: string) => {
    if (box.current) box.current.value = reason
    setError(undefined)
  }
  return (
    <form data-undecided={label} noValidate onSubmit={send} className="grid gap-3 border-t border-line pt-4">
      <label htmlFor={id} className="font-semibold">
        ¿Por qué la conservas?
      </label>
      <div className="flex flex-wrap gap-2">
        {usualReasons.map((reason) => (
          <button key={reason} type="button" className={chipClass} onClick={() => write(reason)}>
            {reason}
          </button>
        ))}
      </div>
      <div className="grid gap-1.5">
        <textarea
          ref={box}
          id={id}
          rows={2}
          maxLength={longestReason}
          required
          // What asks for it was just pressed, and is gone.
          // biome-ignore lint/a11y/noAutofocus: see above
          autoFocus
          aria-invalid={error ? true : undefined}
          aria-describedby={error && `${id}-error`}
          className={classNames(controlClass, 'field-sizing-content')}
        />
        <FieldNotes id={id} help={undefined} error={error} />
      </div>
      <Button type="submit">Guardar así</Button>
    </form>
  )
}

const chipClass = 'min-h-11 rounded-full border border-edge bg-card px-3.5 text-[0.9375rem] hover:bg-hover'
