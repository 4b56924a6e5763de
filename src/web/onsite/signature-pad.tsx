import { Eraser, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { SignaturePaper } from './signature-paper.tsx'
import { pictureOf } from './signature-picture.ts'
import { isSigned, type Stroke } from './stroke.ts'

type SignaturePadProps = {
  /** Who signs. */
  signer: string | null
  save: (picture: Blob) => Promise<void>
}

/** A signature drawn on the screen. Who can't draw sends a photo of the signed paper, beside it. */
export function SignaturePad({ signer, save }: SignaturePadProps) {
  const [strokes, setStrokes] = useState<readonly Stroke[]>([])
  const [isRefused, setIsRefused] = useState(false)
  const draw = (next: readonly Stroke[]) => {
    setStrokes(next)
    setIsRefused(false)
  }
  const send = async () => {
    if (!isSigned(strokes)) return setIsRefused(true)
    await save(await pictureOf(strokes))
  }
  const isEmpty = strokes.length === 0
  return (
    <div className="grid grid-cols-1 gap-3 noscript:hidden">
      <SignaturePaper
        label={`Firma de ${signer ?? 'quien recibe'}, ${isEmpty ? 'en blanco' : 'con trazos'}`}
        strokes={strokes}
        onDraw={draw}
      />
      <div role="status" className="contents">
        {isRefused && (
          <p className="text-[0.9375rem] font-medium text-bad">
            {isEmpty ? 'Todavía no hay firma.' : 'Es muy pequeña para ser una firma. Hazla más grande.'}
          </p>
        )}
      </div>
      <div className="grid grid-cols-2 gap-2">
        <Button variant="ghost" aria-disabled={isEmpty} onClick={() => draw(strokes.slice(0, -1))}>
          <Undo2 aria-hidden className="size-5" />
          Deshacer
        </Button>
        <Button variant="ghost" aria-disabled={isEmpty} onClick={() => draw([])}>
          <Eraser aria-hidden className="size-5" />
          Borrar
        </Button>
      </div>
      <Button onClick={() => void send()}>Guardar firma</Button>
    </div>
  )
}
