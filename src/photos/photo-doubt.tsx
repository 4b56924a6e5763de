import { type LucideIcon, Minimize2, Moon, Vibrate } from 'lucide-react'
import { type SubmitEvent, useId, useRef, useState } from 'react'
import { controlClass, FieldNotes } from '../kit/form/field.tsx'
import type { PhotoVerdict } from '../reports/rules/photo-quality.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import Dictate from './dictate.tsx'
import { longestReason } from './photo-picker.tsx'

type DoubtfulPhotoProps = { label: string; doubt: { url: string; verdict: PhotoVerdict } }

/** A doubtful picture: what is wrong with it, and how to take a better one. */
export const DoubtfulPhoto = ({ label, doubt: { url, verdict } }: DoubtfulPhotoProps) => (
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

type KeepAnywayProps = {
  label: string
  keep: (reason: string) => void
  stop: () => void
  hasOther: boolean
  words?: string
}

/** The choice to keep a doubtful picture, which asks why, or to leave the one that is there. */
export function KeepAnyway({
  label,
  keep,
  stop,
  hasOther,
  words = 'Usarla de todos modos',
}: KeepAnywayProps) {
  const [isAsking, setIsAsking] = useState(false)
  if (isAsking) return <Reason label={label} keep={keep} />
  return (
    <div data-undecided={label} className="grid gap-2">
      <Button variant="ghost" onClick={() => setIsAsking(true)}>
        {words}
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
        <Dictate box={() => box.current} label="¿Por qué la conservas?" />
        <FieldNotes id={id} help={undefined} error={error} />
      </div>
      <Button type="submit">Guardar así</Button>
    </form>
  )
}

const chipClass = 'min-h-11 rounded-full border border-edge bg-card px-3.5 text-[0.9375rem] hover:bg-hover'

type Doubt = { icon: LucideIcon; title: string; advice: string }

const doubts: Record<keyof PhotoVerdict, Doubt> = {
  blurred: {
    icon: Vibrate,
    title: 'Se ve movida o desenfocada',
    advice: 'Apoya el teléfono, toca la pantalla para enfocar y espera un segundo.',
  },
  dark: { icon: Moon, title: 'Se ve oscura', advice: 'Prende la luz o una linterna.' },
  tooSmall: {
    icon: Minimize2,
    title: 'Es muy pequeña',
    advice: 'Tómala con la cámara: las que llegan por mensaje vienen reducidas.',
  },
}

/** The doubts about a photo, in words, with what to do about them. */
export const doubtsAbout = (verdict: PhotoVerdict): Doubt[] =>
  (Object.keys(doubts) as (keyof PhotoVerdict)[]).filter((name) => verdict[name]).map((name) => doubts[name])

/** Why people keep a photo nonetheless; a tap writes it for them. */
const usualReasons = ['No hay más luz', 'No puedo acercarme más', 'Así se alcanza a leer']
