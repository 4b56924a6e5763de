import { CircleAlert, CircleCheck, CloudOff, Ellipsis } from 'lucide-react'
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import { TextArea } from '../../kit/form/field.tsx'
import { Form, Submit, useFormResult } from '../../kit/form/form.tsx'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import type { Notes } from '../outcomes.ts'
import { longestNotes } from '../rules/room.ts'
import { Autosave, type CallAnswer, type Saving, theirsIn } from './autosave.ts'

type NotesCardProps = {
  appointmentId: string
  /** Who looks at it. */
  writer: string
  notes: Notes
  mayWrite: boolean
}

/** The notes of a call, for the staff only: its assignee writes, the others read. */
export function NotesCard({ mayWrite, ...props }: NotesCardProps) {
  // Another analyst took the call while the user wrote: their words stay where they are.
  const [wrote, setWrote] = useState(mayWrite)
  if (mayWrite && !wrote) setWrote(true)
  return (
    <Card title="Notas">
      {wrote ? (
        <NotesForm {...props} />
      ) : (
        <p className="whitespace-pre-wrap wrap-anywhere">{props.notes.text || 'Todavía no hay notas.'}</p>
      )}
    </Card>
  )
}

function NotesForm({ appointmentId, notes, writer }: Omit<NotesCardProps, 'mayWrite'>) {
  const box = useRef<HTMLTextAreaElement>(null)
  const result = useFormResult('notes')
  const beatenBy = result ? theirsIn(result) : null
  const { autosave, saving, send } = useAutosave(box, { id: appointmentId, writer, notes, beatenBy })
  return (
    <Form intent="notes" by="move" data-kept-apart="" onSubmit={send} className="gap-3">
      <input type="hidden" name="version" value={(saving.theirs ?? saving.known).version} />
      {saving.theirs && <Theirs notes={saving.theirs} decide={(which) => autosave.decide(which)} />}
      <TextArea
        ref={box}
        label="Mientras hablas"
        name="notes"
        optional="unsaid"
        rows={6}
        maxLength={longestNotes}
        defaultValue={saving.known.text}
        help="Solo las lee el equipo; el cliente no las ve."
        onInput={autosave.typed}
        onBlur={autosave.keep}
      />
      <Standing saving={saving} />
      <noscript>
        <Submit variant="ghost">Guardar notas</Submit>
      </noscript>
    </Form>
  )
}

type TheirsProps = { notes: Notes; decide: (which: 'mine' | 'theirs') => void }

const Theirs = ({ notes, decide }: TheirsProps) => (
  <Alert
    tone="wait"
    title="Alguien más escribió notas mientras tanto"
    actions={
      <>
        <Button variant="ghost" className="noscript:hidden" onClick={() => decide('theirs')}>
          Quedarme con estas
        </Button>
        <Button variant="ghost" className="noscript:hidden" onClick={() => decide('mine')}>
          Guardar las mías
        </Button>
      </>
    }
  >
    <p className="whitespace-pre-wrap">{notes.text || 'Las borró todas.'}</p>
    <p className="mt-2">Las tuyas siguen abajo. Pasa lo que haga falta y guárdalas: reemplazan a estas.</p>
  </Alert>
)

const words: Record<Saving['status'], string> = {
  kept: 'Guardado',
  changed: 'Guardando…',
  unheard: 'Sin guardar: se guarda al volver la conexión',
  beaten: 'Sin guardar: elige cuáles quedan',
  refused: 'Sin guardar',
}
const icons = {
  kept: CircleCheck,
  changed: Ellipsis,
  unheard: CloudOff,
  beaten: CircleAlert,
  refused: CircleAlert,
}

/** Whether what was typed is saved; only what is not is announced. */
function Standing({ saving: { known, refused, status } }: { saving: Saving }) {
  const Icon = icons[status]
  const isWell = status === 'kept' || status === 'changed'
  const line = (
    <>
      <Icon aria-hidden className="mt-px size-4.5 shrink-0" />
      {refused ? `${words[status]}: ${refused}` : words[status]}
    </>
  )
  const look = 'flex gap-1.5 text-sm'
  return (
    <div className="min-h-5">
      {isWell && (known.text || status === 'changed') && (
        <p className={`${look} text-mute noscript:hidden`}>{line}</p>
      )}
      <p role="status" className={isWell ? 'sr-only' : `${look} font-medium text-wait`}>
        {!isWell && line}
      </p>
    </div>
  )
}

type Input = { id: string; writer: string; notes: Notes; beatenBy: Notes | null }

/**
 * Saves the notes of a call as they are typed in a box. `notes` is the last answer to the screen, `beatenBy` is the
 * answer to a form sent without JavaScript.
 */
function useAutosave(box: RefObject<HTMLTextAreaElement | null>, input: Input) {
  const { data, state, submit } = useFetcher<CallAnswer>()
  const [autosave] = useState(() => new Autosave({ ...input, loaded: input.notes, theirs: input.beatenBy }))
  const [saving, setSaving] = useState(autosave.saving)
  useEffect(() => {
    if (box.current) return autosave.attach(box.current, setSaving)
  }, [autosave, box])
  useEffect(() => {
    if (state === 'idle') autosave.hear(data)
  }, [autosave, data, state])
  useEffect(() => autosave.adopt(input.notes), [autosave, input.notes])
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = autosave.ask(event.currentTarget)
    // Nothing else on the page depends on it, and a refresh without a network would replace the screen.
    if (form) void submit(form, { method: 'post', defaultShouldRevalidate: false })
  }
  return { autosave, saving, send }
}
