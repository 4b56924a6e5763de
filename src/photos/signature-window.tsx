import { CircleCheck, CircleX, X } from 'lucide-react'
import * as Primitive from 'radix-ui/dialog'
import { useRef } from 'react'
import type { Answers, SheetKind } from '../reports/rules/report.ts'
import { type SummaryPart, signedSummary } from '../reports/rules/signed-summary.ts'
import { SignaturePad } from './signature-pad.tsx'

/** What is signed and by whom, and what happens with it. */
export type SignatureWindowProps = {
  kind: SheetKind
  answers: Answers
  label: string
  /** The statement that is signed. */
  words: string
  /** Who signs. */
  signer: string | null
  /** The words of the button that keeps the signature. */
  done: string
  save: (picture: Blob) => Promise<void>
  onClose: () => void
  /** Gives the focus to what stands for the window once it is closed. */
  focusAfter: () => void
}

/**
 * Signing in front of the whole screen: what is signed above the paper, and beside it where the phone is turned. One
 * press keeps the signature and closes.
 */
export function SignatureWindow({
  kind,
  answers,
  label,
  words,
  signer,
  done,
  ...rest
}: SignatureWindowProps) {
  const { onClose, save, focusAfter } = rest
  const window = useRef<HTMLDivElement>(null)
  return (
    <Primitive.Root open onOpenChange={(open) => open || onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-veil" />
        <Primitive.Content
          aria-describedby={undefined}
          // The paper is no field: the window itself has the focus.
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            window.current?.focus()
          }}
          ref={window}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            focusAfter()
          }}
          className="fixed inset-0 z-40 grid grid-cols-1 grid-rows-[auto_minmax(0,2fr)_minmax(0,3fr)] bg-canvas text-ink outline-none short:grid-cols-[2fr_3fr] short:grid-rows-[auto_1fr] lg:inset-8 lg:mx-auto lg:max-w-4xl lg:rounded-card"
        >
          <div className="flex min-h-14 items-center gap-3 border-b border-line pr-2 pl-4 short:col-span-2 short:min-h-12">
            <Primitive.Title className="min-w-0 flex-1 truncate font-semibold">
              {label}
              {signer && <span className="font-normal text-mute">: {signer}</span>}
            </Primitive.Title>
            <Primitive.Close
              aria-label="Cerrar sin firmar"
              className="grid size-12 shrink-0 place-items-center rounded-control hover:bg-hover"
            >
              <X aria-hidden className="size-6" />
            </Primitive.Close>
          </div>
          <section
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keys, too.
            tabIndex={0}
            aria-label="Lo que se firma"
            className="grid content-start gap-4 overflow-y-auto p-4"
          >
            <p className="font-medium">{words}</p>
            {signedSummary(kind, answers).map((part) => (
              <Part key={part.title} {...part} />
            ))}
          </section>
          <SignaturePad signer={signer} done={done} save={save} />
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

const Part = ({ title, lines, sentences }: SummaryPart) => (
  <div className="grid gap-1.5">
    <h3 className="font-semibold">{title}</h3>
    {lines.length > 0 && (
      <dl className="grid gap-1.5">
        {lines.map(({ label, value, isGood }) => (
          <div key={label} className="flex items-baseline justify-between gap-3 border-b border-line pb-1.5">
            <dt className="text-mute">{label}</dt>
            <dd className="flex shrink-0 items-center gap-1.5 text-right max-w-1/2">
              {value}
              {isGood !== undefined && <Mark isGood={isGood} />}
            </dd>
          </div>
        ))}
      </dl>
    )}
    {sentences.map((sentence) => (
      <p key={sentence} className="whitespace-pre-line">
        {sentence}
      </p>
    ))}
  </div>
)

const Mark = ({ isGood }: { isGood: boolean }) =>
  isGood ? (
    <CircleCheck role="img" aria-label="Pasa" className="size-5 shrink-0 text-brand" />
  ) : (
    <CircleX role="img" aria-label="No pasa" className="size-5 shrink-0 text-bad" />
  )
