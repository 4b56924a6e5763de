import { type SubmitEvent, useId, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { controlClass, FieldNotes } from '../ui/field-frame.tsx'
import { doubtsAbout, longestReason, usualReasons } from './photo-words.ts'
import type { SlotStep } from './use-photo-slot.ts'

type DoubtfulPhotoProps = { label: string; doubt: Extract<SlotStep, { name: 'doubt' }> }

/** A picture that doesn't look well: what is wrong with it, and how to take a better one. */
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

type KeepAnywayProps = { keep: (reason: string) => void; stop: () => void; hasOther: boolean }

/** The choice to keep a doubtful picture, which asks why, or to leave the one that is there. */
export function KeepAnyway({ keep, stop, hasOther }: KeepAnywayProps) {
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
