import { PenLine } from 'lucide-react'
import { type ComponentProps, type ComponentType, lazy, Suspense, useRef, useState } from 'react'
import { signedWords } from '../../domain/reports/answer-words.ts'
import { slotFacts } from '../../domain/reports/photos.ts'
import type { Sheet } from '../../domain/reports/report.ts'
import type { Draft } from '../offline/draft.ts'
import type { SignaturePad as Pad } from '../reports/signature-pad.tsx'
import { Alert } from '../ui/alert.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import type { FormResult } from '../ui/form.tsx'
import { fileIn, KeptPhoto } from './kept-photo.tsx'
import { StepWords } from './photo-field.tsx'
import { PhotoForm } from './photo-form.tsx'
import { PaperPicker } from './photo-picker.tsx'
import { usePhotoSlot } from './use-photo-slot.ts'

/** Only the last section has it. */
const SignaturePad = lazy(
  (): Promise<{ default: ComponentType<ComponentProps<typeof Pad>> }> =>
    import('../reports/signature-pad.tsx').then(
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
  /** Who signs: the technician, or whom the customer's answer names. */
  signer: string | null
  result?: FormResult | undefined
}

/** One signature of a sheet: drawn on the screen, or a photo of the signed paper. */
export function SignatureField({ sheet, draft, slot, signer, result }: SignatureFieldProps) {
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
    // The button that was pressed goes away with the paper.
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
      {file && <KeptPhoto {...{ label, file, draft }} mayWrite={sheet.mayWrite} paper />}
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
        <PhotoForm slot={slot} asksWhy={false} result={result}>
          <PaperPicker label={label} take={take} />
        </PhotoForm>
      )}
    </Card>
  )
}
