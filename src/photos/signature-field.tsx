import { PenLine } from 'lucide-react'
import { Suspense, useRef, useState } from 'react'
import { lazyOr } from '../kit/later.tsx'
import type { Draft } from '../offline/draft.ts'
import { signedWords } from '../reports/rules/answer-words.ts'
import { slotFacts } from '../reports/rules/photos.ts'
import type { Sheet } from '../reports/rules/report.ts'
import { Alert } from '../ui/alert.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { fileIn, KeptPhoto } from './kept-photo.tsx'
import { StepWords } from './photo-field.tsx'
import { PaperPicker, PhotoForm } from './photo-picker.tsx'
import { usePhotoSlot } from './use-photo-slot.ts'

/** Where the network is gone before this phone keeps the whole app. */
const NotNow = () => <p>No pudimos abrir el espacio para firmar. Toma una foto del papel firmado.</p>

/** Loaded by the press that opens it. */
const SignatureWindow = lazyOr(
  () => import('./signature-window.tsx').then((part) => part.SignatureWindow),
  NotNow,
)

/** The words by which a customer signs: on a visit nothing is received. */
const doneWords = { visit: 'Firmo de enterado', installation: 'Recibí de conformidad' }

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
  const [isOpen, setIsOpen] = useState(false)
  const { step, take } = usePhotoSlot(sheet.kind, slot, draft)
  const facts = slotFacts(sheet.kind, slot)
  if (!facts) return null
  const { label } = facts
  const file = fileIn(draft.files, slot)
  const words = signedWords(sheet.kind, slot, draft.answers)
  const close = () => setIsOpen(false)
  const save = async (picture: Blob) => {
    await draft.addFile(slot, picture, null)
    close()
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
      <p className="font-medium">{words}</p>
      {draft.fallen.includes(slot) && (
        <Alert tone="wait" title="Hay que firmar de nuevo">
          Algo cambió después de firmar: la firma anterior ya no vale.
        </Alert>
      )}
      {file && <KeptPhoto label={label} file={file} draft={draft} mayWrite={sheet.mayWrite} paper />}
      {isOpen && (
        <Suspense>
          <SignatureWindow
            kind={sheet.kind}
            answers={draft.answers}
            label={label}
            words={words}
            signer={signer}
            done={slot === 'signature_customer' ? doneWords[sheet.kind] : 'Listo'}
            save={save}
            onClose={close}
            focusAfter={() => card.current?.focus()}
          />
        </Suspense>
      )}
      <StepWords step={step} />
      {sheet.mayWrite && (
        <div className="grid grid-cols-2 gap-2 noscript:grid-cols-1">
          <Button
            variant={file ? 'ghost' : 'primary'}
            aria-haspopup="dialog"
            aria-label={`${file ? 'Firmar de nuevo' : 'Firmar'}: ${label}`}
            className="noscript:hidden"
            onClick={() => setIsOpen(true)}
          >
            <PenLine aria-hidden className={classNames('size-5', file && 'text-brand')} />
            {file ? 'Firmar de nuevo' : 'Firmar'}
          </Button>
          <PhotoForm slot={slot} asksWhy={false}>
            <PaperPicker label={label} take={take} />
          </PhotoForm>
        </div>
      )}
    </Card>
  )
}
