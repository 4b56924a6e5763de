import { LoaderCircle, PenLine } from 'lucide-react'
import {
  type ComponentProps,
  type ComponentType,
  lazy,
  type SubmitEvent,
  Suspense,
  useId,
  useRef,
  useState,
} from 'react'
import { signedWords } from '../../domain/reports/answer-words.ts'
import { slotFacts } from '../../domain/reports/photos.ts'
import type { Sheet } from '../../domain/reports/report.ts'
import { lowerFirst } from '../../domain/shared/format.ts'
import type { Draft } from '../offline/draft.ts'
import { Alert } from '../ui/alert.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { controlClass, FieldNotes, Optional } from '../ui/field.tsx'
import { fileIn, KeptPhoto } from './kept-photo.tsx'
import {
  doubtsAbout,
  longestReason,
  PaperPicker,
  PhotoForm,
  PhotoPicker,
  usualReasons,
} from './photo-picker.tsx'
import type { SignaturePad as Pad } from './signature-pad.tsx'
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
        />
      )}
    </Card>
  )
}

/** What happens to the picture just chosen. Always there, so that screen readers announce its words. */
const StepWords = ({ step }: { step: SlotStep }) => (
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

type KeepAnywayProps = { keep: (reason: string) => void; stop: () => void; hasOther: boolean }

/** The choice to keep a doubtful picture, which asks why, or to leave the one that is there. */
function KeepAnyway({ keep, stop, hasOther }: KeepAnywayProps) {
  const [isAsking, setIsAsking] = useState(false)
  if (isAsking) return <Reason keep={keep} />
  return (
    <div data-undecided className="grid gap-2">
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

function Reason({ keep }: { keep: (reason: string) => void }) {
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
    <form data-undecided noValidate onSubmit={send} className="grid gap-3 border-t border-line pt-4">
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

/** Only the last section has it. */
const SignaturePad = lazy(
  (): Promise<{ default: ComponentType<ComponentProps<typeof Pad>> }> =>
    import('./signature-pad.tsx').then(
      (pad) => ({ default: pad.SignaturePad }),
      () => ({ default: NotNow }),
    ),
)

/** Where the network is gone before this phone keeps the whole app. */
const NotNow = () => <p>No pudimos abrir el espacio para firmar. Toma una foto del papel firmado.</p>

type SignatureFieldProps = {
  sheet: Sheet
  draft: Draft
  slot: string
  /** Who signs: the technician, or the person whom the customer's answer names. */
  signer: string | null
}

/** One signature of a sheet: drawn on the screen, or a photo of the signed paper. */
export function SignatureField({ sheet, draft, slot, signer }: SignatureFieldProps) {
  const card = useRef<HTMLElement>(null)
  const [isAgain, setIsAgain] = useState(false)
  const { step, take } = usePhotoSlot(sheet.kind, slot, draft.addFile)
  const facts = slotFacts(sheet.kind, slot)
  if (!facts) return null
  const { label } = facts
  const file = fileIn(draft.files, slot)
  const save = async (picture: Blob) => {
    await draft.addFile(slot, picture, null)
    setIsAgain(false)
    // The pressed button disappears with the paper.
    card.current?.focus()
  }
  return (
    <Card
      ref={card}
      id={slot}
      tabIndex={-1}
      title={label}
      aside={sheet.redo.includes(slot) && <Badge tone="wait">Te la piden de nuevo</Badge>}
      className="outline-none"
    >
      <p className="-mt-2.5 text-mute">{signer ?? 'Escribe antes el nombre de quien recibe.'}</p>
      <p className="font-medium">{signedWords(sheet.kind, slot, draft.answers)}</p>
      {draft.fallen.includes(slot) && (
        <Alert tone="wait" title="Hay que firmar de nuevo">
          Algo cambió después de firmar: la firma anterior ya no vale.
        </Alert>
      )}
      {file && <KeptPhoto label={label} file={file} draft={draft} mayWrite={sheet.mayWrite} paper />}
      {sheet.mayWrite &&
        (file && !isAgain ? (
          <Button variant="ghost" className="noscript:hidden" onClick={() => setIsAgain(true)}>
            <PenLine aria-hidden className="size-5 text-brand" />
            Firmar de nuevo
          </Button>
        ) : (
          <Suspense>
            <SignaturePad signer={signer} save={save} />
          </Suspense>
        ))}
      <StepWords step={step} />
      {sheet.mayWrite && (
        <PhotoForm slot={slot} asksWhy={false}>
          <PaperPicker label={label} take={take} />
        </PhotoForm>
      )}
    </Card>
  )
}
